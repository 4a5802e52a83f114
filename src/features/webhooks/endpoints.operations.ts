// The operations of a server's endpoints.
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { managedServer } from '../servers/index.ts'
import { findDeliveries } from './delivery-log.store.ts'
import {
  addEndpoint,
  changeEndpoint,
  createEndpointDeps,
  type EndpointDeps,
  type EndpointFields,
  MAX_ENDPOINTS,
  PREVIOUS_SECRET_HOURS,
  redeliver,
  replaceSecret,
  sendTest,
} from './endpoint.service.ts'
import { requireEndpoint, SENDS_PER_MINUTE, sendLimit, viewEndpoint } from './endpoint-access.ts'
import { findEndpoints, lockEndpointsForKeyShare } from './endpoints.store.ts'
import type { KindName } from './kinds/index.ts'
import { deleteWithDeliveries } from './ownership-transfer.service.ts'
import { webhookOperations } from './webhook.operations.ts'
import {
  AddEndpoint,
  AddedEndpoint,
  ChangeEndpoint,
  DeliveriesQuery,
  DeliveryParams,
  EndpointParams,
  EndpointReply,
  Endpoints,
  RotatedEndpoint,
  WebhookDeliveries,
  WebhookDelivery,
} from './webhooks.schema.ts'

const list = '/servers/{id}/endpoints'
const one = `${list}/{endpointId}` as const
const common = { tag: 'Webhooks', access: 'user', scope: 'endpoints' } as const

export function endpointsOperations(deps: Pick<Deps, 'jobs' | 'clock' | 'settings'>) {
  const endpointDeps = createEndpointDeps(deps)
  return [
    ...webhookOperations(endpointDeps),
    ...listOperations(endpointDeps),
    ...oneEndpointOperations(endpointDeps),
    ...deliveryOperations(endpointDeps),
  ]
}

function listOperations(deps: EndpointDeps) {
  const { secretCipher } = deps
  return [
    operation({
      ...common,
      method: 'get',
      path: list,
      operationId: 'listEndpoints',
      summary: 'List the endpoints that events of a server are sent to, oldest first',
      resource: managedServer({ right: 'edit' }),
      returns: Endpoints,
      async handle({ db, server }) {
        const endpoints = await findEndpoints(db, server.id)
        return {
          endpoints: endpoints.map((each) => viewEndpoint(secretCipher, each, { showsWholeUrl: server.isOwner })),
        }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: list,
      operationId: 'addEndpoint',
      summary: 'Add an endpoint that events of a server are sent to',
      description: `At most ${MAX_ENDPOINTS}. The reply for the kind \`standard\` has the secret that signs its deliveries.`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'endpoint.add' }),
      body: AddEndpoint,
      returns: AddedEndpoint,
      status: 201,
      codes: ['too_many_endpoints'],
      async handle({ tx, server, body }) {
        const { kind, ...fields } = body as { kind: KindName } & EndpointFields
        const added = await addEndpoint(tx, deps, { serverId: server.id, kind }, fields)
        const endpoint = viewEndpoint(secretCipher, await requireEndpoint(tx, server.id, added.id), {
          showsWholeUrl: true,
        })
        return new Audited(
          { ...endpoint, secret: added.secret },
          { endpointId: added.id, kind, host: new URL(added.url).host, events: added.events },
        )
      },
    }),
  ]
}

function oneEndpointOperations(deps: EndpointDeps) {
  const { secretCipher } = deps
  return [
    operation({
      ...common,
      method: 'patch',
      path: one,
      operationId: 'changeEndpoint',
      summary: 'Change an endpoint, and enable it if it is disabled',
      description:
        'Fields that are not given keep their value, and so does the secret that signs deliveries. The kind can’t change.',
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'endpoint.change' }),
      params: EndpointParams,
      body: ChangeEndpoint,
      returns: EndpointReply,
      async handle({ tx, server, params: { endpointId }, body }) {
        const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
        await changeEndpoint(tx, deps, await requireEndpoint(tx, server.id, endpointId), fields)
        const endpoint = viewEndpoint(secretCipher, await requireEndpoint(tx, server.id, endpointId), {
          showsWholeUrl: server.isOwner,
        })
        return new Audited(endpoint, { endpointId, fields: Object.keys(fields) })
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: one,
      operationId: 'getEndpoint',
      summary: 'Get an endpoint, without its secret',
      resource: managedServer({ right: 'edit' }),
      params: EndpointParams,
      returns: EndpointReply,
      handle: async ({ db, server, params: { endpointId } }) =>
        viewEndpoint(secretCipher, await requireEndpoint(db, server.id, endpointId), { showsWholeUrl: server.isOwner }),
    }),
    operation({
      ...common,
      method: 'delete',
      path: one,
      operationId: 'deleteEndpoint',
      summary: 'Delete an endpoint and cancel its pending deliveries',
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'endpoint.delete' }),
      params: EndpointParams,
      returns: Success,
      async handle({ tx, server, params: { endpointId } }) {
        const { id } = await requireEndpoint(tx, server.id, endpointId)
        await deleteWithDeliveries(tx, [id])
        return SUCCESS
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: `${one}/rotate-secret`,
      operationId: 'rotateEndpointSecret',
      summary: `Replace the secret of an endpoint; the previous one also signs for ${PREVIOUS_SECRET_HOURS} hours`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'endpoint.rotate-secret' }),
      params: EndpointParams,
      returns: RotatedEndpoint,
      codes: ['secret_not_generated'],
      async handle({ tx, server, params: { endpointId } }) {
        const secret = await replaceSecret(tx, deps, await requireEndpoint(tx, server.id, endpointId))
        const endpoint = viewEndpoint(secretCipher, await requireEndpoint(tx, server.id, endpointId), {
          showsWholeUrl: server.isOwner,
        })
        return { ...endpoint, kind: 'standard' as const, secret } // no other kind has such a secret
      },
    }),
  ]
}

function deliveryOperations(deps: EndpointDeps) {
  return [
    operation({
      ...common,
      method: 'post',
      path: `${one}/test`,
      operationId: 'testEndpoint',
      summary: 'Send a `webhook.test` event to an endpoint',
      description: `The reply does not wait for the delivery. At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'endpoint.test' }),
      params: EndpointParams,
      limit: sendLimit,
      returns: WebhookDelivery,
      codes: ['webhook_disabled', 'no_events'],
      async handle({ tx, server, params: { endpointId } }) {
        await lockEndpointsForKeyShare(tx, server.id)
        return sendTest(tx, deps, server, await requireEndpoint(tx, server.id, endpointId))
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: `${one}/deliveries`,
      operationId: 'listEndpointDeliveries',
      summary: 'List deliveries of an endpoint and their attempts, newest first; kept for 30 days',
      resource: managedServer({ right: 'edit' }),
      params: EndpointParams,
      query: DeliveriesQuery,
      returns: WebhookDeliveries,
      handle: async ({ db, server, params: { endpointId }, query }) =>
        findDeliveries(db, await requireEndpoint(db, server.id, endpointId), query),
    }),
    operation({
      ...common,
      method: 'post',
      path: `${one}/deliveries/{deliveryId}/redeliver`,
      operationId: 'redeliver',
      summary: 'Send a delivery again, with the same id',
      description: `At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'endpoint.redeliver' }),
      params: EndpointParams.extend(DeliveryParams.shape),
      limit: sendLimit,
      returns: WebhookDelivery,
      codes: ['webhook_disabled'],
      async handle({ tx, server, params: { endpointId, deliveryId } }) {
        await lockEndpointsForKeyShare(tx, server.id)
        const endpoint = await requireEndpoint(tx, server.id, endpointId)
        return new Audited(await redeliver(tx, deps, endpoint, deliveryId), { deliveryId })
      },
    }),
  ]
}
