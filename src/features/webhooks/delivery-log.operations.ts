// The operations of a webhook's delivery log.
import type { Deps } from '../../deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { paginate } from '../../platform/http/paging.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { managedServer } from '../servers/index.ts'
import { countDeliveries, findDeliveries, findDelivery, makeDueAgain } from './delivery-log.store.ts'
import { requireActive, requireEndpoint, SENDS_PER_MINUTE, sendLimit } from './endpoint-checks.ts'
import { findEndpoint, lockEndpointForKeyShare } from './endpoints.store.ts'
import { webhookWake } from './webhooks.jobs.ts'
import {
  DeliveriesQuery,
  DeliveryParams,
  noSuchDelivery,
  WebhookDeliveries,
  WebhookDelivery,
} from './webhooks.schema.ts'

const common = { tag: 'Webhooks', access: 'user' } as const

export const deliveryLogOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
  operation({
    ...common,
    method: 'get',
    path: '/servers/{id}/webhook/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries of a server’s webhook and their attempts, newest first; kept for 30 days',
    resource: managedServer(),
    query: DeliveriesQuery,
    returns: WebhookDeliveries,
    async handle({ db, server, query: { status, ...page } }) {
      const { createdAt } = requireEndpoint(await findEndpoint(db, server.id))
      const filter = { serverId: server.id, since: createdAt, status }
      return paginate('deliveries', page, {
        count: () => countDeliveries(db, filter),
        find: (range) => findDeliveries(db, filter, range),
      })
    },
  }),
  operation({
    ...common,
    method: 'post',
    path: '/servers/{id}/webhook/deliveries/{deliveryId}/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Post a delivery again, with the same id',
    description: `At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
    resource: managedServer({ lock: 'update', audit: 'webhook.redeliver' }),
    params: DeliveryParams,
    limit: sendLimit,
    returns: WebhookDelivery,
    codes: ['webhook_disabled'],
    async handle({ tx, server: { id: serverId }, params: { deliveryId } }) {
      const { createdAt } = requireActive(await lockEndpointForKeyShare(tx, serverId))
      if (!(await makeDueAgain(tx, { id: deliveryId, serverId, since: createdAt }))) throw notFound(noSuchDelivery)
      await jobs.enqueue(tx, webhookWake, [{ serverId }])
      return new Audited(await findDelivery(tx, deliveryId), { deliveryId })
    },
  }),
]
