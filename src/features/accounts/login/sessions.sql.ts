// SQL, because each request looks a session up by the database's clock. Stored as the token's SHA-256, so that a copy
// reveals no token.
import type { Db } from '../../../platform/db/pool.ts'
import type { Provider } from '../identities/identities.store.ts'

export interface ActiveSession {
  tokenHash: Buffer
  userId: string
  /** Null if the session was opened before this was recorded. */
  openedBy: LoginProof['by'] | null
  email: string | null
  emailVerified: boolean
  isAdmin: boolean
  isModerator: boolean
  /** Whether more than a day of its lifetime has passed. */
  renewalDue: boolean
}

/** What the login checked. It must still be true in the transaction that opens the session. */
export type LoginProof = { by: 'password'; passwordHash: string } | { by: Provider; identity: string }

const LIFETIME = `interval '30 days'`

/**
 * Opens a session unless the user is banned or deleted, or the checked password or identity has changed. Locks the
 * user's row, so that it waits for a concurrent password change, reset or ban, which would otherwise miss this session.
 */
export async function insertSession(
  db: Db,
  { userId, tokenHash, proof }: { userId: string; tokenHash: Buffer; proof: LoginProof },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-session',
    text: `
      insert into sessions (token_hash, user_id, expires_at, opened_by)
      select $1, id, now() + ${LIFETIME}, $3
      from users
      where id = $2 and banned_at is null
        and $4 = case $3::text when 'password' then password_hash when 'chat' then chat_id else game_platform_id end
      for share`,
    values: [tokenHash, userId, proof.by, proof.by === 'password' ? proof.passwordHash : proof.identity],
  })
  return rowCount === 1
}

/** Those of the given sessions that are active, of users who are not banned. */
export async function findSessions(db: Db, tokenHashes: Buffer[]): Promise<ActiveSession[]> {
  const { rows } = await db.query<ActiveSession>({
    name: 'accounts-find-sessions',
    text: `
      select token_hash as "tokenHash", user_id as "userId", opened_by as "openedBy", email, email_verified_at is not null as "emailVerified",
        is_admin as "isAdmin", is_moderator as "isModerator", expires_at < now() + ${LIFETIME} - interval '1 day' as "renewalDue"
      from sessions
      join users on id = user_id
      where token_hash = any($1) and expires_at > now() and banned_at is null`,
    values: [tokenHashes],
  })
  return rows
}

/** Restarts the lifetime of an active session. */
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

/**
 * Ends all sessions of a user. To ban one: first set `banned_at`, then this, in one transaction.
 * @returns how many sessions it ended
 */
export async function deleteSessionsOf(db: Db, userId: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'accounts-delete-sessions-of',
    text: 'delete from sessions where user_id = $1',
    values: [userId],
  })
  return rowCount ?? 0
}

/** Ends a user's sessions besides the caller's. @param openedBy only those that this identity has opened */
export async function deleteOtherSessions(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: Buffer },
  openedBy?: Provider,
): Promise<void> {
  await db.query({
    name: 'accounts-delete-other-sessions',
    text: 'delete from sessions where user_id = $1 and token_hash <> $2 and ($3::text is null or opened_by = $3)',
    values: [userId, sessionId, openedBy],
  })
}

/**
 * @returns whether the session is active; a separate statement, so that it sees what was committed while `lockAccount`
 * waited
 */
export async function isSessionActive(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-is-session-alive',
    text: 'select from sessions where token_hash = $1 and expires_at > now()',
    values: [tokenHash],
  })
  return rowCount === 1
}
