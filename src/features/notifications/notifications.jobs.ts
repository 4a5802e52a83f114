// The jobs of notifications: handle a notice, enqueue due messages, send a chat message, and the daily maintenance.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'
import { NOTICE_EVENTS } from './events.ts'

/** Recipients whom one notice names. */
export const MAX_NOTICE_USERS = 500

/**
 * An event to notify about, enqueued in the transaction of the event. With `userId` it is for that user, with `userIds`
 * for these; without, for the server's owner and subscribers. `data` is used in the text (`NoticeData` in `events.ts`).
 */
export const Notice = z.object({
  event: z.enum(NOTICE_EVENTS),
  at: z.iso.datetime({ precision: 3 }),
  serverId: z.uuid().optional(),
  userId: z.uuid().optional(),
  userIds: z.array(z.uuid()).max(MAX_NOTICE_USERS).optional(),
  data: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
})
export type Notice = z.output<typeof Notice>

export const notify = defineJob('notify', Notice, {
  expireInSeconds: 300,
  // 5 s, 10 s, 20 s …: together about six hours, since no other job notifies a winner that an auction is to be paid.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deleteAfterSeconds: 86_400,
})

/** Each minute: enqueues the messages that are due. */
export const notificationDigests = defineScheduledJob('notification-digests', {
  cadence: 'minutes',
  expireInSeconds: 300,
})

/** One message to a user's chat, with the notices pending when it is written. The job has neither address nor text. */
export const chatMessage = defineJob('chat-message', z.object({ userId: z.uuid() }), {
  expireInSeconds: 60,
  // 30 s, 1 min, 2 min … : together about half an hour.
  retryLimit: 6,
  retryDelay: 30,
  retryBackoff: true,
  deleteAfterSeconds: 86_400,
})

/** Daily: deletes old notifications, and encrypts chat webhooks with the current APP_SECRET. */
export const notificationUpkeep = defineScheduledJob('notification-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { notify, notificationDigests, chatMessage, notificationUpkeep }
