// Accounts: operations, session look-up, and what other features may do with an account.
import type { Deps } from '../../deps.ts'
import type { Authenticator } from '../../platform/http/actor.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Operation } from '../../platform/http/operation.ts'
import type { Pages } from '../../platform/http/pages.ts'
import { accountsOperations } from './accounts.operations.ts'
import { createAccountsService } from './accounts.service.ts'
import { deletionOperations } from './deletion.operations.ts'
import type { DeleteAccount } from './deletion.service.ts'
import { providerOperations } from './identities/provider.operations.ts'
import type { GrantedAccess } from './login/account-access.ts'
import { credentialsOperations } from './login/credentials.operations.ts'
import { createCredentialsService } from './login/credentials.service.ts'
import { createLoginThrottle } from './login/login-throttle.ts'
import { createPasswords } from './login/passwords.ts'
import { createCookieJar } from './login/session-cookie.ts'
import { sessionsOperations } from './login/sessions.operations.ts'
import { createSessions } from './login/sessions.ts'
import { accountPages } from './pages.ts'
import { profileOperations } from './profile.operations.ts'

export { email } from './account-fields.ts'
export { accountsUpkeep } from './accounts.jobs.ts'
export { NotificationPreferences } from './accounts.schema.ts'
export { isAdministrator } from './administrators.ts'
export { deleteSessionsOf } from './login/sessions.sql.ts'
export { requireLivingSession } from './login/sessions.ts'
export { type AccountMailOrder, writeMail } from './mails/account-mails.ts'
export { MAILED_TOKEN_SCRIPT } from './pages.ts'
export { PREFERENCE_DEFAULTS, withDefaults } from './preferences.ts'
export { findPreferences, mergePreferences } from './profile.store.ts'
export { runAccountsUpkeep } from './upkeep.service.ts'

export interface Accounts {
  routes: Operation[]
  pages: Pages
  bySession: Authenticator['bySession']
}

interface AccountsOptions extends Deps {
  limits: Limits
  // Passed in, because the features that implement these depend on accounts.
  granted: GrantedAccess
  deleteAccount: DeleteAccount
}

export function createAccounts(deps: AccountsOptions): Accounts {
  const { pool, jobs, settings, limits, granted } = deps
  const jar = createCookieJar(settings.PUBLIC_BASE_URL.startsWith('https:'))
  const passwords = createPasswords()
  const sessions = createSessions({ pool, settings, jar })
  const throttle = createLoginThrottle({ limits, secret: settings.APP_SECRET, jar })
  const accounts = createAccountsService({ pool, jobs, settings, passwords, sessions, throttle })
  const credentials = createCredentialsService({ pool, jobs, limits, passwords, sessions, throttle, granted })
  return {
    routes: [
      ...accountsOperations({ accounts, sessions, jar }),
      ...credentialsOperations({ credentials }),
      ...profileOperations(deps),
      ...sessionsOperations,
      ...deletionOperations({ ...deps, jar, credentials }),
      ...providerOperations({ ...deps, sessions }),
    ],
    pages: accountPages,
    bySession: sessions.bySession,
  }
}
