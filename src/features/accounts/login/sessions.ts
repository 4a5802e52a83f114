// Sessions: opened at login, looked up at each request, invalid in every process once ended.
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
  /** @param cookies the Cookie header; @returns undefined when it holds no living session, or several */
  bySession(cookies: string): Promise<SessionActor | undefined>
  /** The same, with how the session was opened. */
  findPresented(cookies: string | undefined): Promise<LivingSession | undefined>
  /**
   * Opens a session under a new token; the sessions that the client presented end, against session fixation.
   * @returns the value of `Set-Cookie`; undefined if the user is banned or deleted, or the proof is no longer valid
   */
  open(login: { userId: string; cookies: string | undefined; proof: LoginProof }): Promise<string | undefined>
  /** Ends all sessions of a user and opens one, in the caller's transaction. @returns the value of `Set-Cookie` */
  replaceAll(tx: Db, userId: string, proof: LoginProof): Promise<string | undefined>
  /**
   * Ends all sessions of a user. To ban one: first set `banned_at`, then this, in one transaction.
   * @returns how many there were
   */
  endAll(db: Db, userId: string): Promise<number>
  /** Ends the sessions a Cookie header holds. */
  endPresented(cookies: string | undefined): Promise<void>
}

type Asking = Pick<SessionActor, 'userId' | 'sessionId'>

/**
 * Locks the account in the caller's transaction. What gives access to an account (keys, identities, chat webhooks) is written after
 * this: a request that waited while a reset ended its session then writes nothing.
 * @returns whether the session still lives
 */
export async function lockForSession(tx: Db, { userId, sessionId }: Asking): Promise<boolean> {
  await lockUser(tx, userId)
  return isSessionAlive(tx, sessionId)
}

/** As `lockForSession`. @throws ApiError 401 unauthenticated when the session has ended */
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
    // Two that live: one was planted, and it is unknown which.
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
        // First the user's row, then sessions, as a reset and a ban lock them: the other way round is a deadlock.
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
