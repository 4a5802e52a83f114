// Upkeep of webhooks. SQL: batches, the database's clock, and comparisons in the statement that writes.
import type { EncryptedRow, EncryptedRows } from '../../platform/config/reencrypt.ts'
import type { Db } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'
import { KIND_NAMES } from './kinds/index.ts'

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

export async function erasePreviousSecrets(db: Db): Promise<void> {
  await db.query(
    `update endpoints set previous_secret = null, previous_secret_until = null where previous_secret_until <= now()`,
  )
}

/** The current and the previous secret of each endpoint. */
export const encryptedSecrets = (db: Db): EncryptedRows => ({
  async findAfter(id, limit) {
    const { rows } = await db.query<EncryptedRow>(
      `select id, array[secret, previous_secret] as encrypted from endpoints where id > $1 order by id limit $2`,
      [id, limit],
    )
    return rows
  },
  async replace(before, after) {
    await db.query(
      `update endpoints set secret = $4, previous_secret = $5
       where id = $1 and secret is not distinct from $2 and previous_secret is not distinct from $3`,
      [before.id, ...before.encrypted, ...after.encrypted],
    )
  },
})

/** Enabled endpoints without a lease that have had a due delivery for `seconds`. */
export async function findOverdue(
  db: Db,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ id: string; isSlow: boolean }[]> {
  const { rows } = await db.query<{ id: string; isSlow: boolean }>(
    `select id, is_slow as "isSlow"
     from endpoints
     where kind = any($3) and disabled_at is null and (leased_until is null or leased_until < now()) and not ${IS_OWNER_BANNED}
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

export const encryptedUrls = (db: Db): EncryptedRows => ({
  async findAfter(id, limit) {
    const { rows } = await db.query<EncryptedRow>(
      `select id, array[url] as encrypted from endpoints where id > $1 and url !~ '^https?:' order by id limit $2`,
      [id, limit],
    )
    return rows
  },
  replace: (before, after) => replaceUrl(db, before.id, String(before.encrypted[0]), String(after.encrypted[0])),
})

/** URLs that a version before 0.2 stored in clear. */
export async function findClearUrls(db: Db, limit: number): Promise<{ id: string; url: string }[]> {
  const { rows } = await db.query<{ id: string; url: string }>(
    `select id, url from endpoints where url ~ '^https?:' order by id limit $1`,
    [limit],
  )
  return rows
}

/** Does nothing if the owner has set another URL since. */
export async function replaceUrl(db: Db, id: string, before: string, after: string): Promise<void> {
  await db.query('update endpoints set url = $3 where id = $1 and url = $2', [id, before, after])
}
