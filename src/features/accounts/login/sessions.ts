// Sessions: opened at login, looked up by each request, invalid in every process as soon as they end.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Deps } from '../../../deps.ts'
import { type Db, inTransaction } from '../../../platform/db/pool.ts'
import type { SessionActor } from '../../../platform/http/actor.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { tokenHash } from '../../../platform/token-hash.ts'
import { isAdministrator } from '../administrators.ts'
import { lockAccount } from '../users.store.ts'
import type { CookieJar } from './session-cookie.ts'
import { createSessionOrigins } from './session-origin.ts'
import {
  type ActiveSession,
  deleteSessions,
  deleteSessionsOf,
  findSessions,
  insertSession,
  isSessionActive,
  type LoginProof,
  recordUse,
} from './sessions.sql.ts'

export type Sessions = ReturnType<typeof createSessions>

/** 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

type Asking = Pick<SessionActor, 'userId' | 'sessionId'>

/**
 * Locks the account in the caller's transaction. Keys, identities and chat webhooks are written after this, so that a
 * request which waited while a reset ended its session writes nothing.
 * @returns whether the session is still active
 */
export async function lockForSession(tx: Db, { userId, sessionId }: Asking): Promise<boolean> {
  await lockAccount(tx, userId)
  return isSessionActive(tx, sessionId)
}

/** Like `lockForSession`. @throws ApiError 401 unauthenticated if the session has ended */
export async function requireActiveSession(tx: Db, actor: Asking): Promise<void> {
  if (!(await lockForSession(tx, actor)))
    throw new ApiError(401, 'unauthenticated', 'This session has ended. Log in again.')
}

/** `cookies` is the Cookie header. Opened sessions are `Set-Cookie` headers. */
export function createSessions({
  pool,
  settings,
  log,
  jar,
}: Pick<Deps, 'pool' | 'settings' | 'log'> & { jar: CookieJar }) {
  const originOf = createSessionOrigins({ settings, log })

  async function insert(tx: Db, userId: string, proof: LoginProof) {
    const token = randomBytes(32).toString('base64url')
    const opened = await insertSession(tx, { userId, tokenHash: tokenHash(token), proof })
    return opened ? jar.set('session', token) : undefined
  }

  /** Hashes of the well-formed tokens. */
  const presented = (cookies: string | undefined) =>
    jar
      .read(cookies, 'session')
      .filter((token) => TOKEN.test(token))
      .map(tokenHash)

  /** @returns undefined if the cookies hold no active session, or several */
  async function findPresented(cookies: string | undefined): Promise<ActiveSession | undefined> {
    const hashes = presented(cookies)
    if (!hashes.length) return undefined
    const [session, another] = await findSessions(pool, hashes)
    // With two active sessions, one was planted, and it is unknown which.
    return another ? undefined : session
  }

  return {
    findPresented,
    /** Like `findPresented`. Given the request, records the use, which renews the session. */
    async bySession(cookies: string | undefined, req?: IncomingMessage): Promise<SessionActor | undefined> {
      const session = await findPresented(cookies)
      if (!session) return undefined
      if (session.useDue && req) await recordUse(pool, session.tokenHash, originOf(req))
      const { userId, isModerator, tokenHash: sessionId } = session
      return { via: 'session', userId, isAdmin: isAdministrator(session, settings), isModerator, sessionId }
    },
    /**
     * Opens a session with a new token and ends the sessions that the client presented, against session fixation.
     * @returns undefined if the user is banned or deleted, or the proof is no longer valid
     */
    open: ({ userId, cookies, proof }: { userId: string; cookies: string | undefined; proof: LoginProof }) =>
      inTransaction(pool, async (tx) => {
        // Locks the user's row before the sessions, as a reset and a ban do, to avoid deadlocks.
        const session = await insert(tx, userId, proof)
        const hashes = presented(cookies)
        if (hashes.length) await deleteSessions(tx, hashes)
        return session
      }),
    /** Ends all sessions of a user and opens a new one, in the caller's transaction. @returns as `open` does */
    async replaceAll(tx: Db, userId: string, proof: LoginProof) {
      await deleteSessionsOf(tx, userId)
      return insert(tx, userId, proof)
    },
    /** Ends the sessions in the cookies. */
    async endPresented(cookies: string | undefined): Promise<void> {
      const hashes = presented(cookies)
      if (hashes.length) await deleteSessions(pool, hashes)
    },
  }
}
