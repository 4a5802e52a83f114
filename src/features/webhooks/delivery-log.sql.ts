// Statements over deliveries as their owners see them: those since the endpoint was made, so that nobody reads a former owner's.
import type { Db } from '../../platform/db/pool.ts'

export interface DeliveryRow {
  id: string
  type: string
  status: 'pending' | 'delivered' | 'dead' | 'canceled'
  attempts: number
  body: string
  createdAt: Date
  dueAt: Date | null
  settledAt: Date | null
}

const DELIVERY = `id, type, status, attempts, body, created_at as "createdAt", due_at as "dueAt", settled_at as "settledAt"`

export interface DeliveryFilter {
  serverId: string
  since: Date
  status: string | undefined
}

const MATCHES = `server_id = $1 and created_at >= $2 and ($3::text is null or status = $3)`

const valuesOf = ({ serverId, since, status }: DeliveryFilter) => [serverId, since, status]

/** Newest first. */
export async function findDeliveries(
  db: Db,
  filter: DeliveryFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>(
    `select ${DELIVERY} from webhook_deliveries where ${MATCHES} order by number desc limit $4 offset $5`,
    [...valuesOf(filter), limit, offset],
  )
  return rows
}

export async function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) from webhook_deliveries where ${MATCHES}`,
    valuesOf(filter),
  )
  return rows[0]?.count ?? 0
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  const { rows } = await db.query<DeliveryRow>(`select ${DELIVERY} from webhook_deliveries where id = $1`, [id])
  return rows[0]
}

/** Has a delivery sent again at once, however it stands. @returns undefined when the endpoint has no such delivery */
export async function makeDueAgain(
  db: Db,
  { id, serverId, since }: { id: string; serverId: string; since: Date },
): Promise<DeliveryRow | undefined> {
  const { rows } = await db.query<DeliveryRow>(
    `update webhook_deliveries set status = 'pending', due_at = now(), settled_at = null
     where id = $1 and server_id = $2 and created_at >= $3
     returning ${DELIVERY}`,
    [id, serverId, since],
  )
  return rows[0]
}

export interface AttemptRow {
  deliveryId: string
  number: number
  at: Date
  status: number | null
  latencyMs: number
  error: string | null
  response: string
}

/** The last attempts at each, in their order. */
export async function findAttempts(db: Db, deliveryIds: string[], perDelivery: number): Promise<AttemptRow[]> {
  const { rows } = await db.query<AttemptRow>(
    `select attempt.*
     from unnest($1::uuid[]) as wanted (id)
     cross join lateral (
       select delivery_id as "deliveryId", number, attempted_at as at, status, latency_ms as "latencyMs", error, response
       from webhook_attempts where delivery_id = wanted.id
       order by number desc
       limit $2
     ) as attempt
     order by number`,
    [deliveryIds, perDelivery],
  )
  return rows
}
