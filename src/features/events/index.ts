// Server events: webhook deliveries and notifications about servers, queued in the transaction of the change.

export { announce, announceStatusChanges, type StatusChange } from './events.service.ts'
export { waitForCommit } from './events.sql.ts'
