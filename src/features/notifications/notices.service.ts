// Handles notices: adds a notification for each recipient, and schedules a message where the recipient wants one.
import type { Deps } from '../../deps.ts'
import { chunksOf } from '../../platform/chunks.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { PREFERENCE_DEFAULTS } from '../accounts/index.ts'
import { MAILED_EVENTS, type NoticeEvent, URGENT_EVENTS } from './events.ts'
import {
  CHANNELS,
  findNameOfMember,
  findRecipients,
  findServerName,
  insertNotifications,
  insertPending,
  makeDue,
  markHandled,
  type Pace,
  type Recipient,
  type RecipientNotice,
} from './notices.sql.ts'
import type { Notice } from './notifications.jobs.ts'

/** Longer than a restart or a lost packet. */
const DELAY_SECONDS = 90
/** Time between two messages if an urgent notice is pending. */
export const URGENT_WINDOW_SECONDS = 300
/** Recipients handled by one statement. */
const PART = 1_000

/** An auction; else the server, and within it the voiding, member or endpoint that the notice is about. */
const topicOf = ({
  data: { auctionId, voidingId, memberId, endpointId },
  serverId,
}: Pick<Notice, 'data' | 'serverId'>): string =>
  String(auctionId ?? [voidingId ?? memberId ?? endpointId, serverId].filter((id) => id !== undefined).join(' '))

/** @param jobId identifies the notice: a job that runs twice counts once */
export async function handleNotice(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  notice: Notice,
  jobId: string,
): Promise<void> {
  const { event, serverId, at } = notice
  const userIds = notice.userIds ?? (notice.userId === undefined ? undefined : [notice.userId])
  await inTransaction(pool, async (tx) => {
    if (!(await markHandled(tx, jobId))) return
    const serverName = serverId === undefined ? undefined : await findServerName(tx, serverId)
    const isForServer = userIds === undefined
    if (isForServer && serverName === undefined) return // the server was deleted, so there are no recipients
    const data = await withNameOfMember(tx, notice.data, { hasServer: serverName !== undefined })
    const recorded: RecipientNotice = {
      event,
      topic: topicOf({ data, serverId }),
      serverId: serverName === undefined ? undefined : serverId,
      at,
      data: { ...data, ...(serverName === undefined ? {} : { serverName }) },
    }
    const recipients = await findRecipients(tx, {
      event,
      serverId,
      userIds,
      defaults: { ...PREFERENCE_DEFAULTS, event: isDefault(event) },
    })
    const pace = paceOf(event, settings)
    for (const part of chunksOf(recipients, PART)) await addNotice(tx, part, { notice: recorded, pace })
  })
}

/** Adds a notification for each recipient, and a message on each channel where the recipient wants one. */
async function addNotice(
  tx: Db,
  recipients: readonly Recipient[],
  { notice, pace }: { notice: RecipientNotice; pace: Pace },
): Promise<void> {
  await insertNotifications(tx, idsOf(recipients), notice)
  for (const channel of CHANNELS) {
    if (channel === 'email' && MAILED_EVENTS.includes(notice.event)) continue
    const userIds = idsOf(recipients.filter((recipient) => recipient[channel]))
    if (!userIds.length) continue
    await insertPending(tx, userIds, channel, notice)
    await makeDue(tx, userIds, channel, pace)
  }
}

const idsOf = (recipients: readonly Recipient[]) => recipients.map(({ userId }) => userId)

/**
 * A member is left out whose account was deleted, or whose server was: by the server the deletion of the
 * account finds the notice.
 */
async function withNameOfMember(
  tx: Db,
  data: Notice['data'],
  { hasServer }: { hasServer: boolean },
): Promise<Notice['data']> {
  const { memberId, username: _formerName, ...others } = data
  if (memberId === undefined) return data
  const username = hasServer ? await findNameOfMember(tx, String(memberId)) : undefined
  return username === undefined ? others : { ...others, memberId, username }
}

/** Whether users who have not said otherwise get it: all, if it has no preference. */
function isDefault(event: NoticeEvent): boolean {
  const defaults: Partial<Record<NoticeEvent, boolean>> = PREFERENCE_DEFAULTS.events
  return defaults[event] ?? true
}

function paceOf(event: NoticeEvent, settings: ProcessSettings): Pace {
  const window = settings.NOTIFICATION_DIGEST_MINUTES * 60
  return URGENT_EVENTS.includes(event)
    ? { delay: 0, window: Math.min(URGENT_WINDOW_SECONDS, window) }
    : { delay: Math.min(DELAY_SECONDS, window), window }
}
