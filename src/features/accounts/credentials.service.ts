// Changing a password and proving an e-mail address, with the old password or with a token from a mail.
import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { mail } from '../mail/index.ts'
import type { Caller } from './accounts.service.ts'
import { deleteToken, findTokenUser } from './email-tokens.sql.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { refuseGuessable } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { findCredential, findCredentialByEmail, updatePassword, verifyEmail } from './users.sql.ts'

/** Mails to one account: enough for one that got lost, too few to fill somebody's mailbox. */
const MAILS: LimitPolicy[] = [{ name: 'account-mail', limit: 3, windowSeconds: 3600 }]
/** Mails one address asks for, for whomever. */
const ORDERS: LimitPolicy[] = [{ name: 'mail-orders', limit: 30, windowSeconds: 3600 }]
/** Guesses at the current password by whoever has got hold of a session. */
const GUESSES: LimitPolicy[] = [{ name: 'password-guess', limit: 5, windowSeconds: 900 }]

export interface CredentialsService {
  /** Sends the user a new token. @throws ApiError 429 rate_limited */
  orderVerification(userId: string): Promise<void>
  /** @throws ApiError 400 invalid_token */
  verify(token: string): Promise<void>
  /** Orders a mail if there is an account; does and takes the same if there is none. @throws ApiError 429 rate_limited */
  orderReset(email: string, visitor: string): Promise<void>
  /**
   * Sets the password and ends all sessions. Whoever reads the mailbox owns the address, so it is verified too.
   * @returns `Set-Cookie` of the device's mark, so that the login that follows is not held up by somebody else's attempts
   * @throws ApiError 400 invalid_token, validation_failed
   */
  reset(input: { token: string; password: string }, caller: Caller): Promise<string>
  /**
   * Sets the password, ends all sessions and opens a new one. @returns its `Set-Cookie`
   * @throws ApiError 400 email_needed, validation_failed; 401 invalid_credentials; 429 rate_limited
   */
  changePassword(userId: string, input: { currentPassword?: string | undefined; newPassword: string }): Promise<string>
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

const invalidToken = () =>
  new ApiError(400, 'invalid_token', 'This token was used, is past its time, or was replaced by a newer one.')

export function createCredentialsService(deps: {
  pool: Pool
  jobs: Jobs
  limits: Limits
  passwords: Passwords
  sessions: Sessions
  throttle: LoginThrottle
}): CredentialsService {
  const { pool, jobs, limits, passwords, sessions, throttle } = deps

  return {
    async orderVerification(userId) {
      await limits.take({ key: userId, policies: MAILS })
      await jobs.enqueue(pool, mail, [{ kind: 'verify-email', userId }])
    },

    async verify(token) {
      const key = { tokenHash: hashOf(token), purpose: 'verify' as const }
      await inTransaction(pool, async (tx) => {
        const user = await findTokenUser(tx, key)
        if (!user || !(await deleteToken(tx, key))) throw invalidToken()
        if (!(await verifyEmail(tx, user.userId, user.email))) throw invalidToken()
      })
    },

    async orderReset(email, visitor) {
      await limits.take({ key: visitor, policies: ORDERS })
      const user = await findCredentialByEmail(pool, email)
      // Nobody's id where there is no account: the same work, and a mail that nobody gets.
      const order = { kind: 'reset-password' as const, userId: user?.id ?? uuidv7() }
      if (await mayBeMailed(email)) await jobs.enqueue(pool, mail, [order])
    },

    async reset({ token, password }, { cookies }) {
      const key = { tokenHash: hashOf(token), purpose: 'reset' as const }
      const found = await findTokenUser(pool, key)
      const user = found && (await findCredential(pool, found.userId))
      if (!found || !user) throw invalidToken()
      refuseGuessable(password, user, 'body.password')
      const passwordHash = await passwords.hash(password) // before the transaction, which would hold a connection meanwhile
      await inTransaction(pool, async (tx) => {
        if (!(await deleteToken(tx, key)) || !(await verifyEmail(tx, user.id, found.email))) throw invalidToken()
        if (!(await updatePassword(tx, { id: user.id, expected: user.passwordHash, passwordHash })))
          throw invalidToken()
        await sessions.endAll(tx, user.id)
        await jobs.enqueue(tx, mail, [{ kind: 'password-changed', userId: user.id }])
      })
      return throttle.markDevice(found.email, cookies)
    },

    async changePassword(userId, { currentPassword, newPassword }) {
      const user = await findCredential(pool, userId)
      if (!user?.email)
        throw new ApiError(400, 'email_needed', 'An account without an e-mail address can’t be entered by password.')
      if (user.passwordHash !== null) {
        await limits.take({ key: userId, policies: GUESSES })
        if (!(await passwords.verify(user.passwordHash, currentPassword ?? '')))
          throw new ApiError(401, 'invalid_credentials', 'This is not the current password.')
        await limits.giveBack({ key: userId, policies: GUESSES })
      }
      refuseGuessable(newPassword, user, 'body.newPassword')
      const passwordHash = await passwords.hash(newPassword)
      return inTransaction(pool, async (tx) => {
        const changed = await updatePassword(tx, { id: userId, expected: user.passwordHash, passwordHash })
        const session = changed ? await sessions.replaceAll(tx, userId) : undefined
        if (!session) throw new ApiError(401, 'invalid_credentials', 'The password was changed by somebody else.')
        await jobs.enqueue(tx, mail, [{ kind: 'password-changed', userId }])
        return session
      })
    },
  }

  /** Whether another mail to this address is in order. Not told to the caller: the count is the owner's, not theirs. */
  async function mayBeMailed(email: string): Promise<boolean> {
    const key = hashOf(`mail\n${email}`).toString('base64url').slice(0, 22)
    try {
      await limits.take({ key, policies: MAILS })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) return false
      throw error
    }
  }
}
