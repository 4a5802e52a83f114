// Changing a password and proving an e-mail address, with the old password or with a token from a mail.
import type * as z from 'zod'
import type { Deps } from '../../../deps.ts'
import { retryDeadlocks } from '../../../platform/db/deadlock.ts'
import { type Db, inTransaction } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { SessionActor } from '../../../platform/http/actor.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { LimitPolicy } from '../../../platform/http/limit-policy.ts'
import type { Limits } from '../../../platform/http/limits.ts'
import { mail } from '../../mail/index.ts'
import type { Confirmation, PasswordChange } from '../accounts.schema.ts'
import { deleteToken, deleteTokensOf, findTokenUser } from '../mails/email-tokens.sql.ts'
import type { MailAllowance, Recipient } from '../mails/mail-allowance.ts'
import { type Credential, findCredential, findMailUser, updatePassword, verifyEmail } from '../users.store.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { refuseOldSession } from './old-session.ts'
import { refuseGuessablePassword } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { requireActiveSession, type Sessions } from './sessions.ts'

/** Guesses at the current password with a session or a mailed token, for any operation that needs it. */
const GUESSES: LimitPolicy[] = [{ name: 'password-guess', limit: 5, windowSeconds: 900 }]

export type CredentialsService = ReturnType<typeof createCredentialsService>

type Holder = Pick<Credential, 'id' | 'passwordHash'>

export const invalidToken = () =>
  new ApiError(
    400,
    'invalid_token',
    'This token is unknown, was already used, has expired, or was replaced by a newer one.',
  )

const wrongPassword = (message: string) => new ApiError(401, 'invalid_credentials', message)
const passwordNeeded = () =>
  new ApiError(
    400,
    'password_needed',
    'Enter the account’s password, or confirm in the browser where you logged in with it. Not your account? Reset its password: ' +
      'that removes any access that other people have set up.',
  )

interface CredentialsOptions extends Pick<Deps, 'pool' | 'jobs'> {
  limits: Limits
  passwords: Passwords
  sessions: Sessions
  throttle: LoginThrottle
  allowance: MailAllowance
}

/** `cookies` is the Cookie header of the request. */
export function createCredentialsService(options: CredentialsOptions) {
  const { pool, jobs, limits, passwords, sessions, throttle, allowance } = options

  return {
    /** Mails the user a new token, if the address is not verified yet. @throws ApiError 429 rate_limited */
    async requestVerification(userId: string, clientKey: string): Promise<void> {
      await allowance.consumeRequest(clientKey)
      const user = await findMailUser(pool, userId)
      if (!user?.email || user.emailVerifiedAt) return
      await allowance.consumeMail({ email: user.email, standing: 'unproven' })
      await jobs.enqueue(pool, mail, [{ kind: 'verify-email', userId }])
    },

    /**
     * Verifies the address. Requires the account's password, or a session that the password opened: without either, the
     * account may belong to a person who typed another person's address. Removes no access.
     * @throws ApiError 400 invalid_token, password_needed; 401 invalid_credentials; 429 rate_limited
     */
    async verify({ token, password }: z.output<typeof Confirmation>, cookies: string | undefined): Promise<void> {
      const key = { tokenHash: hashToken(token), purpose: 'verify' as const }
      const user = await findTokenUser(pool, key)
      if (!user) throw invalidToken()
      if (!(await isKnownBy(cookies, user))) {
        if (password === undefined) throw passwordNeeded()
        if (!(await isPassword(user, password))) throw wrongPassword('The password is wrong.')
      }
      await inTransaction(pool, async (tx) => {
        if (!(await verifyEmail(tx, user))) throw invalidToken()
        if (!(await deleteToken(tx, key))) throw invalidToken()
      })
    },

    /**
     * Requires the account's password, if it has one.
     * @throws ApiError 401 invalid_credentials; 429 rate_limited
     */
    async requirePassword(userId: string, password: string | undefined): Promise<void> {
      const user = await findCredential(pool, userId)
      if (user) await requireCurrent(user, password)
    },

    /**
     * Sets the password, ends all sessions and opens a new one.
     * @param withdrawInvitations to the account's servers, in the transaction @returns how many there were
     * @returns the `Set-Cookie` headers of the session and of the device mark
     * @throws ApiError 400 email_needed, validation_failed; 401 invalid_credentials; 403
     * confirmation_needed; 429 rate_limited
     */
    async changePassword(
      actor: Pick<SessionActor, 'userId' | 'sessionId'>,
      { currentPassword, newPassword }: z.output<typeof PasswordChange>,
      {
        cookies,
        withdrawInvitations,
      }: { cookies: string | undefined; withdrawInvitations: (tx: Db) => Promise<number> },
    ) {
      const { userId } = actor
      const user = await findCredential(pool, userId)
      if (!user?.email)
        throw new ApiError(
          400,
          'email_needed',
          'This account has no e-mail address to log in with, so it can’t have a password.',
        )
      await requireCurrent(user, currentPassword)
      // Otherwise a session that was left open could set a password, then the first second factor,
      // and lock the owner out.
      await refuseOldSession(pool, actor, 'its first password')
      refuseGuessablePassword(newPassword, user, 'body.newPassword')
      const passwordHash = await passwords.hash(newPassword)
      // An address that is not verified may be another person's.
      const recipient = { email: user.email, standing: standingOf(user) }
      const isMailed = recipient.standing === 'proven' || (await allowance.mayBeMailed(recipient))
      const change = async (tx: Db) => {
        await requireActiveSession(tx, actor)
        const changed = await updatePassword(tx, { id: userId, expected: user.passwordHash, passwordHash })
        const proof = { by: 'password', passwordHash } as const
        const session = changed ? await sessions.replaceAll(tx, actor, proof) : undefined
        if (!session) throw new ApiError(401, 'invalid_credentials', 'The password was changed by another request.')
        await deleteTokensOf(tx, userId, ['reset'])
        const withdrawn = await withdrawInvitations(tx)
        if (isMailed) await jobs.enqueue(tx, mail, [{ kind: 'password-changed', userId, withdrawn }])
        return [session, throttle.markDevice({ id: userId, passwordHash }, cookies)]
      }
      return retryDeadlocks(() => inTransaction(pool, change))
    },
  }

  /**
   * Whether the browser has a session of the account that the password opened, or any session if the account has no
   * password.
   */
  async function isKnownBy(cookies: string | undefined, user: Holder): Promise<boolean> {
    const session = await sessions.findPresented(cookies)
    return session?.userId === user.id && (session.openedBy === 'password' || user.passwordHash === null)
  }

  /** An account without a password needs none. @throws ApiError 401 invalid_credentials, 429 rate_limited */
  async function requireCurrent(user: Holder, password: string | undefined): Promise<void> {
    if (user.passwordHash !== null && !(await isPassword(user, password ?? '')))
      throw wrongPassword('The current password is wrong.')
  }

  /** Checks the password and counts wrong ones. @throws ApiError 429 rate_limited */
  async function isPassword(user: Holder, password: string): Promise<boolean> {
    await limits.consume({ key: user.id, policies: GUESSES })
    if (!(await passwords.verify(user.passwordHash ?? undefined, password))) return false
    await limits.refund({ key: user.id, policies: GUESSES })
    return true
  }
}

export const standingOf = (user: Pick<Credential, 'emailVerifiedAt'> | null): Recipient['standing'] =>
  user ? (user.emailVerifiedAt ? 'proven' : 'unproven') : 'none'
