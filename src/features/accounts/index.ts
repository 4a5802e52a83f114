// The door of accounts: their endpoints, who a session belongs to, and what other rooms may do with an account.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Authenticator } from '../../platform/http/actor.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Pages } from '../../platform/http/pages.ts'
import type { Route } from '../../platform/http/route.ts'
import type { GrantedAccess } from './account-access.ts'
import { accountsRoutes } from './accounts.routes.ts'
import type { UserProfile } from './accounts.schema.ts'
import { createAccountsService } from './accounts.service.ts'
import { credentialsRoutes } from './credentials.routes.ts'
import { createCredentialsService } from './credentials.service.ts'
import { createLoginThrottle } from './login-throttle.ts'
import { accountPages } from './pages.ts'
import { createPasswords } from './passwords.ts'
import { profileRoutes } from './profile.routes.ts'
import { providerRoutes } from './provider.routes.ts'
import { createCookieJar } from './session-cookie.ts'
import { createSessions } from './sessions.ts'

export { email } from './account-fields.ts'
export { type AccountMailOrder, writeMail } from './account-mails.ts'
export { accountsUpkeep } from './accounts.jobs.ts'
export { UserProfile } from './accounts.schema.ts'
export { isAdministrator } from './administrators.ts'
export { PREFERENCE_DEFAULTS } from './preferences.service.ts'
export { requireLivingSession } from './sessions.ts'
export { runAccountsUpkeep } from './upkeep.service.ts'

export interface Accounts {
  routes: Route[]
  pages: Pages
  bySession: Authenticator['bySession']
  /** @returns undefined when there is no such account */
  findProfile(userId: string): Promise<UserProfile | undefined>
  /** Ends all sessions of a user in the caller's transaction. To ban one: first set `banned_at`, then this. */
  endSessions(db: Db, userId: string): Promise<number>
}

/** @param deps `granted`: handed over here, since the features that keep it build on accounts */
export function createAccounts(deps: Deps & { limits: Limits; granted: GrantedAccess }): Accounts {
  const { pool, jobs, settings, limits, granted } = deps
  const jar = createCookieJar(settings.PUBLIC_BASE_URL.startsWith('https:'))
  const passwords = createPasswords()
  const sessions = createSessions({ pool, settings, jar })
  const throttle = createLoginThrottle({ limits, secret: settings.APP_SECRET, jar })
  const accounts = createAccountsService({ pool, jobs, settings, passwords, sessions, throttle })
  const credentials = createCredentialsService({ pool, jobs, limits, passwords, sessions, throttle, granted })
  return {
    routes: [
      ...accountsRoutes({ accounts, sessions, jar }),
      ...credentialsRoutes({ credentials }),
      ...profileRoutes({ accounts, pool }),
      ...providerRoutes({ ...deps, sessions }),
    ],
    pages: accountPages,
    bySession: sessions.bySession,
    findProfile: accounts.findProfile,
    endSessions: sessions.endAll,
  }
}
