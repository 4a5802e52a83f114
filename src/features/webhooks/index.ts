// The door of the webhooks room.
export { queueDeliveries } from './deliveries.service.ts'
export {
  type FinishedAttempt,
  judge,
  LEASE_MS,
  type Settled,
  settle,
  type Turn,
  takeTurns,
  type Verdict,
  wakeLater,
} from './dispatch.service.ts'
export { findAbandoned, reviveDelivery } from './dispatch.sql.ts'
export type { ServerEvent } from './event-types.ts'
export { isPublicAddress } from './public-address.ts'
export { signatureHeaders } from './signing.ts'
export { type WebhookWake, webhookSlowWake, webhookWake } from './webhooks.jobs.ts'
