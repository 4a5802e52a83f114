// The operations of one endpoint, by both of its addresses: `/servers/{id}/endpoints/{endpointId}`, and `/servers/{id}/webhook` for the
// server's first endpoint of the kind `standard`.
import { randomBytes } from 'node:crypto'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { managedServer } from '../servers/index.ts'
import { queueDeliveries } from './deliveries.service.ts'
import { findDeliveries, findDelivery, makeDueAgain } from './delivery-log.store.ts'
import { assertActive, SENDS_PER_MINUTE, sendLimit, viewEndpoint } from './endpoint-access.ts'
import { type Endpoint, lockEndpointsForKeyShare, rotateSecret } from './endpoints.store.ts'
import { kindOf } from './kinds/index.ts'
import { enqueueWake } from './leases.service.ts'
import { drop } from './ownership-transfer.service.ts'
import {
  DeliveriesQuery,
  DeliveryParams,
  noSuchDelivery,
  WebhookDeliveries,
  WebhookDelivery,
} from './webhooks.schema.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
const PREVIOUS_SECRET_HOURS = 24

export const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export interface EndpointAddress {
  path: `/servers/{id}/${string}`
  /** Of the path, besides the server's. */
  params: z.ZodObject
  operationIds: Record<'get' | 'delete' | 'rotate' | 'test' | 'deliveries' | 'redeliver', string>
  /** What the audit log calls it. */
  audit: 'webhook' | 'endpoint'
  /** What summaries call it. */
  noun: string
  returns: z.ZodType
  rotated: z.ZodType
  /** @throws ApiError 404 */
  find(db: Db, serverId: string, params: Record<string, unknown>): Promise<Endpoint>
}

export function endpointOperations(
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  secretCipher: SecretCipher,
  { path, params, operationIds, audit, noun, returns, rotated, find }: EndpointAddress,
) {
  const common = { tag: 'Webhooks', access: 'user', path, params } as const

  return [
    operation({
      ...common,
      method: 'get',
      operationId: operationIds.get,
      summary: `Get ${noun}, without its secret`,
      resource: managedServer(),
      returns,
      handle: async ({ db, server, params }) =>
        viewEndpoint(secretCipher, await find(db, server.id, params), server.isOwner),
    }),
    operation({
      ...common,
      method: 'delete',
      operationId: operationIds.delete,
      summary: `Delete ${noun} and cancel its pending deliveries`,
      resource: managedServer({ lock: 'update', audit: `${audit}.delete` }),
      returns: Success,
      async handle({ tx, server, params }) {
        const { id } = await find(tx, server.id, params)
        await drop(tx, [id])
        return DONE
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: `${path}/rotate-secret`,
      operationId: operationIds.rotate,
      summary: `Replace the secret of ${noun}; the previous one also signs for ${PREVIOUS_SECRET_HOURS} hours`,
      resource: managedServer({ lock: 'update', audit: `${audit}.rotate-secret` }),
      returns: rotated,
      codes: audit === 'endpoint' ? ['secret_not_generated'] : [],
      async handle({ tx, server, params }) {
        const { id, kind } = await find(tx, server.id, params)
        if (kindOf(kind).secret !== 'generated')
          throw new ApiError(
            400,
            'secret_not_generated',
            'This endpoint’s secret comes from the other side: change it there, then set it here.',
          )
        const secret = newSecret()
        const encrypted = secretCipher.encrypt('webhook', secret)
        await rotateSecret(tx, { id, secret: encrypted, hours: PREVIOUS_SECRET_HOURS })
        const endpoint = viewEndpoint(secretCipher, await find(tx, server.id, params), server.isOwner)
        return { ...endpoint, secret }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: `${path}/test`,
      operationId: operationIds.test,
      summary: `Send a \`webhook.test\` event to ${noun}`,
      description: `The reply does not wait for the delivery. At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
      resource: managedServer({ lock: 'update', audit: `${audit}.test` }),
      limit: sendLimit,
      returns: WebhookDelivery,
      codes: ['webhook_disabled'],
      async handle({ tx, server: { id: serverId, name: serverName }, params }) {
        const { id: endpointId } = await findActive(tx, serverId, params)
        const at = new Date(clock())
        const data = { serverId, serverName, message: 'This is a test: your webhook works.' }
        const [queued] = await queueDeliveries(tx, jobs, [{ serverId, type: 'webhook.test', at, data, endpointId }])
        if (!queued) throw new Error('a locked, active endpoint got no delivery')
        return findDelivery(tx, queued.id)
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: `${path}/deliveries`,
      operationId: operationIds.deliveries,
      summary: `List deliveries of ${noun} and their attempts, newest first; kept for 30 days`,
      resource: managedServer(),
      query: DeliveriesQuery,
      returns: WebhookDeliveries,
      handle: async ({ db, server, params, query }) => findDeliveries(db, await find(db, server.id, params), query),
    }),
    operation({
      ...common,
      method: 'post',
      path: `${path}/deliveries/{deliveryId}/redeliver`,
      operationId: operationIds.redeliver,
      summary: 'Send a delivery again, with the same id',
      description: `At most ${SENDS_PER_MINUTE} tests and redeliveries a minute.`,
      resource: managedServer({ lock: 'update', audit: `${audit}.redeliver` }),
      params: params.extend(DeliveryParams.shape),
      limit: sendLimit,
      returns: WebhookDelivery,
      codes: ['webhook_disabled'],
      async handle({ tx, server, params }) {
        const deliveryId = String(params.deliveryId)
        const { id: endpointId, createdAt } = await findActive(tx, server.id, params)
        if (!(await makeDueAgain(tx, { id: deliveryId, endpointId, since: createdAt }))) throw notFound(noSuchDelivery)
        await enqueueWake({ jobs }, tx, [endpointId])
        return new Audited(await findDelivery(tx, deliveryId), { deliveryId })
      },
    }),
  ]

  /** Prevents disabling and deleting the endpoint until the transaction ends. */
  async function findActive(tx: Db, serverId: string, params: Record<string, unknown>): Promise<Endpoint> {
    await lockEndpointsForKeyShare(tx, serverId)
    const endpoint = await find(tx, serverId, params)
    assertActive(endpoint)
    return endpoint
  }
}
