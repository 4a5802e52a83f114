// Identities of users at providers, and used nonces.
import type { Db } from '../../../platform/db/pool.ts'

export const PROVIDERS = ['chat', 'gameplatform'] as const
export type Provider = (typeof PROVIDERS)[number]
/** Names for texts that users read. */
export const PLATFORM_NAMES: Record<Provider, string> = { chat: 'chat platform', gameplatform: 'game platform' }

const COLUMN: Record<Provider, 'chat_id' | 'game_platform_id'> = { chat: 'chat_id', gameplatform: 'game_platform_id' }
const OTHER: Record<Provider, Provider> = { chat: 'gameplatform', gameplatform: 'chat' }

/** @returns the user an identity is linked to */
export async function findUserByIdentity(
  { prisma }: Db,
  provider: Provider,
  identity: string,
): Promise<string | undefined> {
  const where = provider === 'chat' ? { chatId: identity } : { gamePlatformId: identity }
  const user = await prisma.user.findUnique({ where, select: { id: true } })
  return user?.id
}

/**
 * SQL, because unique indexes decide and the transaction continues.
 * @returns false if another user has the identity or the address
 */
export async function insertUserOfIdentity(
  db: Db,
  provider: Provider,
  user: { id: string; identity: string; username: string; email: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: `accounts-insert-user-of-${provider}`,
    text: `
      insert into users (id, ${COLUMN[provider]}, username, email) values ($1, $2, $3, $4)
      on conflict do nothing`,
    values: [user.id, user.identity, user.username, user.email],
  })
  return rowCount === 1
}

/** @returns null if the user has no identity at the provider */
export async function findIdentity({ prisma }: Db, provider: Provider, userId: string): Promise<string | null> {
  const user = await prisma.user.findUnique({ where: { id: userId }, select: { chatId: true, gamePlatformId: true } })
  return (provider === 'chat' ? user?.chatId : user?.gamePlatformId) ?? null
}

/**
 * Replaces the user's identity there. SQL, because it checks and writes in one statement.
 * @returns false if another user has it
 */
export async function linkIdentity(db: Db, provider: Provider, userId: string, identity: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: `accounts-link-${provider}`,
    text: `
      update users set ${COLUMN[provider]} = $2, updated_at = now()
      where id = $1 and not exists (select from users as others where others.${COLUMN[provider]} = $2 and others.id <> $1)`,
    values: [userId, identity],
  })
  return rowCount === 1
}

/**
 * SQL, as above.
 * @returns false if the user could not log in without it: there is neither a password nor the other identity
 */
export async function unlinkIdentity(db: Db, provider: Provider, userId: string): Promise<boolean> {
  const column = COLUMN[provider]
  const { rowCount } = await db.query({
    name: `accounts-unlink-${provider}`,
    // Waits for a parallel unlinking of the same user and then sees its result.
    text: `
      update users set ${column} = null, updated_at = now()
      where id = $1 and (${column} is null or ${COLUMN[OTHER[provider]]} is not null
        or (email is not null and password_hash is not null))`,
    values: [userId],
  })
  return rowCount === 1
}

/** Unlinks all identities of a user. SQL, because `updated_at` is the database's time. */
export async function deleteIdentities(db: Db, userId: string): Promise<void> {
  await db.query({
    name: 'accounts-delete-identities',
    text: 'update users set chat_id = null, game_platform_id = null, updated_at = now() where id = $1',
    values: [userId],
  })
}

/** Marks a nonce as used. SQL, because the unique index decides. @returns false if it was used before */
export async function insertNonce(db: Db, nonce: string, expiresAt: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-nonce',
    text: 'insert into used_nonces (nonce, expires_at) values ($1, $2) on conflict do nothing',
    values: [nonce, expiresAt],
  })
  return rowCount === 1
}
