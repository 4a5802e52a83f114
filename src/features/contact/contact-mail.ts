// The mail of kind `contact-message`: the message, to the people who run the directory, with the sender as Reply-To.
import { validate as isUuid } from 'uuid'
import type { Deps } from '../../deps.ts'
import type { Mail } from '../mail/index.ts'
import { findMessage } from './contact.store.ts'
import { contactRecipients } from './contact-recipients.ts'

/** @returns undefined if there are no recipients or the message was deleted */
export async function writeContactMessage(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  { contactId }: { contactId: string },
): Promise<Mail | undefined> {
  const to = contactRecipients(settings)
  const found = to.length && isUuid(contactId) ? await findMessage(pool, contactId) : null
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
