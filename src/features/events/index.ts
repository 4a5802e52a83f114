// The door of events: what happens to servers, told to whoever wants to hear of it.
export { announce, announceTurns, type Turn } from './events.service.ts'
