// Mails a message of the contact form to the operators, and deletes old messages.
import type { Deps } from '../../deps.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import type { Mail } from '../mail/index.ts'
import { deleteOldMessages, findMessage } from './contact.store.ts'

/**
 * @returns CONTACT_EMAIL, else the administrators of ADMIN_EMAILS; empty if neither is set: messages
 * are then only stored
 */
export const contactRecipients = (settings: Pick<ProcessSettings, 'CONTACT_EMAIL' | 'ADMIN_EMAILS'>): string[] =>
  settings.CONTACT_EMAIL ? [settings.CONTACT_EMAIL] : settings.ADMIN_EMAILS

/**
 * The mail of kind `contact-message`, with the sender as Reply-To.
 * @returns undefined if there are no recipients or the message was deleted
 */
export async function writeContactMessage(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  { contactId }: { contactId: string },
): Promise<Mail | undefined> {
  const to = contactRecipients(settings)
  const found = to.length ? await findMessage(pool, contactId) : null
  if (!found) return undefined
  const { name, email, subject, message, createdAt } = found
  return {
    to,
    replyTo: { name, address: email },
    subject: `Contact: ${subject || name}`,
    text: [
      `${name} <${email}> used the contact form of ${settings.PUBLIC_BASE_URL} at ${createdAt.toISOString()}.`,
      'The name and the address are as the sender typed them. They are not verified.',
      message,
    ].join('\n\n'),
  }
}

export async function runContactRetention({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ messages: await deleteOldMessages(pool) }, 'old contact messages deleted')
}
