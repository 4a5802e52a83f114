// Registering and logging in.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { mail } from '../mail/index.ts'
import type { LoginThrottle, MarkedAccount } from './login/login-throttle.ts'
import { refuseGuessablePassword } from './login/password-rules.ts'
import type { Passwords } from './login/passwords.ts'
import type { Sessions } from './login/sessions.ts'
import type { MailAllowance } from './mails/mail-allowance.ts'
import { findProfile } from './profile.store.ts'
import { secondFactorNeeded } from './second-factor/second-step.service.ts'
import { findCredentialByEmail, insertUser, updatePassword } from './users.store.ts'

const invalidCredentials = () =>
  new ApiError(401, 'invalid_credentials', 'The e-mail address or the password is wrong.')

export const banned = () => new ApiError(403, 'forbidden', 'This account is banned.')

const emailTaken = () =>
  new ApiError(400, 'email_taken', 'An account already has this e-mail address. Log in, or reset its password.')

export interface AccountsOptions extends Pick<Deps, 'pool' | 'jobs' | 'settings'> {
  passwords: Passwords
  sessions: Sessions
  throttle: LoginThrottle
  allowance: MailAllowance
}

/** `cookies` is the Cookie header of the request. Both return the user and `Set-Cookie` headers. */
export function createAccountsService(options: AccountsOptions) {
  const { pool, jobs, settings, passwords, sessions, throttle, allowance } = options

  /** @param user `passwordHash`: the hash that was checked; the session is opened only if it is still the stored one */
  async function logIn(user: MarkedAccount, cookies: string | undefined) {
    const proof = { by: 'password', passwordHash: user.passwordHash } as const
    const login = await sessions.open({ userId: user.id, cookies, proof })
    if (!login) throw invalidCredentials()
    if ('secondStep' in login) throw await secondFactorNeeded(pool, user.id, login.secondStep)
    return {
      user: await findProfile(pool, settings, user.id),
      headers: [login.session, throttle.markDevice(user, cookies)],
    }
  }

  /** Replaces a hash with outdated parameters, since the password is known at login. @returns the stored hash */
  async function upToDate(user: MarkedAccount, password: string): Promise<string> {
    if (!passwords.isOutdated(user.passwordHash)) return user.passwordHash
    const passwordHash = await passwords.hash(password)
    const changed = await updatePassword(pool, { id: user.id, expected: user.passwordHash, passwordHash })
    return changed ? passwordHash : user.passwordHash
  }

  return {
    /**
     * Mails the address, unless its mailbox got enough mails within the hour.
     * @param caller.clientKey hash of the client's address
     * @throws ApiError 400 validation_failed, email_taken; 429 rate_limited
     */
    async register(
      { email, password, username }: { email: string; password: string; username: string },
      { clientKey, cookies }: { clientKey: string; cookies: string | undefined },
    ) {
      refuseGuessablePassword(password, { email, username }, 'body.password')
      await allowance.consumeRequest(clientKey)
      if (await findCredentialByEmail(pool, email)) throw emailTaken()
      const user = { id: uuidv7(), email, username, passwordHash: await passwords.hash(password) }
      await inTransaction(pool, async (tx) => {
        if (!(await insertUser(tx, user))) throw emailTaken()
        if (await allowance.mayBeMailed({ email, standing: 'unproven' }))
          await jobs.enqueue(tx, mail, [{ kind: 'verify-email', userId: user.id }])
      })
      return logIn(user, cookies)
    },

    /**
     * @param caller.clientKey hash of the client's address
     * @throws ApiError 401 invalid_credentials, or second_factor_needed if they are right; 403 forbidden when
     * banned; 429 rate_limited
     */
    async login(
      { email, password }: { email: string; password: string },
      caller: { clientKey: string; cookies: string | undefined },
    ) {
      const user = await findCredentialByEmail(pool, email)
      const stored = user?.passwordHash ?? undefined
      const account = user && stored !== undefined ? { id: user.id, passwordHash: stored } : undefined
      const refund = await throttle.attempt({ email, account }, caller)
      const isRight = await passwords.verify(stored, password)
      if (!isRight || !user || !account) throw invalidCredentials()
      if (user.bannedAt) throw banned()
      await refund()
      return logIn({ id: user.id, passwordHash: await upToDate(account, password) }, caller.cookies)
    },
  }
}
