// Statements on sessions. A session is stored under the SHA-256 of its token, so that a copy of the table opens nothing.
import type { Db } from '../../platform/db/pool.ts'

export interface LivingSession {
  tokenHash: Buffer
  userId: string
  email: string | null
  emailVerified: boolean
  isAdmin: boolean
  /** More than a day of its life is used up. */
  renewalDue: boolean
}

const LIFETIME = `interval '30 days'`

/**
 * Opens a session unless the user is banned, gone, or has another password hash by now than the one that was checked.
 * The row lock makes it wait for a password change or a ban that is under way, which would otherwise not see this session.
 * @param passwordHash undefined: the login was not by password
 */
export async function insertSession(
  db: Db,
  { userId, tokenHash, passwordHash }: { userId: string; tokenHash: Buffer; passwordHash: string | undefined },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-session',
    text: `
      insert into sessions (token_hash, user_id, expires_at)
      select $1, id, now() + ${LIFETIME}
      from users
      where id = $2 and banned_at is null and ($3::text is null or password_hash = $3)
      for share`,
    values: [tokenHash, userId, passwordHash ?? null],
  })
  return rowCount === 1
}

/** Sessions of these that live, of users who are not banned. */
export async function findSessions(db: Db, tokenHashes: Buffer[]): Promise<LivingSession[]> {
  const { rows } = await db.query<LivingSession>({
    name: 'accounts-find-sessions',
    text: `
      select token_hash as "tokenHash", user_id as "userId", email, email_verified_at is not null as "emailVerified",
        is_admin as "isAdmin", expires_at < now() + ${LIFETIME} - interval '1 day' as "renewalDue"
      from sessions
      join users on id = user_id
      where token_hash = any($1) and expires_at > now() and banned_at is null`,
    values: [tokenHashes],
  })
  return rows
}

/** Lets a living session live its full time again. */
export async function renewSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.query({
    name: 'accounts-renew-session',
    text: `update sessions set expires_at = now() + ${LIFETIME} where token_hash = $1 and expires_at > now()`,
    values: [tokenHash],
  })
}

export async function deleteSessions(db: Db, tokenHashes: Buffer[]): Promise<void> {
  await db.query({
    name: 'accounts-delete-sessions',
    text: 'delete from sessions where token_hash = any($1)',
    values: [tokenHashes],
  })
}

export async function deleteSessionsOf(db: Db, userId: string): Promise<void> {
  await db.query({
    name: 'accounts-delete-sessions-of',
    text: 'delete from sessions where user_id = $1',
    values: [userId],
  })
}

/** @returns how many were past their time */
export async function deleteExpiredSessions(db: Db): Promise<number> {
  const { rowCount } = await db.query('delete from sessions where expires_at <= now()')
  return rowCount ?? 0
}
