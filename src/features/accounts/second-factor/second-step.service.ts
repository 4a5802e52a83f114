// The second step of a login: a session is opened only with it. The first step is a password or an identity,
// and a cookie names it.
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { CookieJar, SetCookie } from '../../../platform/http/cookies.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { LoginThrottle } from '../login/login-throttle.ts'
import type { Sessions } from '../login/sessions.ts'
import { findProfile } from '../profile.store.ts'
import { findCredential } from '../users.store.ts'
import type { FactorChecks } from './checking.service.ts'
import { type LoginStep, STEP_MINUTES } from './login-steps.sql.ts'
import type { SecondFactorAnswer } from './second-factor.schema.ts'
import { findMethods } from './second-factor.sql.ts'

/** The answer to a right password. @param cookie names the login, which waits for its second step */
export async function secondFactorNeeded(db: Db, userId: string, cookie: SetCookie): Promise<ApiError> {
  const expiresAt = new Date(Date.now() + STEP_MINUTES * 60_000).toISOString()
  return new ApiError(
    401,
    'second_factor_needed',
    'The password is right. Complete the login with the account’s second factor (`POST /auth/second-step`).',
    { fields: { methods: await findMethods(db, userId), expiresAt }, headers: { 'Set-Cookie': cookie[1] } },
  )
}

const noStep = () =>
  new ApiError(401, 'unauthenticated', 'No login waits for its second step here, or it took too long. Log in again.')

interface SecondStepOptions extends Pick<Deps, 'pool' | 'settings'> {
  jar: CookieJar
  sessions: Sessions
  throttle: LoginThrottle
  checks: FactorChecks
}

export type SecondSteps = ReturnType<typeof createSecondSteps>

/** `cookies` is the Cookie header. */
export function createSecondSteps({ pool, settings, jar, sessions, throttle, checks }: SecondStepOptions) {
  async function requireStep(cookies: string | undefined): Promise<LoginStep> {
    const step = await sessions.findStep(cookies)
    if (!step) throw noStep()
    return step
  }
  const subjectOf = ({ userId, tokenHash: boundTo }: LoginStep) => ({ userId, boundTo, purpose: 'login' }) as const

  return {
    /** @throws ApiError 401 unauthenticated */
    async read(cookies: string | undefined) {
      const { userId, expiresAt } = await requireStep(cookies)
      return { methods: await findMethods(pool, userId), expiresAt }
    },

    /** @throws ApiError 401 unauthenticated */
    beginPasskey: async (cookies: string | undefined) => checks.beginPasskey(subjectOf(await requireStep(cookies))),

    /**
     * @returns the user and `Set-Cookie` headers
     * @throws ApiError 401 unauthenticated, invalid_credentials; 429 rate_limited
     */
    async complete(
      answer: SecondFactorAnswer,
      { clientKey, cookies }: { clientKey: string; cookies: string | undefined },
    ) {
      const step = await requireStep(cookies)
      const { userId } = step
      await checks.require(subjectOf(step), answer, clientKey)
      const session = await sessions.completeStep(step, cookies)
      if (!session) throw noStep()
      const headers = [session, jar.clear('second_step')]
      const passwordHash = (await findCredential(pool, userId))?.passwordHash
      if (step.openedBy === 'password' && passwordHash)
        headers.push(throttle.markDevice({ id: userId, passwordHash }, cookies))
      return { user: await findProfile(pool, settings, userId), headers }
    },
  }
}
