// Users: their credentials and addresses.
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'

/** SQL, because a unique index decides and the transaction continues. @returns false if another user has the address */
export async function insertUser(
  db: Db,
  user: { id: string; email: string; username: string; passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-user',
    text: `
      insert into users (id, email, username, password_hash) values ($1, $2, $3, $4)
      on conflict (email) do nothing`,
    values: [user.id, user.email, user.username, user.passwordHash],
  })
  return rowCount === 1
}

const CREDENTIAL = {
  id: true,
  email: true,
  emailVerifiedAt: true,
  username: true,
  passwordHash: true,
  bannedAt: true,
} satisfies Prisma.UserSelect
export type Credential = Prisma.UserGetPayload<{ select: typeof CREDENTIAL }>

export const findCredentialByEmail = ({ prisma }: Db, email: string): Promise<Credential | null> =>
  prisma.user.findUnique({ where: { email }, select: CREDENTIAL })

export const findCredential = ({ prisma }: Db, id: string): Promise<Credential | null> =>
  prisma.user.findUnique({ where: { id }, select: CREDENTIAL })

/**
 * Locks the account's row; everything that depends on it locks it first, which serializes resets and other requests of
 * the account. SQL, because models have no locks.
 * @returns undefined if the account was deleted
 */
export async function lockAccount(db: Db, userId: string) {
  const { rows } = await db.query<{
    passwordHash: string | null
    emailVerified: boolean
    hasChat: boolean
    hasGamePlatform: boolean
  }>({
    name: 'accounts-lock-account',
    text: `
      select password_hash as "passwordHash", email_verified_at is not null as "emailVerified", chat_id is not null as "hasChat",
        game_platform_id is not null as "hasGamePlatform"
      from users
      where id = $1
      for update`,
    values: [userId],
  })
  return rows[0]
}

/**
 * Locks the account against a reset of its password and its deletion (`for update`) until the transaction ends, and
 * waits for one that runs. Other transactions that share it do not wait.
 */
export async function lockAccountShared(db: Db, userId: string): Promise<void> {
  await db.query('select from users where id = $1 for key share', [userId])
}

/**
 * SQL, because it compares, null included, and writes in one statement.
 * @param expected the hash that was checked; it differs if the password has changed since
 * @returns whether it was updated
 */
export async function updatePassword(
  db: Db,
  { id, expected, passwordHash }: { id: string; expected: string | null; passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-update-password',
    text: `
      update users set password_hash = $3, updated_at = now()
      where id = $1 and password_hash is not distinct from $2 and banned_at is null`,
    values: [id, expected, passwordHash],
  })
  return rowCount === 1
}

/** SQL, because it compares and writes in one statement. @returns false if the address or the password has changed */
export async function verifyEmail(
  db: Db,
  { id, email, passwordHash }: { id: string; email: string; passwordHash: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-verify-email',
    text: `
      update users set email_verified_at = coalesce(email_verified_at, now()), updated_at = now()
      where id = $1 and email = $2 and password_hash is not distinct from $3`,
    values: [id, email, passwordHash],
  })
  return rowCount === 1
}

export const findMailUser = ({ prisma }: Db, id: string) =>
  prisma.user.findUnique({
    where: { id },
    select: { id: true, email: true, emailVerifiedAt: true, passwordHash: true, bannedAt: true },
  })
