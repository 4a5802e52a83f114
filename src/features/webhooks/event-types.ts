// Events that are sent to endpoints.
import * as z from 'zod'

/** Event types that an endpoint can subscribe to. */
export const EVENT_TYPES = [
  'vote.created',
  'vote.milestone',
  'server.online',
  'server.offline',
  'server.wiped',
  'auction.won',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The field of a request that has them. */
export const Events = z
  .array(z.enum(EVENT_TYPES, `must be ${EVENT_TYPES.slice(0, -1).join(', ')} or ${EVENT_TYPES.at(-1)}`), {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of events'),
  })
  .min(1, 'must name at least one event')
  .max(20, 'must name at most 20 events')
  .transform((events) => [...new Set(events)])
  .describe('The events that are posted')

export interface ServerEvent {
  serverId: string
  type: EventType | 'webhook.test'
  at: Date
  /** Sent unchanged, as JSON. */
  data: object
  /** Only this endpoint of the server gets it, whatever it is subscribed to. */
  endpointId?: string
}
