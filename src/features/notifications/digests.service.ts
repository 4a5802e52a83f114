// Messages to users by mail and chat: enqueued when due, written from the pending notices, which are deleted once sent.
import { hash } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { pageLink } from '../../platform/http/page-link.ts'
import { type Mail, mail } from '../mail/index.ts'
import { serverLink } from '../servers/index.ts'
import { deleteChatWebhook, findChatWebhook } from './chat-webhooks.store.ts'
import { type DigestText, digestText } from './digest-text.ts'
import {
  allowsChannel,
  completeDigest,
  type Digest,
  deleteSent,
  findMailAddress,
  findPending,
  leaseDue,
  lockDigest,
  subtractSent,
} from './digests.sql.ts'
import { URGENT_EVENTS } from './events.ts'
import { mailSettingsLink, mailSettingsToken } from './mail-settings.ts'
import { URGENT_WINDOW_SECONDS } from './notices.service.ts'
import type { Channel } from './notices.sql.ts'
import { chatMessage } from './notifications.jobs.ts'

/** Messages enqueued in one transaction. */
const PART = 500

const EDITION_LENGTH = 16

type DigestDeps = Pick<Deps, 'pool' | 'settings'>

/** Enqueues all messages that are due: each user's at most once until it was sent. @returns how many */
export async function enqueueDigests({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  let enqueued = 0
  for (;;) {
    const due = await inTransaction(pool, async (tx) => {
      const taken = await leaseDue(tx, PART)
      const usersOf = (channel: Channel) => taken.filter((digest) => digest.channel === channel)
      const mails = usersOf('email').map(({ userId }) => ({ kind: 'notification-digest' as const, userId }))
      const chats = usersOf('chat').map(({ userId }) => ({ userId }))
      if (mails.length) await jobs.enqueue(tx, mail, mails)
      if (chats.length) await jobs.enqueue(tx, chatMessage, chats)
      return taken.length
    })
    enqueued += due
    if (due < PART) return enqueued
  }
}

/**
 * Writes the mail with the notices pending now. `sent` deletes exactly these; if the worker ends before that, the mail
 * is sent again: with the same Message-ID, unless it has other news by then.
 * @returns undefined if there is no recipient or nothing left to report
 */
export async function writeDigest(deps: DigestDeps, { userId }: { userId: string }): Promise<Mail | undefined> {
  const to = await findMailAddress(deps.pool, userId)
  const digest = await openDigest(deps, { userId, channel: 'email' }, { hasAddress: to !== undefined })
  if (!digest || to === undefined) return undefined
  const base = deps.settings.PUBLIC_BASE_URL
  const token = mailSettingsToken(deps.settings, userId, to)
  const alerts = digest.alerts.map(({ id, title }) => `  - ${title}: ${alertLink(base, id)}`)
  const about = [
    ...digest.servers.map(({ id, name }) => `  - ${name}: ${serverLink(base, id)}`),
    ...digest.auctions.map(({ title, paths }) => `  - ${title}: ${pageLink(deps.settings, paths)}`),
  ]
  const text = [
    digest.lines.map(({ text }) => text).join('\n'),
    ...(about.length ? [`This is about:\n${about.join('\n')}`] : []),
    ...(alerts.length ? [`To end one of these alerts:\n${alerts.join('\n')}`] : []),
    `To change what is sent, or to get no more of these mails:\n${mailSettingsLink(base, token)}`,
  ].join('\n\n')
  return {
    to,
    subject: digest.subject,
    text,
    edition: hash('sha256', text, 'base64url').slice(0, EDITION_LENGTH),
    unsubscribeUrl: `${base}/api/notifications/unsubscribe?token=${token}`,
    sent: digest.sent,
  }
}

export interface ChatMessage {
  /** Address of the chat webhook: a secret. */
  url: string
  lines: { text: string; link?: string | undefined }[]
  /** Ends of the alerts among them, as lines with links to this service. */
  alertLines: string[]
  /** Call it once the message was accepted. */
  sent(): Promise<void>
  /**
   * Call it if the webhook no longer exists: deletes its address and the message.
   * @returns false if the user has set another since, which is to get the message
   */
  gone(): Promise<boolean>
}

/** Writes the chat message with the notices pending now. @returns undefined as `writeDigest` does */
export async function writeChatMessage(
  deps: DigestDeps & { secretCipher: SecretCipher },
  userId: string,
): Promise<ChatMessage | undefined> {
  const { pool, secretCipher, settings } = deps
  const encrypted = await findChatWebhook(pool, userId)
  const digest = await openDigest(deps, { userId, channel: 'chat' }, { hasAddress: encrypted !== undefined })
  if (!digest || encrypted === undefined) return undefined
  return {
    url: secretCipher.decrypt('chat', encrypted),
    lines: digest.lines.map(({ text, paths }) => ({ text, link: paths && pageLink(settings, paths) })),
    alertLines: digest.alerts.map(({ id }) => `<${alertLink(settings.PUBLIC_BASE_URL, id)}>`),
    sent: digest.sent,
    async gone() {
      const isDeleted = await deleteChatWebhook(pool, userId, encrypted)
      if (isDeleted) await digest.sent()
      return isDeleted
    },
  }
}

/** On which its user ends an alert. */
const alertLink = (base: string, id: string) => `${base}/alerts/${id}`

type OpenDigest = DigestText & { sent(): Promise<void> }

/**
 * @param options.hasAddress false: the user cannot be reached, so pending notices are deleted, as after the
 * channel was switched off
 */
async function openDigest(
  { pool, settings }: DigestDeps,
  digest: Digest,
  { hasAddress }: { hasAddress: boolean },
): Promise<OpenDigest | undefined> {
  const pending = await findPending(pool, digest)
  const canSend = hasAddress && (await allowsChannel(pool, digest))
  const text = canSend ? digestText(pending) : undefined
  const complete = ({ wasSent }: { wasSent: boolean }) =>
    inTransaction(pool, async (tx) => {
      await subtractSent(tx, digest, pending)
      await deleteSent(tx, digest)
      await lockDigest(tx, digest) // last: handling a notice locks pending rows first, too
      const window = settings.NOTIFICATION_DIGEST_MINUTES * 60
      const urgentWindow = Math.min(URGENT_WINDOW_SECONDS, window)
      await completeDigest(tx, digest, { wasSent, window, urgentWindow, urgent: URGENT_EVENTS })
    })
  if (!text) {
    await complete({ wasSent: false })
    return undefined
  }
  return { ...text, sent: () => complete({ wasSent: true }) }
}
