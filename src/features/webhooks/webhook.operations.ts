// `/servers/{id}/webhook`: the address of the server's first endpoint of the kind `standard`, for clients
// that know only that one.
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { managedServer } from '../servers/index.ts'
import { findDeliveries } from './delivery-log.store.ts'
import {
  addEndpoint,
  changeEndpoint,
  type EndpointDeps,
  PREVIOUS_SECRET_HOURS,
  redeliver,
  replaceSecret,
  sendTest,
} from './endpoint.service.ts'
import { findWebhook, requireWebhook, SENDS_PER_MINUTE, sendLimit, viewEndpoint } from './endpoint-access.ts'
import { lockEndpointsForKeyShare } from './endpoints.store.ts'
import { deleteWithDeliveries } from './ownership-transfer.service.ts'
import {
  DeliveriesQuery,
  DeliveryParams,
  RotatedWebhook,
  SetWebhook,
  SetWebhookResult,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoint,
} from './webhooks.schema.ts'

const path = '/servers/{id}/webhook'
const common = { tag: 'Webhooks', access: 'user', scope: 'endpoints' } as const

export function webhookOperations(deps: EndpointDeps) {
  const { secretCipher } = deps
  return [
    operation({
      ...common,
      method: 'put',
      path,
      operationId: 'setWebhook',
      summary: 'Set the URL that events of a server are posted to',
      description:
        'The first time, the reply has the secret that signs deliveries by Standard Webhooks. Setting the webhook again keeps the ' +
        'secret, and enables a disabled webhook. It is the first of the server’s endpoints of the kind `standard`.',
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'webhook.set' }),
      body: SetWebhook,
      returns: SetWebhookResult,
      codes: ['too_many_endpoints'],
      async handle({ tx, server: { id: serverId }, body: { url, events } }) {
        const before = await findWebhook(tx, serverId)
        let secret: string | undefined
        if (before) await changeEndpoint(tx, deps, before, { url, events })
        // The server's id, by which processes of the previous release know it.
        else ({ secret } = await addEndpoint(tx, deps, { id: serverId, serverId, kind: 'standard' }, { url, events }))
        const endpoint = viewEndpoint(secretCipher, await requireWebhook(tx, serverId), { showsWholeUrl: true })
        return new Audited({ ...endpoint, secret }, { host: new URL(url).host, events })
      },
    }),
    operation({
      ...common,
      method: 'get',
      path,
      operationId: 'getWebhook',
      summary: 'Get a server’s webhook, without its secret',
      resource: managedServer({ right: 'edit' }),
      returns: WebhookEndpoint,
      handle: async ({ db, server }) =>
        viewEndpoint(secretCipher, await requireWebhook(db, server.id), { showsWholeUrl: server.isOwner }),
    }),
    operation({
      ...common,
      method: 'delete',
      path,
      operationId: 'deleteWebhook',
      summary: 'Delete a server’s webhook and cancel its pending deliveries',
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'webhook.delete' }),
      returns: Success,
      async handle({ tx, server }) {
        const { id } = await requireWebhook(tx, server.id)
        await deleteWithDeliveries(tx, [id])
        return SUCCESS
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: `${path}/rotate-secret`,
      operationId: 'rotateWebhookSecret',
      summary: `Replace the secret of a server’s webhook; the previous one also signs for ${PREVIOUS_SECRET_HOURS} hours`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'webhook.rotate-secret' }),
      returns: RotatedWebhook,
      async handle({ tx, server }) {
        const secret = await replaceSecret(tx, deps, await requireWebhook(tx, server.id))
        return {
          ...viewEndpoint(secretCipher, await requireWebhook(tx, server.id), { showsWholeUrl: server.isOwner }),
          secret,
        }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: `${path}/test`,
      operationId: 'testWebhook',
      summary: 'Send a `webhook.test` event to a server’s webhook',
      description: `The reply does not wait for the delivery. At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'webhook.test' }),
      limit: sendLimit,
      returns: WebhookDelivery,
      codes: ['webhook_disabled'],
      async handle({ tx, server }) {
        await lockEndpointsForKeyShare(tx, server.id)
        return sendTest(tx, deps, server, await requireWebhook(tx, server.id))
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: `${path}/deliveries`,
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries of a server’s webhook and their attempts, newest first; kept for 30 days',
      resource: managedServer({ right: 'edit' }),
      query: DeliveriesQuery,
      returns: WebhookDeliveries,
      handle: async ({ db, server, query }) => findDeliveries(db, await requireWebhook(db, server.id), query),
    }),
    operation({
      ...common,
      method: 'post',
      path: `${path}/deliveries/{deliveryId}/redeliver`,
      operationId: 'redeliverWebhook',
      summary: 'Send a delivery again, with the same id',
      description: `At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'webhook.redeliver' }),
      params: DeliveryParams,
      limit: sendLimit,
      returns: WebhookDelivery,
      codes: ['webhook_disabled'],
      async handle({ tx, server, params: { deliveryId } }) {
        await lockEndpointsForKeyShare(tx, server.id)
        const endpoint = await requireWebhook(tx, server.id)
        return new Audited(await redeliver(tx, deps, endpoint, deliveryId), { deliveryId })
      },
    }),
  ]
}
