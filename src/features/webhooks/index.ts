// Webhooks: events of a server, sent to its owner's endpoints.
export { attemptDelivery } from './attempts.service.ts'
export { queueDeliveries } from './deliveries.service.ts'
export { disableEndpoint, writeWebhookDisabled } from './disable-endpoint.service.ts'
export { endpointsOperations } from './endpoints.operations.ts'
export type { ServerEvent } from './event-types.ts'
export { kindOf } from './kinds/index.ts'
export {
  type Answer,
  type Conversation,
  ConversationError,
  mayTakeNext,
  type OutgoingRequest,
  type Transport,
} from './kinds/kind.ts'
export { acquireLeases, enqueueFastWakes, LEASE_MS, type Lease } from './leases.service.ts'
export {
  type DueDelivery,
  findChangedEndpoints,
  findExpiredLeases,
  findPending,
  requeueDeadDelivery,
} from './leases.sql.ts'
export { cancelDeliveriesOf, deleteEndpointsOfServer, deleteEndpointsOfUser } from './ownership-transfer.service.ts'
export { personalData } from './personal-data.ts'
export { applyResults, type FinishedAttempt } from './results.service.ts'
export { findDueMessages } from './status-messages/messages.sql.ts'
export {
  disableUnconfirmedEndpoints,
  leaseStatusMessages,
  type StatusAttempt,
  type StatusMessageDeps,
  sendStatusMessage,
} from './status-messages/status-messages.service.ts'
export { runWebhookUpkeep, sweepWebhooks } from './upkeep.service.ts'
export { type WebhookWake, webhookSlowWake, webhookWake } from './webhooks.jobs.ts'
