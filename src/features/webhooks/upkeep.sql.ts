// Upkeep of webhooks. SQL: batches, the database's clock, and comparisons in the statement that writes.
import type { EncryptedRow, EncryptedRows } from '../../platform/config/reencrypt.ts'
import type { Db } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'

/** Deletes deliveries with their attempts. @returns how many; fewer than `limit` if there are no more */
export async function deleteOldDeliveries(db: Db, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { rowCount } = await db.query(
    `delete from webhook_deliveries
     where id in (
       select id from webhook_deliveries
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

export async function erasePreviousSecrets(db: Db): Promise<void> {
  await db.query(
    `update webhook_endpoints set previous_secret = null, previous_secret_until = null where previous_secret_until <= now()`,
  )
}

/** The current and the previous secret of each endpoint. */
export const encryptedSecrets = (db: Db): EncryptedRows => ({
  async findAfter(id, limit) {
    const { rows } = await db.query<EncryptedRow>(
      `select server_id as id, array[secret, previous_secret] as encrypted
       from webhook_endpoints where server_id > $1 order by server_id limit $2`,
      [id, limit],
    )
    return rows
  },
  async replace(before, after) {
    await db.query(
      `update webhook_endpoints set secret = $4, previous_secret = $5
       where server_id = $1 and secret = $2 and previous_secret is not distinct from $3`,
      [before.id, ...before.encrypted, ...after.encrypted],
    )
  },
})

/** Servers with an enabled endpoint without a lease, and with a delivery that has been due for `seconds`. */
export async function findOverdue(
  db: Db,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ serverId: string; isSlow: boolean }[]> {
  const { rows } = await db.query<{ serverId: string; isSlow: boolean }>(
    `select server_id as "serverId", is_slow as "isSlow"
     from webhook_endpoints
     where disabled_at is null and (leased_until is null or leased_until < now()) and not ${IS_OWNER_BANNED}
       and exists (
         select from webhook_deliveries as delivery
         where delivery.server_id = webhook_endpoints.server_id and status = 'pending'
           and due_at < now() - make_interval(secs => $1)
       )
     limit $2`,
    [seconds, limit],
  )
  return rows
}

export const encryptedUrls = (db: Db): EncryptedRows => ({
  async findAfter(id, limit) {
    const { rows } = await db.query<EncryptedRow>(
      `select server_id as id, array[url] as encrypted from webhook_endpoints
       where server_id > $1 and url !~ '^https?:' order by server_id limit $2`,
      [id, limit],
    )
    return rows
  },
  replace: (before, after) => replaceUrl(db, before.id, String(before.encrypted[0]), String(after.encrypted[0])),
})

/** URLs that a version before 0.2 stored in clear. */
export async function findClearUrls(db: Db, limit: number): Promise<{ serverId: string; url: string }[]> {
  const { rows } = await db.query<{ serverId: string; url: string }>(
    `select server_id as "serverId", url from webhook_endpoints where url ~ '^https?:' order by server_id limit $1`,
    [limit],
  )
  return rows
}

/** Does nothing if the owner has set another URL since. */
export async function replaceUrl(db: Db, serverId: string, before: string, after: string): Promise<void> {
  await db.query('update webhook_endpoints set url = $3 where server_id = $1 and url = $2', [serverId, before, after])
}
