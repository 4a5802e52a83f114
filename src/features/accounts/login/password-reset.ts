// What a password reset does to the account itself. The feature `password-reset` runs these steps and revokes the
// access that other features grant.
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { mail } from '../../mail/index.ts'
import type { ResetConfirmation } from '../accounts.schema.ts'
import { deleteToken, deleteTokensOf, findTokenUser } from '../mails/email-tokens.sql.ts'
import type { MailAllowance } from '../mails/mail-allowance.ts'
import { findCredentialByEmail, lockAccount, updatePassword, verifyEmail } from '../users.store.ts'
import { invalidToken, standingOf } from './credentials.service.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { refuseGuessablePassword } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { countPushBrowsers, deleteSessionsOf } from './sessions.sql.ts'

interface PasswordResetOptions extends Pick<Deps, 'pool' | 'jobs'> {
  passwords: Passwords
  throttle: LoginThrottle
  allowance: MailAllowance
}

/** A reset whose token was valid and whose password follows the rules. */
interface PreparedReset {
  tokenHash: Buffer
  userId: string
  email: string
  passwordHash: string
}

export function createPasswordReset({ pool, jobs, passwords, throttle, allowance }: PasswordResetOptions) {
  return {
    /**
     * Enqueues the mail with the token if the account exists. Works and takes equally long if it does not.
     * @throws ApiError 429 rate_limited
     */
    async request(email: string, clientKey: string): Promise<void> {
      await allowance.consumeRequest(clientKey)
      const user = await findCredentialByEmail(pool, email)
      // If the account does not exist, a random id takes its place: the same work, and no mail is sent.
      const request = { kind: 'reset-password' as const, userId: user?.id ?? uuidv7() }
      if (await allowance.mayBeMailed({ email, standing: standingOf(user) })) await jobs.enqueue(pool, mail, [request])
    },

    /**
     * Checks the token and hashes the password, before a transaction holds a connection.
     * @throws ApiError 400 invalid_token, validation_failed
     */
    async prepare({ token, password }: z.output<typeof ResetConfirmation>): Promise<PreparedReset> {
      const hash = hashToken(token)
      const user = await findTokenUser(pool, { tokenHash: hash, purpose: 'reset' })
      if (!user) throw invalidToken()
      refuseGuessablePassword(password, user, 'body.password')
      const passwordHash = await passwords.hash(password)
      return { tokenHash: hash, userId: user.id, email: user.email, passwordHash }
    },

    /**
     * Sets the password, verifies the address, because the caller has read its mail, and ends all sessions.
     * @returns the account as it was before, how many browsers got its alerts, and how many sessions ended
     * @throws ApiError 400 invalid_token
     */
    async apply(tx: Db, { userId: id, email, passwordHash, ...reset }: PreparedReset) {
      const account = await lockAccount(tx, id)
      if (!account || !(await deleteToken(tx, { tokenHash: reset.tokenHash, purpose: 'reset' }))) throw invalidToken()
      const expected = account.passwordHash
      if (!(await verifyEmail(tx, { id, email, passwordHash: expected }))) throw invalidToken()
      if (!(await updatePassword(tx, { id, expected, passwordHash }))) throw invalidToken()
      const pushBrowsers = await countPushBrowsers(tx, id)
      const sessions = await deleteSessionsOf(tx, id)
      await deleteTokensOf(tx, id, ['verify', 'reset'])
      const { emailVerified, hasChat, hasGamePlatform } = account
      return { emailVerified, hasChat, hasGamePlatform, pushBrowsers, sessions }
    },

    /**
     * @param cookies the Cookie header of the request
     * @returns the `Set-Cookie` header of the device mark, so that other callers' failed attempts do not throttle the
     *   next login
     */
    markDevice: ({ userId, passwordHash }: PreparedReset, cookies: string | undefined) =>
      throttle.markDevice({ id: userId, passwordHash }, cookies),
  }
}
