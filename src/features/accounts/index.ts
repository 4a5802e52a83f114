// Accounts: operations, session look-up, and what other features may do with an account.
import type { Deps } from '../../deps.ts'
import { createCookieJar } from '../../platform/http/cookies.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { accountsOperations } from './accounts.operations.ts'
import { providerOperations } from './identities/provider.operations.ts'
import { verificationOperations } from './login/credentials.operations.ts'
import { createCredentialsService } from './login/credentials.service.ts'
import { createLoginThrottle } from './login/login-throttle.ts'
import { createPasswordReset } from './login/password-reset.ts'
import { createPasswords } from './login/passwords.ts'
import { sessionsOperations } from './login/sessions.operations.ts'
import { createSessions } from './login/sessions.ts'
import { createMailAllowance } from './mails/mail-allowance.ts'
import { accountPages } from './pages.ts'
import { profileOperations } from './profile.operations.ts'
import { createFactorChecks } from './second-factor/checking.service.ts'
import { factorOperations } from './second-factor/factors.operations.ts'
import { createFactors } from './second-factor/factors.service.ts'
import { secondStepOperations } from './second-factor/second-step.operations.ts'
import { createSecondSteps } from './second-factor/second-step.service.ts'
import { createWebAuthn } from './second-factor/web-authn.ts'

export { email, enteredPassword, username } from './account-fields.ts'
export { Message, NotificationPreferences, PasswordChange, ResetConfirmation, ResetRequest } from './accounts.schema.ts'
export { type AdminSettings, isAdministrator } from './administrators.ts'
export { deleteIdentities } from './identities/identities.store.ts'
export { refuseOldSession } from './login/old-session.ts'
export { deleteSessionsOf } from './login/sessions.sql.ts'
export { requireActiveSession, requireUnendedSession } from './login/sessions.ts'
export { type AccountMailRequest, writeMail } from './mails/account-mails.ts'
export { MAILED_TOKEN_SCRIPT } from './pages.ts'
export { personalData } from './personal-data.ts'
export { PREFERENCE_DEFAULTS, withDefaultPreferences } from './preferences.ts'
export { findPreferences, mergePreferences, requireUser } from './profile.store.ts'
export { deleteSecondFactor, hasSecondFactor } from './second-factor/second-factor.sql.ts'
export { createSetupCode, removeSecondFactor, SETUP_CODE_MINUTES } from './second-factor/setup-codes.service.ts'
export { runAccountsUpkeep } from './upkeep.service.ts'
export { lockAccountShared } from './users.store.ts'

export type Accounts = ReturnType<typeof createAccounts>

interface AccountsOptions extends Deps {
  limits: Limits
}

export function createAccounts(deps: AccountsOptions) {
  const { settings, limits } = deps
  const jar = createCookieJar(settings.PUBLIC_BASE_URL.startsWith('https:'))
  const sessions = createSessions({ ...deps, jar })
  const throttle = createLoginThrottle({ limits, secret: settings.APP_SECRET, jar })
  const allowance = createMailAllowance(limits)
  const parts = { ...deps, jar, sessions, throttle, allowance, passwords: createPasswords() }
  const credentials = createCredentialsService(parts)
  const webAuthn = createWebAuthn(settings)
  const checks = createFactorChecks({ ...deps, webAuthn })
  const secondSteps = createSecondSteps({ ...parts, checks })
  return {
    operations: [
      ...accountsOperations(parts),
      ...secondStepOperations(secondSteps),
      ...verificationOperations(credentials),
    ],
    profileOperations: [...profileOperations(deps), ...sessionsOperations({ jar })],
    secondFactorOperations: factorOperations({
      pool: deps.pool,
      settings,
      credentials,
      checks,
      factors: createFactors({ ...deps, webAuthn }),
    }),
    /** Login with the accounts of other platforms. */
    providerOperations: providerOperations(parts),
    /** The account's part of a password reset. */
    passwordReset: createPasswordReset(parts),
    changePassword: credentials.changePassword,
    pages: accountPages,
    bySession: sessions.bySession,
    requirePassword: credentials.requirePassword,
    /** Whether a mailbox may get a further invitation of others now. */
    mayBeInvited: (email: string) => allowance.mayBeMailed({ email, standing: 'invited' }),
    /** @returns the header that clears the session's cookie */
    clearSession: () => jar.clear('session'),
  }
}
