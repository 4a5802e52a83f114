// The jobs of notifications: news to take in, messages that are due, a chat message to send, and the upkeep.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'
import { EVENTS } from './events.ts'

/**
 * News, placed by the room it happened in, in that room's transaction. With `userId` it is for that user; without, for the
 * server's owner and its subscribers. `data` goes into the text (`events.ts` says what each event may bring).
 */
export const Notice = z.object({
  event: z.enum(EVENTS),
  at: z.iso.datetime({ precision: 3 }),
  serverId: z.uuid().optional(),
  userId: z.uuid().optional(),
  data: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
})
export type Notice = z.output<typeof Notice>

const upkeep = { policy: 'singleton', retryLimit: 2, retryDelay: 30, deleteAfterSeconds: 86_400 } as const

export const notify = defineJob('notify', Notice, {
  notify: true,
  expireInSeconds: 300,
  retryLimit: 5,
  retryDelay: 5,
  retryBackoff: true,
  deleteAfterSeconds: 86_400,
})

/** Each minute: orders the messages that are due. */
export const notificationDigests = defineJob('notification-digests', z.object({}), { ...upkeep, expireInSeconds: 300 })

/** One message to a user's chat: what is pending when it is written. It names no address, and no text. */
export const chatMessage = defineJob('chat-message', z.object({ userId: z.uuid() }), {
  notify: true,
  expireInSeconds: 60,
  // 30 s, 1 min, 2 min … : together about half an hour.
  retryLimit: 6,
  retryDelay: 30,
  retryBackoff: true,
  deleteAfterSeconds: 86_400,
})

/** Daily: forgets what is old, and seals addresses of chats under the present APP_SECRET. */
export const notificationUpkeep = defineJob('notification-upkeep', z.object({}), { ...upkeep, expireInSeconds: 600 })
