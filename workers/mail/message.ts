// A mail as the transport gets it: one recipient, and nothing in it that could become a header of its own.
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../../src/features/mail/index.ts'
import { Hopeless } from '../hopeless.ts'

interface Sender {
  name: string
  address: string
}

/** @param setting MAIL_FROM: `Name <address>`, or an address alone */
export function parseSender(setting: string): Sender {
  const [, name = '', address = setting] = /^(.*)<(.*)>$/u.exec(setting) ?? []
  return { name: name.trim(), address }
}

/** One mailbox and nothing else: no list, no group, no comment, no line break. */
const MAILBOX = /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@[^\s\p{C}<>()[\]\\,;:"@]{1,255}$/u
const MAX_SUBJECT = 200

/**
 * @param id the job's: the same at each attempt, so that a mail that arrives twice can be told to be one
 * @throws Hopeless when the recipient is no single address
 */
export function composeMessage(
  { to, subject, text }: Mail,
  { from, id }: { from: Sender; id: string },
): SendMailOptions {
  if (!MAILBOX.test(to)) throw new Hopeless('the recipient is no e-mail address')
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject: subject
      .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, MAX_SUBJECT),
    text,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // RFC 3834: no automatic reply is wanted.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
