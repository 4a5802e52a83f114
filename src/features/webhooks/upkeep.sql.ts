// Statements of the upkeep: what is past its time, and what was forgotten.
import type { Db } from '../../platform/db/pool.ts'

/** With their attempts. @returns how many went; fewer than `limit` when no more are there */
export async function deleteOldDeliveries(db: Db, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { rowCount } = await db.query(
    `delete from webhook_deliveries
     where id in (
       select id from webhook_deliveries
       -- the first condition is what the index finds
       where created_at < now() - make_interval(days => $1) and settled_at < now() - make_interval(days => $1)
       order by created_at
       limit $2
       for update skip locked
     )`,
    [days, limit],
  )
  return rowCount ?? 0
}

export async function erasePreviousSecrets(db: Db): Promise<void> {
  await db.query(
    `update webhook_endpoints set previous_secret = null, previous_secret_until = null where previous_secret_until <= now()`,
  )
}

export interface SealedSecrets {
  serverId: string
  secret: string
  previousSecret: string | null
}

/** In the order of the servers' ids, after the given one. */
export async function findSecrets(db: Db, afterServerId: string, limit: number): Promise<SealedSecrets[]> {
  const { rows } = await db.query<SealedSecrets>(
    `select server_id as "serverId", secret, previous_secret as "previousSecret"
     from webhook_endpoints where server_id > $1 order by server_id limit $2`,
    [afterServerId, limit],
  )
  return rows
}

/** Only while they are what they were: an owner may have made others meanwhile. */
export async function replaceSecrets(db: Db, before: SealedSecrets, after: SealedSecrets): Promise<void> {
  await db.query(
    `update webhook_endpoints set secret = $4, previous_secret = $5
     where server_id = $1 and secret = $2 and previous_secret is not distinct from $3`,
    [before.serverId, before.secret, before.previousSecret, after.secret, after.previousSecret],
  )
}

/** Servers with an enabled endpoint that nobody holds, whose deliveries have been due for so long. */
export async function findForgotten(
  db: Db,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ serverId: string; isSlow: boolean }[]> {
  const { rows } = await db.query<{ serverId: string; isSlow: boolean }>(
    `select server_id as "serverId", is_slow as "isSlow"
     from webhook_endpoints as endpoint
     where disabled_at is null and (leased_until is null or leased_until < now())
       and exists (
         select from webhook_deliveries as delivery
         where delivery.server_id = endpoint.server_id and status = 'pending'
           and due_at < now() - make_interval(secs => $1)
       )
     limit $2`,
    [seconds, limit],
  )
  return rows
}
