// Handles notices: adds a notification for each recipient, and schedules a message where the recipient wants one.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { PREFERENCE_DEFAULTS } from '../accounts/index.ts'
import type { NoticeEvent } from './events.ts'
import {
  type Channel,
  findRecipients,
  findServerName,
  insertNotifications,
  insertPending,
  makeDue,
  markHandled,
  type Pace,
  type RecipientNotice,
} from './notices.sql.ts'
import type { Notice } from './notifications.jobs.ts'

/** Longer than a restart or a lost packet. */
const SETTLE_SECONDS = 90
/** Auctions and takeovers proceed while the user does not know. */
const URGENT: Record<NoticeEvent, boolean> = {
  serverOffline: false,
  serverOnline: false,
  serverWiped: false,
  voteMilestone: false,
  auctionOutbid: true,
  auctionWon: true,
  serverTakeover: true,
}
export const URGENT_EVENTS = (Object.keys(URGENT) as NoticeEvent[]).filter((event) => URGENT[event])
/** Time between two messages if an urgent notice is pending. */
export const URGENT_WINDOW_SECONDS = 300
/** Recipients handled by one statement. */
const PART = 1_000

export type NoticeDeps = Pick<Deps, 'pool'> & {
  settings: Pick<Deps['settings'], 'NOTIFICATION_DIGEST_MINUTES'>
}

/** @param jobId identifies the notice: a job that runs twice counts once */
export async function takeNotice({ pool, settings }: NoticeDeps, notice: Notice, jobId: string): Promise<void> {
  const { event, serverId, userId, at } = notice
  await inTransaction(pool, async (tx) => {
    if (!(await markHandled(tx, jobId))) return
    const serverName = serverId === undefined ? undefined : await findServerName(tx, serverId)
    const isForServer = userId === undefined
    if (isForServer && serverName === undefined) return // the server was deleted, so there are no recipients
    const recorded: RecipientNotice = {
      event,
      topic: String(notice.data.auctionId ?? serverId ?? ''),
      serverId: serverName === undefined ? undefined : serverId,
      at,
      data: { ...notice.data, ...(serverName === undefined ? {} : { serverName }) },
    }
    const recipients = await findRecipients(tx, {
      event,
      serverId,
      userId,
      defaults: {
        event: event === 'serverTakeover' || PREFERENCE_DEFAULTS.events[event],
        email: PREFERENCE_DEFAULTS.email,
        chat: PREFERENCE_DEFAULTS.chat,
      },
    })
    const pace = paceOf(event, settings)
    for (let from = 0; from < recipients.length; from += PART) {
      const part = recipients.slice(from, from + PART)
      await insertNotifications(
        tx,
        part.map((recipient) => ({ id: uuidv7(), userId: recipient.userId })),
        recorded,
      )
      const channels: [Channel, typeof part][] = [
        ['email', part.filter(({ byEmail }) => byEmail)],
        ['chat', part.filter(({ byChat }) => byChat)],
      ]
      for (const [channel, wanting] of channels) {
        if (!wanting.length) continue
        const userIds = wanting.map((recipient) => recipient.userId)
        await insertPending(tx, userIds, channel, recorded)
        await makeDue(tx, userIds, channel, pace)
      }
    }
  })
}

function paceOf(event: NoticeEvent, settings: NoticeDeps['settings']): Pace {
  const window = settings.NOTIFICATION_DIGEST_MINUTES * 60
  return URGENT[event]
    ? { settle: 0, window: Math.min(URGENT_WINDOW_SECONDS, window) }
    : { settle: Math.min(SETTLE_SECONDS, window), window }
}
