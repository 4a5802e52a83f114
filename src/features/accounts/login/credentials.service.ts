// Changing a password and proving an e-mail address, with the old password or with a token from a mail.

import { v7 as uuidv7 } from 'uuid'
import { inTransaction, type Pool } from '../../../platform/db/pool.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { LimitPolicy } from '../../../platform/http/limit-policy.ts'
import type { Limits } from '../../../platform/http/limits.ts'
import type { Jobs } from '../../../platform/queue/jobs.ts'
import { tokenHash } from '../../../platform/token-hash.ts'
import { mail } from '../../mail/index.ts'
import { invalidCredentials } from '../accounts.service.ts'
import { deleteToken, deleteTokensOf, findTokenUser } from '../mails/email-tokens.sql.ts'
import { type Credential, findCredential, findCredentialByEmail, updatePassword, verifyEmail } from '../users.store.ts'
import { lockAccount } from './account-access.sql.ts'
import { dropAccess, type GrantedAccess } from './account-access.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { refuseGuessable } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'

/** Mails to one account: enough if one gets lost, too few to fill a mailbox. */
const MAILS: LimitPolicy[] = [{ name: 'account-mail', limit: 3, windowSeconds: 3600 }]
/** Mails that one client address requests, for any account. */
const ORDERS: LimitPolicy[] = [{ name: 'mail-orders', limit: 30, windowSeconds: 3600 }]
/** Guesses at the current password with a session or a mailed token. */
const GUESSES: LimitPolicy[] = [{ name: 'password-guess', limit: 5, windowSeconds: 900 }]

export interface CredentialsService {
  /** Sends the user a new token. @throws ApiError 429 rate_limited */
  orderVerification(userId: string): Promise<void>
  /**
   * Verifies the address. Needs the account's password, or cookies of a session opened by it: without either, the account may belong
   * to another person who typed this address. Removes no access.
   * @throws ApiError 400 invalid_token, password_needed; 401 invalid_credentials; 429 rate_limited
   */
  verify(input: { token: string; password?: string | undefined }, cookies: string | undefined): Promise<void>
  /** Orders a mail if there is an account; does and takes the same if there is none. @throws ApiError 429 rate_limited */
  orderReset(email: string, clientKey: string): Promise<void>
  /**
   * Sets the password and ends all sessions. The reader of the mailbox owns the address, so it is verified too. If that is the first
   * time, or with `revokeAccess`, all other access to the account is removed (account-access.ts).
   * @returns `Set-Cookie` of the device's mark, so that failed attempts of others do not throttle the next login
   * @throws ApiError 400 invalid_token, validation_failed
   */
  reset(
    input: { token: string; password: string; revokeAccess?: boolean | undefined },
    cookies: string | undefined,
  ): Promise<string>
  /**
   * Sets the password, ends all sessions and opens a new one. @returns `Set-Cookie` of the session and of the device's mark
   * @throws ApiError 400 email_needed, validation_failed; 401 invalid_credentials; 429 rate_limited
   */
  changePassword(
    userId: string,
    input: { currentPassword?: string | undefined; newPassword: string },
    cookies: string | undefined,
  ): Promise<string[]>
}

const invalidToken = () =>
  new ApiError(400, 'invalid_token', 'This token was used, has expired, or was replaced by a newer one.')

const passwordNeeded = () =>
  new ApiError(
    400,
    'password_needed',
    'Confirming takes this account’s password, or the browser in which you logged in with it. Not you? Reset the password: ' +
      'that removes what others have set up on the account.',
  )

export function createCredentialsService(deps: {
  pool: Pool
  jobs: Jobs
  limits: Limits
  passwords: Passwords
  sessions: Sessions
  throttle: LoginThrottle
  granted: GrantedAccess
}): CredentialsService {
  const { pool, jobs, limits, passwords, sessions, throttle, granted } = deps

  return {
    async orderVerification(userId) {
      await limits.take({ key: userId, policies: MAILS })
      await jobs.enqueue(pool, mail, [{ kind: 'verify-email', userId }])
    },

    async verify({ token, password }, cookies) {
      const key = { tokenHash: tokenHash(token), purpose: 'verify' as const }
      const { user, email } = await userOf(key)
      if (!(await isKnownBy(cookies, user))) {
        if (password === undefined) throw passwordNeeded()
        if (!(await isPassword(user, password))) throw invalidCredentials()
      }
      await inTransaction(pool, async (tx) => {
        if (!(await verifyEmail(tx, { id: user.id, email, passwordHash: user.passwordHash }))) throw invalidToken()
        if (!(await deleteToken(tx, key))) throw invalidToken()
      })
    },

    async orderReset(email, clientKey) {
      await limits.take({ key: clientKey, policies: ORDERS })
      const user = await findCredentialByEmail(pool, email)
      // A random id if there is no account: the same work, and no mail is sent.
      const order = { kind: 'reset-password' as const, userId: user?.id ?? uuidv7() }
      if (await mayBeMailed(email)) await jobs.enqueue(pool, mail, [order])
    },

    async reset({ token, password, revokeAccess = false }, cookies) {
      const key = { tokenHash: tokenHash(token), purpose: 'reset' as const }
      const { user, email } = await userOf(key)
      const { id } = user
      refuseGuessable(password, user, 'body.password')
      const passwordHash = await passwords.hash(password) // before the transaction, which would hold a connection meanwhile
      await inTransaction(pool, async (tx) => {
        const account = await lockAccount(tx, id)
        if (!account || !(await deleteToken(tx, key))) throw invalidToken()
        const expected = account.passwordHash
        if (!(await verifyEmail(tx, { id, email, passwordHash: expected }))) throw invalidToken()
        if (!(await updatePassword(tx, { id, expected, passwordHash }))) throw invalidToken()
        const ended = await sessions.endAll(tx, id)
        await deleteTokensOf(tx, id, ['verify', 'reset'])
        const dropped =
          revokeAccess || !account.emailVerified
            ? await dropAccess(tx, granted, { userId: id, account, sessions: ended })
            : undefined
        await jobs.enqueue(tx, mail, [{ kind: 'password-changed', userId: id, dropped }])
      })
      return throttle.markDevice({ id, passwordHash }, cookies)
    },

    async changePassword(userId, { currentPassword, newPassword }, cookies) {
      const user = await findCredential(pool, userId)
      if (!user?.email)
        throw new ApiError(400, 'email_needed', 'An account without an e-mail address can’t be entered by password.')
      if (user.passwordHash !== null && !(await isPassword(user, currentPassword ?? '')))
        throw new ApiError(401, 'invalid_credentials', 'This is not the current password.')
      refuseGuessable(newPassword, user, 'body.newPassword')
      const passwordHash = await passwords.hash(newPassword)
      return inTransaction(pool, async (tx) => {
        const changed = await updatePassword(tx, { id: userId, expected: user.passwordHash, passwordHash })
        const proof = { by: 'password', passwordHash } as const
        const session = changed ? await sessions.replaceAll(tx, userId, proof) : undefined
        if (!session) throw new ApiError(401, 'invalid_credentials', 'The password was changed meanwhile.')
        await deleteTokensOf(tx, userId, ['reset'])
        await jobs.enqueue(tx, mail, [{ kind: 'password-changed', userId }])
        return [session, throttle.markDevice({ id: userId, passwordHash }, cookies)]
      })
    },
  }

  /** Whose a mailed token is. @throws ApiError 400 invalid_token */
  async function userOf(key: Parameters<typeof findTokenUser>[1]): Promise<{ user: Credential; email: string }> {
    const found = await findTokenUser(pool, key)
    const user = found && (await findCredential(pool, found.userId))
    if (!found || !user) throw invalidToken()
    return { user, email: found.email }
  }

  /** Whether the browser's session is the account's, opened by its password; by anything when it has none. */
  async function isKnownBy(cookies: string | undefined, user: Credential): Promise<boolean> {
    const session = await sessions.findPresented(cookies)
    return session?.userId === user.id && (session.openedBy === 'password' || user.passwordHash === null)
  }

  /** Counts what is wrong. @throws ApiError 429 rate_limited */
  async function isPassword(user: Credential, password: string): Promise<boolean> {
    await limits.take({ key: user.id, policies: GUESSES })
    if (!(await passwords.verify(user.passwordHash ?? undefined, password))) return false
    await limits.refund({ key: user.id, policies: GUESSES })
    return true
  }

  /** Whether another mail may go to this address. Not revealed to the caller, because the count belongs to the owner. */
  async function mayBeMailed(email: string): Promise<boolean> {
    const key = tokenHash(`mail\n${email}`).toString('base64url').slice(0, 22)
    try {
      await limits.take({ key, policies: MAILS })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) return false
      throw error
    }
  }
}
