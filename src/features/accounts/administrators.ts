// Administrators are users whom another administrator promoted, and users with an address in ADMIN_EMAILS.
import type { ProcessSettings } from '../../platform/config/settings.ts'

export type AdminSettings = Pick<ProcessSettings, 'ADMIN_EMAILS' | 'NODE_ENV'>

interface Account {
  isAdmin: boolean
  email: string | null
  emailVerified: boolean
}

/**
 * In production only verified addresses count. Otherwise the first to register such an address would become an
 * administrator.
 */
export function isAdministrator(user: Account, settings: AdminSettings): boolean {
  if (user.isAdmin) return true
  const isNamed = user.email !== null && settings.ADMIN_EMAILS.includes(user.email)
  return isNamed && (user.emailVerified || settings.NODE_ENV !== 'production')
}

export type StaffAccount = Account & { isModerator: boolean }
export type StaffSettings = AdminSettings & Pick<ProcessSettings, 'REQUIRE_SECOND_FACTOR'>

/** Whether the rights of an account need a second factor: without one they can't be used. */
export const needsSecondFactor = (user: StaffAccount, settings: StaffSettings): boolean =>
  settings.REQUIRE_SECOND_FACTOR && (user.isModerator || isAdministrator(user, settings))
