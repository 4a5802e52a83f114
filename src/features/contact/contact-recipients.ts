// Who receives the messages of the contact form.
import type { Settings } from '../../platform/config/settings.ts'

/** @returns CONTACT_EMAIL, else the administrators of ADMIN_EMAILS; empty if neither is set: messages are then only stored */
export const contactRecipients = (settings: Pick<Settings, 'CONTACT_EMAIL' | 'ADMIN_EMAILS'>): string[] =>
  settings.CONTACT_EMAIL ? [settings.CONTACT_EMAIL] : settings.ADMIN_EMAILS
