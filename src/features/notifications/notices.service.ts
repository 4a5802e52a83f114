// Takes news in: each concerned user sees it in the product, and a message is made due where they want one.
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
  type News,
  type Pace,
} from './notices.sql.ts'
import type { Notice } from './notifications.jobs.ts'

/** A restart or a lost packet is over by then. */
const SETTLE_SECONDS = 90
/** An auction, or a takeover, goes on while the user does not know. */
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
/** Between two messages when there is something urgent. */
export const URGENT_WINDOW_SECONDS = 300
/** Users told of in one statement. */
const PART = 1_000

export type NoticeDeps = Pick<Deps, 'pool'> & {
  settings: Pick<Deps['settings'], 'NOTIFICATION_DIGEST_MINUTES' | 'LISTING_REQUIRES_VERIFICATION'>
}

/** @param jobId the job's: news that come twice count once */
export async function takeNotice({ pool, settings }: NoticeDeps, notice: Notice, jobId: string): Promise<void> {
  const { event, serverId, userId, at } = notice
  await inTransaction(pool, async (tx) => {
    if (!(await markHandled(tx, jobId))) return
    const serverName = serverId === undefined ? undefined : await findServerName(tx, serverId)
    const isForServer = userId === undefined
    if (isForServer && serverName === undefined) return // it is gone, and so is whoever was to be told
    const news: News = {
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
      requireVerified: settings.LISTING_REQUIRES_VERIFICATION,
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
        news,
      )
      const ways: [Channel, typeof part][] = [
        ['email', part.filter(({ byEmail }) => byEmail)],
        ['chat', part.filter(({ byChat }) => byChat)],
      ]
      for (const [channel, told] of ways) {
        if (!told.length) continue
        const userIds = told.map((recipient) => recipient.userId)
        await insertPending(tx, userIds, channel, news)
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
