// Who is an administrator: users that another administrator promoted, and the addresses of ADMIN_EMAILS.
import type { ProcessSettings } from '../../platform/config/settings.ts'

/** In production an address counts only once it is verified: otherwise the first to register it would be an administrator. */
export function isAdministrator(
  user: { isAdmin: boolean; email: string | null; emailVerified: boolean },
  settings: Pick<ProcessSettings, 'ADMIN_EMAILS' | 'NODE_ENV'>,
): boolean {
  if (user.isAdmin) return true
  const isNamed = user.email !== null && settings.ADMIN_EMAILS.includes(user.email)
  return isNamed && (user.emailVerified || settings.NODE_ENV !== 'production')
}
