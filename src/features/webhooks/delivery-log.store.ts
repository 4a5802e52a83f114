// Deliveries as owners see them. Queries start at the endpoint's creation: one that was
// set by `setWebhook` has its server's id, as that of a former owner had.
import type * as z from 'zod'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import { paginate } from '../../platform/http/paging.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { Endpoint } from './endpoints.store.ts'
import type { DeliveriesQuery, DeliveryStatus, WebhookDelivery } from './webhooks.schema.ts'

/** Attempts shown of each delivery: it has ten of its own, and at least one for each redelivery. */
const SHOWN_ATTEMPTS = 20

const DELIVERY = {
  id: true,
  type: true,
  status: true,
  attempts: true,
  body: true,
  createdAt: true,
  dueAt: true,
  settledAt: true,
} as const
type Attempt = z.output<typeof WebhookDelivery>['log'][number]
type DeliveryRow = Prisma.EndpointDeliveryGetPayload<{ select: typeof DELIVERY }>

/** A page, newest first. */
export function findDeliveries(
  db: Db,
  endpoint: Pick<Endpoint, 'id' | 'createdAt'>,
  { status, ...page }: z.output<typeof DeliveriesQuery>,
) {
  const { id: endpointId, createdAt } = endpoint
  const where = { endpointId, createdAt: { gte: createdAt }, ...withoutUndefined({ status }) }
  return paginate('deliveries', page, {
    count: () => db.prisma.endpointDelivery.count({ where }),
    async find({ limit: take, offset: skip }) {
      const orderBy = { number: 'desc' } as const
      const rows = await db.prisma.endpointDelivery.findMany({ where, select: DELIVERY, orderBy, take, skip })
      return withAttempts(db, rows)
    },
  })
}

/** @throws Error if there is no such delivery */
export async function findDelivery(db: Db, id: string) {
  const row = await db.prisma.endpointDelivery.findUniqueOrThrow({ where: { id }, select: DELIVERY })
  const [delivery] = await withAttempts(db, [row])
  if (!delivery) throw new Error('a delivery was lost while its attempts were added')
  return delivery
}

async function withAttempts(db: Db, rows: DeliveryRow[]) {
  const ids = rows.map(({ id }) => id)
  const attempts = Map.groupBy(ids.length ? await findAttempts(db, ids) : [], ({ deliveryId }) => deliveryId)
  return rows.map(({ body, status, dueAt, ...delivery }) => ({
    ...delivery,
    status: status as DeliveryStatus,
    nextAttemptAt: dueAt,
    payload: JSON.parse(body) as Record<string, unknown>,
    log: (attempts.get(delivery.id) ?? []).map(({ deliveryId: _deliveryId, ...attempt }) => attempt),
  }))
}

/**
 * Makes a delivery of any status due now. SQL, because workers compare `due_at` with the database's clock.
 * @returns false if the endpoint has no such delivery
 */
export async function requeueDelivery(
  db: Db,
  { id, endpointId, since }: { id: string; endpointId: string; since: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update endpoint_deliveries set status = 'pending', due_at = now(), settled_at = null
     where id = $1 and endpoint_id = $2 and created_at >= $3`,
    [id, endpointId, since],
  )
  return rowCount === 1
}

/**
 * The last attempts of each delivery, ascending. SQL, because a model would load all attempts to cut them afterwards.
 */
async function findAttempts(db: Db, deliveryIds: string[]) {
  const { rows } = await db.query<Attempt & { deliveryId: string }>(
    `select attempt.*
     from unnest($1::uuid[]) as wanted (id)
     cross join lateral (
       select delivery_id as "deliveryId", number, attempted_at as at, status, latency_ms as "latencyMs", error, response
       from endpoint_attempts where delivery_id = wanted.id
       order by number desc
       limit $2
     ) as attempt
     order by number`,
    [deliveryIds, SHOWN_ATTEMPTS],
  )
  return rows
}
