// Statements on the identities users have at providers, and on the nonces that were used up.
import type { Db } from '../../platform/db/pool.ts'

export const PROVIDERS = ['chat', 'gameplatform'] as const
export type Provider = (typeof PROVIDERS)[number]

const COLUMN: Record<Provider, 'chat_id' | 'game_platform_id'> = { chat: 'chat_id', gameplatform: 'game_platform_id' }
const OTHER: Record<Provider, Provider> = { chat: 'gameplatform', gameplatform: 'chat' }

/** @returns the user an identity is linked to */
export async function findUserByIdentity(db: Db, provider: Provider, identity: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: `accounts-find-by-${provider}`,
    text: `select id from users where ${COLUMN[provider]} = $1`,
    values: [identity],
  })
  return rows[0]?.id
}

/** @returns false when the identity, or the address, belongs to somebody already */
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

/** @returns the identity a user has at a provider; null: none */
export async function findIdentity(db: Db, provider: Provider, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ identity: string | null }>({
    name: `accounts-find-identity-${provider}`,
    text: `select ${COLUMN[provider]} as identity from users where id = $1`,
    values: [userId],
  })
  return rows[0]?.identity ?? null
}

/** In place of the identity the user had there. @returns false when it is another user's */
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

/** @returns false when the user could not log in without it: there is neither a password nor the other provider's identity */
export async function unlinkIdentity(db: Db, provider: Provider, userId: string): Promise<boolean> {
  const column = COLUMN[provider]
  const { rowCount } = await db.query({
    name: `accounts-unlink-${provider}`,
    // Waits for another unlinking of the same user, and then looks at what that one left.
    text: `
      update users set ${column} = null, updated_at = now()
      where id = $1 and (${column} is null or ${COLUMN[OTHER[provider]]} is not null
        or (email is not null and password_hash is not null))`,
    values: [userId],
  })
  return rowCount === 1
}

/** Uses a nonce up. @returns false when it was used before */
export async function insertNonce(db: Db, nonce: string, expiresAt: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-nonce',
    text: 'insert into used_nonces (nonce, expires_at) values ($1, $2) on conflict do nothing',
    values: [nonce, expiresAt],
  })
  return rowCount === 1
}
