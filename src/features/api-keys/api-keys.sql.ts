// SQL, because keys are looked up for each request by the database's clock, and sets of them are written in the order
// of their ids.
import type { Db, Sql } from '../../platform/db/pool.ts'
import type { Scope } from '../../platform/http/scopes.ts'
import type { Tier } from './tiers.ts'

interface PresentedKey {
  id: string
  userId: string
  secretHash: Uint8Array
  scopes: Scope[]
  tier: Tier
  /**
   * Whether it is active, and its owner not banned. All of this can change back, unlike a revocation.
   */
  isValid: boolean
  /** The database's time of this look-up. */
  usedAt: Date
  /** Whether the last stored use is a minute or more ago. */
  isUseDue: boolean
}

export interface KeyUse {
  keyId: string
  at: Date
}

/** @returns undefined if there is no such key or it is revoked */
export async function findPresentedKey(db: Sql, key: string): Promise<PresentedKey | undefined> {
  const { rows } = await db.query<PresentedKey>({
    name: 'api-keys-find-presented',
    text: `
      select api_keys.id, user_id as "userId", secret_hash as "secretHash", scopes, tier, now() as "usedAt",
        (is_active and banned_at is null) as "isValid",
        (last_used_at is null or last_used_at <= now() - interval '1 minute') as "isUseDue"
      from api_keys
      join users on users.id = user_id
      where key = $1 and revoked_at is null`,
    values: [key],
  })
  return rows[0]
}

/** Keeps a key from being revoked until the transaction ends. @returns whether it is not revoked yet */
export async function lockUnrevoked(db: Db, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from api_keys where id = $1 and revoked_at is null for share', [keyId])
  return rowCount === 1
}

/**
 * Revokes all keys of a user. Locks them in id order, as `updateLastUsed` does, to avoid deadlocks.
 * @returns how many there were
 */
export async function revokeKeysOf(db: Sql, userId: string): Promise<number> {
  const { rowCount } = await db.query(
    `with locked as (
       select id from api_keys where user_id = $1 and revoked_at is null order by id for no key update)
     update api_keys set revoked_at = now()
     from locked
     where api_keys.id = locked.id`,
    [userId],
  )
  return rowCount ?? 0
}

/**
 * Stores when keys were used, each at most once a minute across processes. Locks the rows in id order to avoid
 * deadlocks.
 */
export async function updateLastUsed(db: Sql, uses: KeyUse[]): Promise<void> {
  await db.query({
    name: 'api-keys-update-last-used',
    text: `
      with used as (
        select id, at
        from api_keys
        join unnest($1::uuid[], $2::timestamptz[]) as given (key_id, at) on key_id = id
        where last_used_at is null or last_used_at <= at - interval '1 minute'
        order by id
        for no key update of api_keys)
      update api_keys set last_used_at = used.at
      from used
      where api_keys.id = used.id`,
    values: [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at)],
  })
}
