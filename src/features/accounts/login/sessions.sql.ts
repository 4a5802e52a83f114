// SQL, because each request looks a session up by the database's clock. Stored as the token's SHA-256, so that a copy
// reveals no token.
import type * as z from 'zod'
import type { Db, Sql } from '../../../platform/db/pool.ts'
import { paginate } from '../../../platform/http/paging.ts'
import type { Session, SessionsQuery } from '../accounts.schema.ts'
import type { Provider } from '../identities/identities.store.ts'
import { HAS_SECOND_FACTOR, IS_CONFIRMED } from '../second-factor/second-factor.sql.ts'
import type { SessionOrigin } from './session-origin.ts'

export interface ActiveSession {
  tokenHash: Buffer
  userId: string
  /** Null if the session was opened before this was recorded. */
  openedBy: LoginProof['by'] | null
  email: string | null
  emailVerified: boolean
  isAdmin: boolean
  isModerator: boolean
  hasSecondFactor: boolean
  /** Whether the second factor was confirmed lately, or there is none. */
  isConfirmed: boolean
  /** Whether this use is to be recorded. */
  useDue: boolean
}

/** What the login checked. It must still be true in the transaction that opens the session. */
export type LoginProof = { by: 'password'; passwordHash: string } | { by: Provider; identity: string }

/** The same as a parameter of statements, which compare it with `provenBy`. */
export const provenOf = (proof: LoginProof): string => (proof.by === 'password' ? proof.passwordHash : proof.identity)

/** SQL of an account's password hash or identity. @param openedBy SQL of how the login began */
export const provenBy = (openedBy: string): string =>
  `case ${openedBy} when 'password' then password_hash when 'chat' then chat_id else game_platform_id end`

export const SESSION_LIFETIME = `interval '30 days'`

/** A day of the lifetime has passed. */
const RENEWAL_DUE = `expires_at < now() + ${SESSION_LIFETIME} - interval '1 day'`
/** Bounds how often a session is written. */
const USE_DUE = `(last_used_at is null or last_used_at < now() - interval '10 minutes' or ${RENEWAL_DUE})`

/**
 * Opens a session unless the user is banned or deleted, the checked password or identity has changed, or the account's
 * second factor was not confirmed. Locks the user's row, so that it waits for a concurrent password change, reset or
 * ban, which would otherwise miss this session.
 * @param confirmedIn the session whose confirmation of the second factor the new one takes over
 */
export async function insertSession(
  db: Db,
  {
    userId,
    tokenHash,
    proof,
    confirmedIn,
  }: { userId: string; tokenHash: Buffer; proof: LoginProof; confirmedIn?: Buffer },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-session',
    text: `
      insert into sessions (token_hash, user_id, expires_at, opened_by, second_factor_at)
      select $1, id, now() + ${SESSION_LIFETIME}, $3, confirmed.at
      from users
      left join lateral (
        select second_factor_at as at from sessions where sessions.token_hash = $5 and sessions.user_id = users.id) as confirmed on true
      where id = $2 and banned_at is null and (confirmed.at is not null or not ${HAS_SECOND_FACTOR})
        and $4 = ${provenBy('$3::text')}
      for share of users`,
    values: [tokenHash, userId, proof.by, provenOf(proof), confirmedIn],
  })
  return rowCount === 1
}

/**
 * Those of the given sessions that are active, of users who are not banned. One that never confirmed the second factor
 * of its account is not active: a process of an earlier release has opened it.
 */
export async function findSessions(db: Db, tokenHashes: Buffer[]): Promise<ActiveSession[]> {
  const { rows } = await db.query<ActiveSession>({
    name: 'accounts-find-sessions',
    text: `
      select token_hash as "tokenHash", user_id as "userId", opened_by as "openedBy", email, email_verified_at is not null as "emailVerified",
        is_admin as "isAdmin", is_moderator as "isModerator", ${HAS_SECOND_FACTOR} as "hasSecondFactor", ${IS_CONFIRMED} as "isConfirmed",
        ${USE_DUE} as "useDue"
      from sessions
      join users on id = user_id
      where token_hash = any($1) and expires_at > now() and banned_at is null
        and (second_factor_at is not null or not ${HAS_SECOND_FACTOR})`,
    values: [tokenHashes],
  })
  return rows
}

/**
 * Records the use of an active session, and restarts its lifetime at most once a day. The first use says what opened
 * it, also for sessions of the previous release. Of parallel uses one writes.
 */
export async function recordUse(db: Db, tokenHash: Buffer, { browser, system, country }: SessionOrigin): Promise<void> {
  await db.query({
    name: 'accounts-record-use',
    text: `
      update sessions set last_used_at = now(),
        expires_at = case when ${RENEWAL_DUE} then now() + ${SESSION_LIFETIME} else expires_at end,
        browser = case when last_used_at is null then $2 else browser end,
        system = case when last_used_at is null then $3 else system end,
        country = case when last_used_at is null then $4 else country end
      where token_hash = $1 and expires_at > now() and ${USE_DUE}`,
    values: [tokenHash, browser, system, country],
  })
}

type SessionRow = z.output<typeof Session>

/** A page of a user’s active sessions: the current one, then the last used first. */
export function findSessionPage(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: Buffer },
  query: z.output<typeof SessionsQuery>,
) {
  return paginate('sessions', query, {
    async count() {
      const { rows } = await db.query<{ count: number }>(
        'select count(*) from sessions where user_id = $1 and expires_at > now()',
        [userId],
      )
      return rows[0]?.count ?? 0
    },
    async find({ limit, offset }) {
      const { rows } = await db.query<SessionRow>(
        `select public_id as id, browser, system, country, opened_by as "openedBy", created_at as "createdAt",
           last_used_at as "lastUsedAt", expires_at as "expiresAt", token_hash = $2 as "isCurrent"
         from sessions
         where user_id = $1 and expires_at > now()
         order by token_hash = $2 desc, coalesce(last_used_at, created_at) desc, public_id
         limit $3 offset $4`,
        [userId, sessionId, limit, offset],
      )
      return rows
    },
  })
}

/** Ends one session of a user. @returns its token's hash; undefined if there is none */
export async function deleteSessionOf(db: Db, userId: string, publicId: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ tokenHash: Buffer }>(
    'delete from sessions where user_id = $1 and public_id = $2 and expires_at > now() returning token_hash as "tokenHash"',
    [userId, publicId],
  )
  return rows[0]?.tokenHash
}

export async function deleteSessions(db: Db, tokenHashes: Buffer[]): Promise<void> {
  await db.query({
    name: 'accounts-delete-sessions',
    text: 'delete from sessions where token_hash = any($1)',
    values: [tokenHashes],
  })
}

/**
 * Keeps those in which a browser was added that gets alerts: it would be removed with its session.
 * @returns how many it deleted
 */
export async function deleteExpiredSessions(db: Sql): Promise<number> {
  const { rowCount } = await db.query(
    `delete from sessions where expires_at <= now() and not exists (select from push_browsers where session_id = public_id)`,
  )
  return rowCount ?? 0
}

/** How many browsers get a user's alerts: most are removed with their sessions. */
export async function countPushBrowsers(db: Db, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'accounts-count-push-browsers',
    text: 'select count(*) from push_browsers where user_id = $1',
    values: [userId],
  })
  return rows[0]?.count ?? 0
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

/** Keeps the browser that gets alerts in a session which another one replaces: it would be removed with its session. */
export async function passOnPushBrowsers(db: Db, { from, to }: { from: Buffer; to: Buffer }): Promise<void> {
  await db.query({
    name: 'accounts-pass-on-push-browsers',
    text: `
      update push_browsers set session_id = replacing.public_id
      from sessions as replaced, sessions as replacing
      where session_id = replaced.public_id and replaced.token_hash = $1 and replacing.token_hash = $2`,
    values: [from, to],
  })
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
 * @returns whether the session is active; a separate statement, so that it sees what was committed while a lock of the
 * account waited
 */
export async function isSessionActive(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-is-session-alive',
    text: 'select from sessions where token_hash = $1 and expires_at > now()',
    values: [tokenHash],
  })
  return rowCount === 1
}
