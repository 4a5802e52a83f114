// Sessions: opened at login, looked up at each request, dead everywhere the moment they are ended.
import { createHash, randomBytes } from 'node:crypto'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import type { SessionActor } from '../../platform/http/actor.ts'
import { isAdministrator } from './administrators.ts'
import type { CookieJar } from './session-cookie.ts'
import {
  deleteSessions,
  deleteSessionsOf,
  findSessions,
  insertSession,
  type LivingSession,
  renewSession,
} from './sessions.sql.ts'

export interface Sessions {
  /** @param cookies the Cookie header; @returns undefined when it holds no living session, or several */
  bySession(cookies: string): Promise<SessionActor | undefined>
  /**
   * Opens a session under a new token; what the client presented is ended, so that nobody's token outlives a login.
   * @returns the value of `Set-Cookie`; undefined when the user is banned, gone, or changed the password meanwhile
   */
  open(login: { userId: string; cookies: string | undefined; passwordHash?: string }): Promise<string | undefined>
  /** Ends all sessions of a user and opens one, in the caller's transaction. @returns the value of `Set-Cookie` */
  replaceAll(tx: Db, userId: string): Promise<string | undefined>
  /** Ends all sessions of a user. To ban one: first set `banned_at`, then this, in one transaction. */
  endAll(db: Db, userId: string): Promise<void>
  /** Ends the sessions a Cookie header holds. */
  endPresented(cookies: string | undefined): Promise<void>
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

export function createSessions(options: { pool: Pool; settings: ProcessSettings; jar: CookieJar }): Sessions {
  const { pool, settings, jar } = options

  async function insert(tx: Db, userId: string, passwordHash: string | undefined): Promise<string | undefined> {
    const token = randomBytes(32).toString('base64url')
    const opened = await insertSession(tx, { userId, tokenHash: hashOf(token), passwordHash })
    return opened ? jar.session(token) : undefined
  }

  const presented = (cookies: string | undefined) => jar.sessionTokens(cookies).map(hashOf)

  return {
    async bySession(cookies) {
      const hashes = presented(cookies)
      if (!hashes.length) return undefined
      const [session, another] = await findSessions(pool, hashes)
      // Two that live: one was planted, and nobody can tell which.
      if (!session || another) return undefined
      if (session.renewalDue) await renewSession(pool, session.tokenHash)
      return actorOf(session)
    },
    open: ({ userId, cookies, passwordHash }) =>
      inTransaction(pool, async (tx) => {
        const hashes = presented(cookies)
        if (hashes.length) await deleteSessions(tx, hashes)
        return insert(tx, userId, passwordHash)
      }),
    async replaceAll(tx, userId) {
      await deleteSessionsOf(tx, userId)
      return insert(tx, userId, undefined)
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
