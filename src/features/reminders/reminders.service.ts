// Decides at the end of a cooldown whether the voter is reminded, and writes the messages.
import type { Deps } from '../../deps.ts'
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { type Mail, mail } from '../mail/index.ts'
import { createPushMessage, type PushMessage } from '../push/index.ts'
import { reminderText } from './reminder-text.ts'
import { reminderPush, voteReminder } from './reminders.jobs.ts'
import {
  deleteGoneReminder,
  deleteLostReminders,
  deleteReminder,
  findSentReminder,
  lockReminder,
  rescheduleReminder,
  type SentReminder,
} from './reminders.sql.ts'

/** A vote is worth a reminder half a day later too. */
const PUSH_TTL_SECONDS = 12 * 3600

/** A voter gets no more reminders after this many in a row without a vote. */
const MAX_UNUSED = 3

/** The message and the next job are enqueued in the transaction of the decision, so each time is decided once. */
export async function runReminder(
  { pool, jobs }: Pick<Deps, 'pool' | 'jobs'>,
  { reminderId, dueAt }: { reminderId: string; dueAt: string },
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const due = await lockReminder(tx, { id: reminderId, dueAt })
    if (!due) return
    const { channel, unused, votableAt, isListed, nextAt } = due
    if (!isListed || (!votableAt && unused >= MAX_UNUSED)) {
      await deleteReminder(tx, reminderId)
      return
    }
    const next = votableAt
      ? { dueAt: votableAt, unused: 0, wasSent: false }
      : { dueAt: nextAt, unused: unused + 1, wasSent: true }
    await rescheduleReminder(tx, { id: reminderId, ...next })
    const payload = { reminderId, dueAt: next.dueAt.toISOString() }
    await jobs.enqueue(tx, voteReminder, [payload], { startAfter: next.dueAt })
    if (!next.wasSent) return
    if (channel === 'push') await jobs.enqueue(tx, reminderPush, [{ reminderId }])
    else await jobs.enqueue(tx, mail, [{ kind: 'vote-reminder', reminderId }])
  })
}

type WriterDeps = Pick<Deps, 'pool' | 'settings'>

/** @returns undefined if the reminder must no longer be sent */
export async function writeReminderMail(
  { pool, settings }: WriterDeps,
  { reminderId }: { reminderId: string },
): Promise<Mail | undefined> {
  const reminder = await findSentReminder(pool, reminderId)
  if (!reminder?.email) return undefined
  const base = settings.PUBLIC_BASE_URL
  const { title, body, open, off } = reminderText(reminder)
  return {
    to: reminder.email,
    subject: title,
    text: [body, `${open}:\n${voteLink(base, reminder)}`, `${off}:\n${offLink(base, reminderId)}`].join('\n\n'),
    unsubscribeUrl: `${base}/api/vote-reminders/off?id=${reminderId}`,
  }
}

/** @returns undefined if the reminder must no longer be sent */
export async function writeReminderPush(
  { pool, settings, secretCipher }: WriterDeps & { secretCipher: SecretCipher },
  reminderId: string,
): Promise<PushMessage | undefined> {
  const reminder = await findSentReminder(pool, reminderId)
  if (!reminder?.subscription) return undefined
  const { subscription } = reminder
  const base = settings.PUBLIC_BASE_URL
  return createPushMessage(pool, secretCipher, {
    id: reminderId,
    subscription,
    content: {
      ...reminderText(reminder),
      url: voteLink(base, reminder),
      offUrl: `${base}/api/vote-reminders/off?id=${reminderId}`,
    },
    ttlSeconds: PUSH_TTL_SECONDS,
    gone: () => deleteGoneReminder(pool, reminderId, subscription),
  })
}

/**
 * Names the player, so that the form is filled in on any device. A dot at the end would not be part of the link that
 * mail programs make of it.
 */
function voteLink(base: string, { serverId, username, gamePlatformId }: SentReminder): string {
  const player = Object.entries({ username, gamePlatformId }).filter(([, value]) => value !== '')
  const query = player.length ? `?${new URLSearchParams(player)}`.replace(/\.$/, '%2E') : ''
  return `${base}/vote/${serverId}${query}`
}

/** The page that ends a reminder. */
export const offLink = (base: string, reminderId: string) => `${base}/reminders/${reminderId}`

/** Runs daily. A repeated or parallel run does no harm. */
export async function runRemindersUpkeep(deps: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  deps.log.info({ reminders: await deleteLostReminders(deps.pool) }, 'lost reminders deleted')
  await reencrypt(deps, 'push', { table: 'push_keys', key: 'id', columns: ['private_key'] })
  await reencrypt(deps, 'push', { table: 'vote_reminders', key: 'id', columns: ['subscription'] })
}
