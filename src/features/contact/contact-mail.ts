// The mail of kind `contact-message`: what somebody wrote, to the operators, who answer the sender.
import { validate as isUuid } from 'uuid'
import type { Deps } from '../../deps.ts'
import type { Mail } from '../mail/index.ts'
import { findMessage } from './contact.sql.ts'
import { operatorsOf } from './operators.ts'

/** @returns undefined when there is nobody to write to, or the message was deleted */
export async function writeContactMessage(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  { contactId }: { contactId: string },
): Promise<Mail | undefined> {
  const to = operatorsOf(settings)
  const given = to.length && isUuid(contactId) ? await findMessage(pool, contactId) : undefined
  if (!given) return undefined
  const { name, email, subject, message, createdAt } = given
  return {
    to,
    replyTo: { name, address: email },
    subject: `Contact: ${subject || name}`,
    text: [
      `${name} <${email}> wrote by the contact form of ${settings.PUBLIC_BASE_URL} at ${createdAt.toISOString()}.`,
      'The name and the address are what was typed there: nobody has proved them.',
      message,
    ].join('\n\n'),
  }
}
