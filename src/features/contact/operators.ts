// Who is written to when somebody uses the contact form.
import type { Settings } from '../../platform/config/settings.ts'

/** @returns CONTACT_EMAIL, else the administrators of ADMIN_EMAILS; empty: messages are only kept */
export const operatorsOf = (settings: Pick<Settings, 'CONTACT_EMAIL' | 'ADMIN_EMAILS'>): string[] =>
  settings.CONTACT_EMAIL ? [settings.CONTACT_EMAIL] : settings.ADMIN_EMAILS
