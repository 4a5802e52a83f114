// Sessions: opened at login, looked up by each request, invalid in every process as soon as they end.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Deps } from '../../../deps.ts'
import { type Db, inTransaction } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { SessionActor } from '../../../platform/http/actor.ts'
import type { CookieJar, SetCookie } from '../../../platform/http/cookies.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { isAdministrator, needsSecondFactor } from '../administrators.ts'
import {
  findLoginSteps,
  insertLoginStep,
  insertSessionOfStep,
  type LoginStep,
  STEP_MINUTES,
} from '../second-factor/login-steps.sql.ts'
import { lockAccount, lockAccountShared } from '../users.store.ts'
import { createSessionOrigins } from './session-origin.ts'
import {
  type ActiveSession,
  deleteOtherSessions,
  deleteSessions,
  findSessions,
  insertSession,
  isSessionActive,
  type LoginProof,
  passOnPushBrowsers,
  recordUse,
} from './sessions.sql.ts'

export type Sessions = ReturnType<typeof createSessions>

/** 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/**
 * What a login with the right password or identity gets. `secondStep`: the account has a second factor, which is asked
 * for next; the cookie names the login.
 */
export type LoginResult = { session: SetCookie } | { secondStep: SetCookie }

export type SessionRef = Pick<SessionActor, 'userId' | 'sessionId'>

/**
 * Locks the account in the caller's transaction. Keys, identities and chat webhooks are written after this, so that a
 * request which waited while a reset ended its session writes nothing.
 * @returns whether the session is still active
 */
export async function lockForSession(tx: Db, { userId, sessionId }: SessionRef): Promise<boolean> {
  await lockAccount(tx, userId)
  return isSessionActive(tx, sessionId)
}

const sessionEnded = () => new ApiError(401, 'unauthenticated', 'This session has ended. Log in again.')

/** Like `lockForSession`. @throws ApiError 401 unauthenticated if the session has ended */
export async function requireActiveSession(tx: Db, actor: SessionRef): Promise<void> {
  if (!(await lockForSession(tx, actor))) throw sessionEnded()
}

/**
 * For transactions that have locked a server. A reset of the password either ended their session before, or waits for
 * their end and finds what they have written after this.
 * @throws ApiError 401 unauthenticated if the session has ended
 */
export async function requireUnendedSession(tx: Db, { userId, sessionId }: SessionRef): Promise<void> {
  await lockAccountShared(tx, userId)
  if (!(await isSessionActive(tx, sessionId))) throw sessionEnded()
}

/** `cookies` is the Cookie header. Opened sessions are `Set-Cookie` headers. */
export function createSessions({
  pool,
  settings,
  log,
  jar,
}: Pick<Deps, 'pool' | 'settings' | 'log'> & { jar: CookieJar }) {
  const originOf = createSessionOrigins({ settings, log })

  function newToken() {
    const token = randomBytes(32).toString('base64url')
    return { token, hash: hashToken(token) }
  }

  /** Hashes of the well-formed tokens. */
  const presented = (cookies: string | undefined, name: 'session' | 'second_step' = 'session') =>
    jar
      .read(cookies, name)
      .filter((token) => TOKEN.test(token))
      .map(hashToken)

  async function deletePresented(db: Db, cookies: string | undefined): Promise<void> {
    const hashes = presented(cookies)
    if (hashes.length) await deleteSessions(db, hashes)
  }

  /** @returns undefined if the cookies hold no active session, or several */
  async function findPresented(cookies: string | undefined): Promise<ActiveSession | undefined> {
    const hashes = presented(cookies)
    if (!hashes.length) return undefined
    const [session, another] = await findSessions(pool, hashes)
    // If two sessions are active, one was planted, and it is unknown which.
    return another ? undefined : session
  }

  return {
    findPresented,
    /** Like `findPresented`. Given the request, records the use, which renews the session. */
    async bySession(cookies: string | undefined, req?: IncomingMessage): Promise<SessionActor | undefined> {
      const session = await findPresented(cookies)
      if (!session) return undefined
      if (session.useDue && req) await recordUse(pool, session.tokenHash, originOf(req))
      const { userId, tokenHash: sessionId, isConfirmed } = session
      const lacksSecondFactor = !session.hasSecondFactor && needsSecondFactor(session, settings)
      const isAdmin = isAdministrator(session, settings) && !lacksSecondFactor
      const isModerator = session.isModerator && !lacksSecondFactor
      return { via: 'session', userId, isAdmin, isModerator, lacksSecondFactor, isConfirmed, sessionId }
    },
    /**
     * Opens a session with a new token and ends the sessions that the client presented, against session fixation. For
     * an account with a second factor it begins the second step instead.
     * @returns undefined if the user is banned or deleted, or the proof is no longer valid
     */
    open: ({ userId, cookies, proof }: { userId: string; cookies: string | undefined; proof: LoginProof }) =>
      inTransaction(pool, async (tx): Promise<LoginResult | undefined> => {
        const { token, hash } = newToken()
        // Locks the user's row before the sessions, as a reset and a ban do, to avoid deadlocks.
        const isOpen = await insertSession(tx, { userId, tokenHash: hash, proof })
        if (!isOpen && (await insertLoginStep(tx, { userId, tokenHash: hash, proof })))
          return { secondStep: jar.set('second_step', token, STEP_MINUTES * 60) }
        await deletePresented(tx, cookies)
        return isOpen ? { session: jar.set('session', token) } : undefined
      }),
    /** The login that waits for its second step. @returns undefined if the cookies hold none, or several */
    async findStep(cookies: string | undefined): Promise<LoginStep | undefined> {
      const hashes = presented(cookies, 'second_step')
      const [step, another] = hashes.length ? await findLoginSteps(pool, hashes) : []
      return another ? undefined : step
    },
    /** Opens the session of a login whose second factor is right, as `open` does. @returns undefined as `open` does */
    completeStep: ({ userId, tokenHash: step }: LoginStep, cookies: string | undefined) =>
      inTransaction(pool, async (tx): Promise<SetCookie | undefined> => {
        const { token, hash } = newToken()
        await lockAccount(tx, userId)
        const isOpen = await insertSessionOfStep(tx, { step, tokenHash: hash })
        await deletePresented(tx, cookies)
        return isOpen ? jar.set('session', token) : undefined
      }),
    /**
     * Ends all sessions of a user and opens a new one, which takes over the caller's confirmation of the second factor
     * and the browser that gets alerts, in the caller's transaction.
     * @returns undefined as `open` does
     */
    async replaceAll(tx: Db, { userId, sessionId }: SessionRef, proof: LoginProof): Promise<SetCookie | undefined> {
      const { token, hash } = newToken()
      const isOpen = await insertSession(tx, { userId, tokenHash: hash, proof, confirmedIn: sessionId })
      await passOnPushBrowsers(tx, { from: sessionId, to: hash })
      await deleteOtherSessions(tx, { userId, sessionId: hash })
      return isOpen ? jar.set('session', token) : undefined
    },
    /** Ends the sessions in the cookies. */
    endPresented: (cookies: string | undefined) => deletePresented(pool, cookies),
  }
}
