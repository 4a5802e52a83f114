// Sessions: opened at login, looked up by each request, invalid in every process as soon as they end.
import { randomBytes } from 'node:crypto'
import type { ProcessSettings } from '../../../platform/config/settings.ts'
import { type Db, inTransaction, type Pool } from '../../../platform/db/pool.ts'
import type { SessionActor } from '../../../platform/http/actor.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { tokenHash } from '../../../platform/token-hash.ts'
import { isAdministrator } from '../administrators.ts'
import type { CookieJar } from './session-cookie.ts'
import {
  deleteSessions,
  deleteSessionsOf,
  findSessions,
  insertSession,
  isSessionAlive,
  type LivingSession,
  type LoginProof,
  lockUser,
  renewSession,
} from './sessions.sql.ts'

export interface Sessions {
  /** @param cookies the Cookie header @returns undefined if it holds no active session, or several */
  bySession(cookies: string): Promise<SessionActor | undefined>
  /** Like `bySession`, with how the session was opened. */
  findPresented(cookies: string | undefined): Promise<LivingSession | undefined>
  /**
   * Opens a session with a new token and ends the sessions that the client presented, against session fixation.
   * @returns the value of `Set-Cookie`; undefined if the user is banned or deleted, or the proof is no longer valid
   */
  open(login: { userId: string; cookies: string | undefined; proof: LoginProof }): Promise<string | undefined>
  /**
   * Ends all sessions of a user and opens a new one, in the caller's transaction.
   * @returns the value of `Set-Cookie`
   */
  replaceAll(tx: Db, userId: string, proof: LoginProof): Promise<string | undefined>
  /**
   * Ends all sessions of a user. To ban one: first set `banned_at`, then this, in one transaction.
   * @returns how many sessions it ended
   */
  endAll(db: Db, userId: string): Promise<number>
  /** Ends the sessions in a Cookie header. */
  endPresented(cookies: string | undefined): Promise<void>
}

type Asking = Pick<SessionActor, 'userId' | 'sessionId'>

/**
 * Locks the account in the caller's transaction. Keys, identities and chat webhooks are written after this, so that a
 * request which waited while a reset ended its session writes nothing.
 * @returns whether the session is still active
 */
export async function lockForSession(tx: Db, { userId, sessionId }: Asking): Promise<boolean> {
  await lockUser(tx, userId)
  return isSessionAlive(tx, sessionId)
}

/** Like `lockForSession`. @throws ApiError 401 unauthenticated if the session has ended */
export async function requireLivingSession(tx: Db, actor: Asking): Promise<void> {
  if (!(await lockForSession(tx, actor)))
    throw new ApiError(401, 'unauthenticated', 'This session has ended. Log in again.')
}

export function createSessions(options: { pool: Pool; settings: ProcessSettings; jar: CookieJar }): Sessions {
  const { pool, settings, jar } = options

  async function insert(tx: Db, userId: string, proof: LoginProof): Promise<string | undefined> {
    const token = randomBytes(32).toString('base64url')
    const opened = await insertSession(tx, { userId, tokenHash: tokenHash(token), proof })
    return opened ? jar.session(token) : undefined
  }

  const presented = (cookies: string | undefined) => jar.sessionTokens(cookies).map(tokenHash)

  async function findPresented(cookies: string | undefined): Promise<LivingSession | undefined> {
    const hashes = presented(cookies)
    if (!hashes.length) return undefined
    const [session, another] = await findSessions(pool, hashes)
    // With two active sessions, one was planted, and it is unknown which.
    return another ? undefined : session
  }

  return {
    findPresented,
    async bySession(cookies) {
      const session = await findPresented(cookies)
      if (!session) return undefined
      if (session.renewalDue) await renewSession(pool, session.tokenHash)
      return actorOf(session)
    },
    open: ({ userId, cookies, proof }) =>
      inTransaction(pool, async (tx) => {
        // Locks the user's row before the sessions, as a reset and a ban do, to avoid deadlocks.
        const session = await insert(tx, userId, proof)
        const hashes = presented(cookies)
        if (hashes.length) await deleteSessions(tx, hashes)
        return session
      }),
    async replaceAll(tx, userId, proof) {
      await deleteSessionsOf(tx, userId)
      return insert(tx, userId, proof)
    },
    endAll: deleteSessionsOf,
    async endPresented(cookies) {
      const hashes = presented(cookies)
      if (hashes.length) await deleteSessions(pool, hashes)
    },
  }

  function actorOf(session: LivingSession): SessionActor {
    return {
      via: 'session',
      userId: session.userId,
      isAdmin: isAdministrator(session, settings),
      sessionId: session.tokenHash,
    }
  }
}
