// The door of webhooks: what happens to a server, posted to its owner's endpoint.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import { createDeliveryLogService } from './delivery-log.service.ts'
import { createEndpointsService, type EndpointsOptions } from './endpoints.service.ts'
import { webhooksRoutes } from './webhooks.routes.ts'

export { cancelDeliveriesOf, dropWebhook, dropWebhooksOf } from './change-of-hands.service.ts'
export { queueDeliveries } from './deliveries.service.ts'
export type { ServerEvent } from './event-types.ts'
export { giveUpEndpoint, writeWebhookDisabled } from './give-up.service.ts'
export { type FinishedAttempt, judge, type Settled, settle } from './settling.service.ts'
export { signatureHeaders } from './signing.ts'
export { LEASE_MS, type Turn, takeTurns, wakeLater } from './turns.service.ts'
export { findAbandoned, isPending, reviveDelivery } from './turns.sql.ts'
export { runWebhookUpkeep, sweepWebhooks } from './upkeep.service.ts'
export { type WebhookWake, webhookSlowWake, webhookSweep, webhookUpkeep, webhookWake } from './webhooks.jobs.ts'

export interface Webhooks {
  routes: Route[]
}

export function createWebhooks(options: Deps & Pick<EndpointsOptions, 'limits'>): Webhooks {
  return { routes: webhooksRoutes(createEndpointsService(options), createDeliveryLogService(options)) }
}
