// Messages to users, by mail and chat: ordered when due, written from what is pending, and only then no longer pending.
import type { Deps } from '../../deps.ts'
import type { Vault } from '../../platform/config/vault.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { type Mail, mail } from '../mail/index.ts'
import { deleteChatWebhook, findChatWebhook } from './chat-webhooks.sql.ts'
import { type DigestText, digestText } from './digest-text.ts'
import {
  deleteTold,
  findAddress,
  findPending,
  holdDigest,
  type PendingNotice,
  settleDigest,
  subtractTold,
  takeDue,
} from './digests.sql.ts'
import { URGENT_EVENTS, URGENT_WINDOW_SECONDS } from './notices.service.ts'
import type { Channel } from './notices.sql.ts'
import { chatMessage } from './notifications.jobs.ts'

/** Ordered in one transaction. */
const PART = 500

export type DigestDeps = Pick<Deps, 'pool'> & {
  settings: Pick<Deps['settings'], 'NOTIFICATION_DIGEST_MINUTES' | 'PUBLIC_BASE_URL'>
}

/** Orders every message that is due: each user's at most once until it was sent. @returns how many */
export async function orderDigests({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  let ordered = 0
  for (;;) {
    const due = await inTransaction(pool, async (tx) => {
      const taken = await takeDue(tx, PART)
      const usersOf = (channel: Channel) => taken.filter((digest) => digest.channel === channel)
      const mails = usersOf('email').map(({ userId }) => ({ kind: 'notification-digest' as const, userId }))
      const chats = usersOf('chat').map(({ userId }) => ({ userId }))
      if (mails.length) await jobs.enqueue(tx, mail, mails)
      if (chats.length) await jobs.enqueue(tx, chatMessage, chats)
      return taken.length
    })
    ordered += due
    if (due < PART) return ordered
  }
}

/**
 * The mail of what is pending now. `sent` takes exactly that out of what is pending; a worker that dies between the two
 * sends it again, with the same Message-ID.
 * @returns undefined when there is nobody to write to or nothing to tell any more
 */
export async function writeDigest(deps: DigestDeps, { userId }: { userId: string }): Promise<Mail | undefined> {
  const to = await findAddress(deps.pool, userId)
  const digest = await openDigest(deps, userId, 'email', to !== undefined)
  if (!digest || to === undefined) return undefined
  const base = deps.settings.PUBLIC_BASE_URL
  return {
    to,
    subject: digest.subject,
    text: `${digest.lines.join('\n')}

This comes from ${base}.
All news: GET ${base}/api/user/notifications
To get fewer mails: PATCH ${base}/api/user/notification-preferences
or, for one server, PUT ${base}/api/servers/{id}/notifications
`,
    sent: digest.sent,
  }
}

export interface ChatMessage {
  /** Where it goes: a secret. */
  url: string
  lines: string[]
  /** To be called once it was taken. */
  sent(): Promise<void>
  /** To be called when the address says that it is none any more: it is forgotten. */
  gone(): Promise<void>
}

/** The same for a chat. */
export async function writeChatMessage(
  deps: DigestDeps & { vault: Vault },
  userId: string,
): Promise<ChatMessage | undefined> {
  const { pool, vault } = deps
  const sealed = await findChatWebhook(pool, userId)
  const digest = await openDigest(deps, userId, 'chat', sealed !== undefined)
  if (!digest || sealed === undefined) return undefined
  return {
    url: vault.open('chat', sealed),
    lines: digest.lines,
    sent: digest.sent,
    async gone() {
      await deleteChatWebhook(pool, userId, sealed)
      await digest.sent()
    },
  }
}

/** @param canSend false: what is pending is forgotten, since there is no way to tell it */
async function openDigest(
  deps: DigestDeps,
  userId: string,
  channel: Channel,
  canSend: boolean,
): Promise<(DigestText & { sent(): Promise<void> }) | undefined> {
  const { pool, settings } = deps
  const pending = await findPending(pool, userId, channel)
  const text = canSend ? digestText(pending) : undefined
  const end = (told: PendingNotice[], wasSent: boolean) =>
    inTransaction(pool, async (tx) => {
      await subtractTold(tx, userId, channel, told)
      await deleteTold(tx, userId, channel)
      await holdDigest(tx, userId, channel) // only now: news, too, lock what is pending first
      const window = settings.NOTIFICATION_DIGEST_MINUTES * 60
      const urgentWindow = Math.min(URGENT_WINDOW_SECONDS, window)
      await settleDigest(tx, userId, channel, { wasSent, window, urgentWindow, urgent: URGENT_EVENTS })
    })
  if (!text) {
    await end(pending, false)
    return undefined
  }
  return { ...text, sent: () => end(pending, true) }
}
