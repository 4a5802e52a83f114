// API keys as their owners manage them. A key has the tier of its owner, read with the key, so that all keys
// follow a change at once.
import type * as z from 'zod'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Scope } from '../../platform/http/scopes.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { ApiKeyChanges } from './api-keys.schema.ts'
import { RATE_LIMITS, type Tier } from './tiers.ts'

/** A key of one owner; revoked keys are not found. */
interface OwnedKey {
  id: string
  userId: string
}

const KEY_FIELDS = {
  id: true,
  name: true,
  key: true,
  scopes: true,
  isActive: true,
  lastUsedAt: true,
  createdAt: true,
  user: { select: { tier: true } },
} satisfies Prisma.ApiKeySelect

function toApiKey({ user, ...row }: Prisma.ApiKeyGetPayload<{ select: typeof KEY_FIELDS }>) {
  const tier = user.tier as Tier
  return { ...row, scopes: row.scopes as Scope[], tier, rateLimit: RATE_LIMITS[tier] }
}

/** Newest first. */
export async function findKeysOf({ prisma }: Db, userId: string) {
  const rows = await prisma.apiKey.findMany({
    where: { userId, revokedAt: null },
    orderBy: { id: 'desc' },
    select: KEY_FIELDS,
  })
  return rows.map(toApiKey)
}

/** @returns null if the user has no such key */
export async function findKey({ prisma }: Db, key: OwnedKey) {
  const row = await prisma.apiKey.findFirst({ where: { ...key, revokedAt: null }, select: KEY_FIELDS })
  return row && toApiKey(row)
}

/**
 * SQL, because the database's clock decides.
 * @returns `kept`: not revoked; `createdToday`: of the last 24 hours, revoked ones included
 */
export async function countKeys(db: Db, userId: string) {
  const { rows } = await db.query<{ kept: number; createdToday: number }>(
    `select count(*) filter (where revoked_at is null) as kept,
       count(*) filter (where created_at > now() - interval '24 hours') as "createdToday"
     from api_keys
     where user_id = $1`,
    [userId],
  )
  return rows[0] ?? { kept: 0, createdToday: 0 }
}

export const insertKey = async ({ prisma }: Db, key: Prisma.ApiKeyUncheckedCreateInput) =>
  toApiKey(await prisma.apiKey.create({ data: key, select: KEY_FIELDS }))

/** @returns undefined if the user has no such key */
export async function updateKey({ prisma }: Db, key: OwnedKey, changes: z.output<typeof ApiKeyChanges>) {
  const [row] = await prisma.apiKey.updateManyAndReturn({
    where: { ...key, revokedAt: null },
    // The owner stays: an update must set a column, also when the request changes nothing.
    data: { userId: key.userId, ...withoutUndefined(changes) },
    select: KEY_FIELDS,
  })
  return row && toApiKey(row)
}

/** The row stays as a record of the credential. @returns whether the user had such a key */
export async function revokeKey({ prisma }: Db, key: OwnedKey): Promise<boolean> {
  const { count } = await prisma.apiKey.updateMany({
    where: { ...key, revokedAt: null },
    data: { revokedAt: new Date() },
  })
  return count > 0
}
