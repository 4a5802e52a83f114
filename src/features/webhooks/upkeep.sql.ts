// Upkeep of webhooks. SQL: batches, the database's clock, and comparisons in the statement that writes.
import type { Db } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'
import { KIND_NAMES } from './kinds/index.ts'
import { IS_PAUSED } from './leases.sql.ts'

/** Deletes deliveries with their attempts. @returns how many; fewer than `limit` if there are no more */
export async function deleteOldDeliveries(db: Db, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { rowCount } = await db.query(
    `delete from endpoint_deliveries
     where id in (
       select id from endpoint_deliveries
       -- the first condition uses the index
       where created_at < now() - make_interval(days => $1) and settled_at < now() - make_interval(days => $1)
       order by created_at
       limit $2
       for update skip locked
     )`,
    [days, limit],
  )
  return rowCount ?? 0
}

/** Endpoints that nothing can reach: earlier releases removed servers without them. */
export async function findEndpointsOfRemovedServers(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select endpoints.id from endpoints join servers on servers.id = server_id where deleted_at is not null',
  )
  return rows.map(({ id }) => id)
}

export async function deleteOldPauses(db: Db): Promise<void> {
  await db.query(`delete from discord_pauses where until < now() - interval '1 hour'`)
}

export async function erasePreviousSecrets(db: Db): Promise<void> {
  await db.query(
    `update endpoints set previous_secret = null, previous_secret_until = null where previous_secret_until <= now()`,
  )
}

/** Endpoints that `leaseEndpoints` would lease, and that have had a due delivery for `seconds`. */
export async function findOverdue(
  db: Db,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ id: string; isSlow: boolean }[]> {
  const { rows } = await db.query<{ id: string; isSlow: boolean }>(
    `select id, is_slow as "isSlow"
     from endpoints
     where kind = any($3) and disabled_at is null and (leased_until is null or leased_until < now())
       and not ${IS_OWNER_BANNED} and not ${IS_PAUSED}
       and exists (
         select from endpoint_deliveries as delivery
         where delivery.endpoint_id = endpoints.id and status = 'pending'
           and due_at < now() - make_interval(secs => $1)
       )
     limit $2`,
    [seconds, limit, KIND_NAMES],
  )
  return rows
}
