// Sends one mail, which the feature that it is about writes.
import path from 'node:path'
import type { Deps } from '../../src/deps.ts'
import { writeMail } from '../../src/features/accounts/index.ts'
import { readAppearance } from '../../src/features/appearance/index.ts'
import { writeDuplicateSubscription } from '../../src/features/billing/index.ts'
import { writeTakenOver, writeTakeoverWarning } from '../../src/features/claims/index.ts'
import { writeContactMessage } from '../../src/features/contact/index.ts'
import { findCardImage } from '../../src/features/faces/index.ts'
import type { Mail, MailRequest } from '../../src/features/mail/index.ts'
import { writeDigest } from '../../src/features/notifications/index.ts'
import { writeReminderMail } from '../../src/features/reminders/index.ts'
import { writeHandedOver, writeInvitation } from '../../src/features/teams/index.ts'
import { writeWebhookDisabled } from '../../src/features/webhooks/index.ts'
import type { Db } from '../../src/platform/db/pool.ts'
import { createFileDelivery, createSmtpDelivery } from './delivery.ts'
import { composeMessage, type MailLook, parseSender } from './message.ts'

/**
 * Sends each mail at least once: one whose acceptance was not received is sent again with the same
 * Message-ID and links.
 * @returns a handler that throws PermanentJobError if a retry can't help; the job's id identifies the mail
 */
export function createMailHandler(deps: Pick<Deps, 'pool' | 'settings' | 'log'>) {
  const { settings, log } = deps
  const from = parseSender(settings.MAIL_FROM)
  const folder = path.resolve(settings.DATA_DIR, 'mail')
  const deliver = settings.SMTP_URL ? createSmtpDelivery(settings.SMTP_URL) : createFileDelivery(folder, log)
  if (!settings.SMTP_URL && settings.NODE_ENV === 'production')
    log.warn({ folder }, 'SMTP_URL is not set: mails are written to a folder instead of being sent')

  return async (request: MailRequest, signal: AbortSignal, jobId: string): Promise<void> => {
    const mail = await write(deps, request, jobId)
    if (!mail) return // there is no longer a recipient
    const look = await readLook(deps.pool)
    const message = composeMessage(mail, { from, id: jobId, base: settings.PUBLIC_BASE_URL, look })
    signal.throwIfAborted() // another worker has taken the job over
    await deliver(message, jobId, signal)
    await mail.sent?.()
  }
}

async function readLook(db: Db): Promise<MailLook> {
  const { name, accent, logoHash } = await readAppearance(db)
  return { name, accent, logo: logoHash === null ? undefined : await findCardImage(db, logoHash) }
}

/** The feature that writes each kind of mail. */
function write(deps: Pick<Deps, 'pool' | 'settings'>, request: MailRequest, jobId: string): Promise<Mail | undefined> {
  if (request.kind === 'listing-taken-over') return writeTakenOver(deps, request)
  if (request.kind === 'duplicate-subscription') return writeDuplicateSubscription(deps, request)
  if (request.kind === 'takeover-warning') return writeTakeoverWarning(deps, request, jobId)
  if (request.kind === 'webhook-disabled') return writeWebhookDisabled(deps, request)
  if (request.kind === 'server-invitation') return writeInvitation(deps, request)
  if (request.kind === 'server-handed-over') return writeHandedOver(deps, request)
  if (request.kind === 'notification-digest') return writeDigest(deps, request)
  if (request.kind === 'vote-reminder') return writeReminderMail(deps, request)
  if (request.kind === 'contact-message') return writeContactMessage(deps, request)
  return writeMail(deps, request, jobId)
}
