// A mail as the transport gets it: its recipients, and nothing in it that could become a header of its own.
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../../src/features/mail/index.ts'
import { PermanentJobError } from '../permanent-job-error.ts'

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
const MAX_NAME = 100

/**
 * @param id the job's: the same at each attempt, so that a mail that arrives twice can be told to be one
 * @throws PermanentJobError when the recipient is no single address
 */
export function composeMessage(
  { to, replyTo, subject, text }: Mail,
  { from, id }: { from: Sender; id: string },
): SendMailOptions {
  const recipients = typeof to === 'string' ? [to] : [...to]
  if (!recipients.length || !recipients.every((address) => MAILBOX.test(address)))
    throw new PermanentJobError('the recipient is no e-mail address')
  if (replyTo && !MAILBOX.test(replyTo.address))
    throw new PermanentJobError('who an answer goes to has no e-mail address')
  return {
    from,
    to: recipients.map((address) => ({ name: '', address })),
    envelope: { from: from.address, to: recipients },
    ...(replyTo ? { replyTo: { name: oneLine(replyTo.name, MAX_NAME), address: replyTo.address } } : {}),
    subject: oneLine(subject, MAX_SUBJECT),
    text,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // RFC 3834: no automatic reply is wanted.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** What can't be a line of its own, nor turn the text around. */
const oneLine = (text: string, max: number): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, max)
