// What became of deliveries, for the owner to look at, and having one sent again.
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { requireManaged } from '../servers/index.ts'
import {
  type AttemptRow,
  countDeliveries,
  type DeliveryRow,
  findAttempts,
  findDeliveries,
  findDelivery,
  makeDueAgain,
} from './delivery-log.sql.ts'
import { findEndpoint, holdEndpoint } from './endpoints.sql.ts'
import { managing, requireActive, required, takeSend } from './managing.ts'
import { webhookWake } from './webhooks.jobs.ts'
import type { DeliveriesQuery, WebhookDeliveries, WebhookDelivery } from './webhooks.schema.ts'

/** Attempts shown of each: a delivery has ten of its own, and one or more for each time it was sent again. */
const SHOWN_ATTEMPTS = 20

export type ShownDelivery = z.input<typeof WebhookDelivery>

/** Everything here throws ApiError 404 for an unknown server or without an endpoint, and 403 for another's server. */
export interface DeliveryLogService {
  /** Those since the endpoint was made, newest first. */
  list(actor: Actor, serverId: string, query: DeliveriesQuery): Promise<z.input<typeof WebhookDeliveries>>
  /**
   * The same delivery, with its id and body, is due at once, however it stands.
   * @throws ApiError 404 for an unknown delivery; 400 `webhook_disabled`; 429 after 20 sends in a minute
   */
  redeliver(actor: Actor, serverId: string, deliveryId: string): Promise<ShownDelivery>
}

export interface DeliveryLogOptions extends Pick<Deps, 'pool' | 'jobs'> {
  limits: Pick<Limits, 'take'>
}

export function createDeliveryLogService({ pool, jobs, limits }: DeliveryLogOptions): DeliveryLogService {
  return {
    async list(actor, serverId, { page, limit, status }) {
      await requireManaged(pool, actor, serverId)
      const { createdAt } = required(await findEndpoint(pool, serverId))
      const filter = { serverId, since: createdAt, status }
      const total = await countDeliveries(pool, filter)
      const rows = await findDeliveries(pool, filter, { limit, offset: offsetOf({ page, limit }) })
      return { deliveries: await withLogs(pool, rows), pagination: paginationOf({ page, limit }, total) }
    },

    async redeliver(actor, serverId, deliveryId) {
      await requireManaged(pool, actor, serverId)
      await takeSend(limits, actor)
      return managing(pool, actor, serverId, 'webhook.redeliver', async (tx) => {
        const { createdAt } = requireActive(await holdEndpoint(tx, serverId))
        const wanted = { id: deliveryId, serverId, since: createdAt }
        const row = isUuid(deliveryId) ? await makeDueAgain(tx, wanted) : undefined
        if (!row) throw notFound('There is no such delivery.')
        await jobs.enqueue(tx, webhookWake, [{ serverId }])
        const attempts = await findAttempts(tx, [row.id], SHOWN_ATTEMPTS)
        return { result: toDelivery(row, attempts), details: { deliveryId } }
      })
    },
  }
}

/** One that was just queued, so that there were no attempts yet. @throws Error when there is none */
export async function shownDelivery(db: Db, id: string): Promise<ShownDelivery> {
  const row = await findDelivery(db, id)
  if (!row) throw new Error('a delivery that was just queued is gone')
  return toDelivery(row, [])
}

async function withLogs(db: Db, rows: DeliveryRow[]): Promise<ShownDelivery[]> {
  if (!rows.length) return []
  const ids = rows.map(({ id }) => id)
  const attempts = Map.groupBy(await findAttempts(db, ids, SHOWN_ATTEMPTS), ({ deliveryId }) => deliveryId)
  return rows.map((row) => toDelivery(row, attempts.get(row.id) ?? []))
}

function toDelivery(row: DeliveryRow, attempts: AttemptRow[]): ShownDelivery {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.dueAt?.toISOString() ?? null,
    settledAt: row.settledAt?.toISOString() ?? null,
    payload: JSON.parse(row.body) as Record<string, unknown>,
    log: attempts.map(({ number, at, status, latencyMs, error, response }) => ({
      number,
      at: at.toISOString(),
      status,
      latencyMs,
      error,
      response,
    })),
  }
}
