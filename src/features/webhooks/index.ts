// Webhooks: events of a server, posted to its owner's endpoint.
import type { Deps } from '../../deps.ts'
import { deliveryLogOperations } from './delivery-log.operations.ts'
import { endpointsOperations } from './endpoints.operations.ts'

export { queueDeliveries } from './deliveries.service.ts'
export { disableEndpoint, writeWebhookDisabled } from './disable-endpoint.service.ts'
export type { ServerEvent } from './event-types.ts'
export { acquireLeases, enqueueWake, LEASE_MS, type Lease } from './leases.service.ts'
export { findChangedEndpoints, findExpiredLeases, isPending, reviveDelivery } from './leases.sql.ts'
export { cancelDeliveriesOf, dropWebhook, dropWebhooksOf } from './ownership-transfer.service.ts'
export { type AppliedResults, applyResults, classifyAttempt, type FinishedAttempt } from './results.service.ts'
export { signatureHeaders } from './signing.ts'
export { runWebhookUpkeep, sweepWebhooks } from './upkeep.service.ts'
export { type WebhookWake, webhookSlowWake, webhookSweep, webhookUpkeep, webhookWake } from './webhooks.jobs.ts'

export const webhooksOperations = (deps: Pick<Deps, 'jobs' | 'clock' | 'settings'>) => [
  ...endpointsOperations(deps),
  ...deliveryLogOperations(deps),
]
