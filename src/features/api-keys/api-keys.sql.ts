// Statements over API keys. A key's tier is its owner's, read with the key, so that all keys follow a change at once.
import type { Db } from '../../platform/db/pool.ts'
import type { Tier } from './tiers.ts'

export interface ApiKeyRow {
  id: string
  name: string
  key: string
  tier: Tier
  isActive: boolean
  lastUsedAt: Date | null
  createdAt: Date
}

export interface PresentedKey {
  id: string
  userId: string
  secretHash: Buffer
  tier: Tier
  /** Whether it is active and not expired, and its owner not banned: what can change, other than a revocation. */
  isLiving: boolean
  /** The database's time of this look-up. */
  usedAt: Date
  /** Whether the last use that was written down is a minute or more ago. */
  isUseDue: boolean
}

export interface KeyUse {
  keyId: string
  at: Date
}

const COLUMNS = `api_keys.id, api_keys.name, key, tier, is_active as "isActive", last_used_at as "lastUsedAt",
  api_keys.created_at as "createdAt"`

/** @returns undefined when there is no such key, or it is revoked */
export async function findPresentedKey(db: Db, key: string): Promise<PresentedKey | undefined> {
  const { rows } = await db.query<PresentedKey>({
    name: 'api-keys-find-presented',
    text: `
      select api_keys.id, user_id as "userId", secret_hash as "secretHash", tier, now() as "usedAt",
        (is_active and (expires_at is null or expires_at > now()) and banned_at is null) as "isLiving",
        (last_used_at is null or last_used_at <= now() - interval '1 minute') as "isUseDue"
      from api_keys
      join users on users.id = user_id
      where key = $1 and revoked_at is null`,
    values: [key],
  })
  return rows[0]
}

/** Newest first. */
export async function findKeysOf(db: Db, userId: string): Promise<ApiKeyRow[]> {
  const { rows } = await db.query<ApiKeyRow>({
    name: 'api-keys-find-of-user',
    text: `
      select ${COLUMNS}
      from api_keys
      join users on users.id = user_id
      where user_id = $1 and revoked_at is null
      order by api_keys.id desc`,
    values: [userId],
  })
  return rows
}

/**
 * Counts a user's keys, locking the user's row: of two transactions that count before they insert, the second sees the first's key.
 * @returns `kept`: not revoked; `createdToday`: of the last 24 hours, revoked ones included
 */
export async function countKeysForUpdate(db: Db, userId: string): Promise<{ kept: number; createdToday: number }> {
  await db.query({
    name: 'api-keys-lock-user',
    text: 'select from users where id = $1 for no key update',
    values: [userId],
  })
  const { rows } = await db.query<{ kept: number; createdToday: number }>({
    name: 'api-keys-count',
    text: `
      select count(*) filter (where revoked_at is null) as kept,
        count(*) filter (where created_at > now() - interval '24 hours') as "createdToday"
      from api_keys
      where user_id = $1`,
    values: [userId],
  })
  return rows[0] ?? { kept: 0, createdToday: 0 }
}

export async function insertKey(
  db: Db,
  key: { id: string; userId: string; name: string; key: string; secretHash: Buffer },
): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.query<ApiKeyRow>({
    name: 'api-keys-insert',
    text: `
      with added as (
        insert into api_keys (id, user_id, name, key, secret_hash) values ($1, $2, $3, $4, $5) returning *)
      select ${COLUMNS.replaceAll('api_keys.', 'added.')}
      from added
      join users on users.id = user_id`,
    values: [key.id, key.userId, key.name, key.key, key.secretHash],
  })
  return rows[0]
}

/** @returns undefined when the user has no such key, or revoked it */
export async function updateKey(
  db: Db,
  userId: string,
  id: string,
  changes: { name?: string | undefined; isActive?: boolean | undefined },
): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.query<ApiKeyRow>({
    name: 'api-keys-update',
    text: `
      update api_keys set name = coalesce($3, name), is_active = coalesce($4, is_active)
      from users
      where api_keys.id = $2 and user_id = $1 and revoked_at is null and users.id = user_id
      returning ${COLUMNS}`,
    values: [userId, id, changes.name, changes.isActive],
  })
  return rows[0]
}

/** The row stays: it tells for ever that this credential was given out. @returns whether there was such a key */
export async function revokeKey(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'api-keys-revoke',
    text: 'update api_keys set revoked_at = now() where id = $2 and user_id = $1 and revoked_at is null',
    values: [userId, id],
  })
  return rowCount === 1
}

/**
 * Revokes all keys of a user. They are locked in the order of their ids, as `updateLastUsed` does. @returns how many there were
 */
export async function revokeKeysOf(db: Db, userId: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'api-keys-revoke-of-user',
    text: `
      with held as (
        select id from api_keys where user_id = $1 and revoked_at is null order by id for no key update)
      update api_keys set revoked_at = now()
      from held
      where api_keys.id = held.id`,
    values: [userId],
  })
  return rowCount ?? 0
}

/**
 * Writes down when keys were used, each at most once a minute: what another process wrote a moment ago stays.
 * The rows are locked in the order of their ids, so that two processes can't wait for each other.
 */
export async function updateLastUsed(db: Db, uses: KeyUse[]): Promise<void> {
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
