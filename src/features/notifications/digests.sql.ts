// Statements of messages that are due, on their way, or sent.
import type { Sql } from '../../platform/db/pool.ts'
import type { NoticeData, NoticeEvent } from './events.ts'
import type { Channel } from './notices.sql.ts'

/** One that was ordered and never heard of again holds its user's messages back for so long; mails are retried for four hours. */
const LOST_AFTER = `interval '6 hours'`

/** Takes up to `limit` messages that are due and not on their way, longest due first. */
export async function takeDue(db: Sql, limit: number): Promise<{ userId: string; channel: Channel }[]> {
  const { rows } = await db.query<{ userId: string; channel: Channel }>({
    name: 'notifications-take-due',
    text: `
      with due as (
        select user_id, channel from notification_digests
        where due_at <= now() and (ordered_at is null or ordered_at < now() - ${LOST_AFTER})
        order by due_at
        limit $1
        for update skip locked
      )
      update notification_digests as digest
      set due_at = null, ordered_at = now()
      from due
      where digest.user_id = due.user_id and digest.channel = due.channel
      returning digest.user_id as "userId", digest.channel`,
    values: [limit],
  })
  return rows
}

export interface PendingNotice {
  event: NoticeEvent
  topic: string
  serverId: string | null
  data: NoticeData
  repeats: number
  firstAt: Date
  lastAt: Date
  /** What the server is now; null when the news are not about one. */
  isOnline: boolean | null
}

export async function findPending(db: Sql, userId: string, channel: Channel): Promise<PendingNotice[]> {
  const { rows } = await db.query<PendingNotice>({
    name: 'notifications-find-pending',
    text: `
      select event, topic, pending.server_id as "serverId", data, repeats, first_at as "firstAt", last_at as "lastAt",
        is_online as "isOnline"
      from pending_notices as pending
      left join server_status as status on status.server_id = pending.server_id
      where user_id = $1 and channel = $2
      order by first_at, event, topic`,
    values: [userId, channel],
  })
  return rows
}

/** Counts off what was told. What happened again meanwhile stays, as often as it was not told. */
export async function subtractTold(db: Sql, userId: string, channel: Channel, told: PendingNotice[]): Promise<void> {
  await db.query({
    name: 'notifications-subtract-told',
    text: `
      update pending_notices as pending
      set repeats = pending.repeats - told.repeats, first_at = greatest(first_at, told.last_at)
      from unnest($3::text[], $4::text[], $5::integer[], $6::timestamptz[]) as told (event, topic, repeats, last_at)
      where user_id = $1 and channel = $2 and pending.event = told.event and pending.topic = told.topic`,
    values: [
      userId,
      channel,
      told.map(({ event }) => event),
      told.map(({ topic }) => topic),
      told.map(({ repeats }) => repeats),
      told.map(({ lastAt }) => lastAt),
    ],
  })
}

/** What a user's next messages were to tell. */
export async function deletePending(db: Sql, userId: string): Promise<void> {
  await db.query({
    name: 'notifications-delete-pending',
    text: 'delete from pending_notices where user_id = $1',
    values: [userId],
  })
}

export async function deleteTold(db: Sql, userId: string, channel: Channel): Promise<void> {
  await db.query({
    name: 'notifications-delete-told',
    text: 'delete from pending_notices where user_id = $1 and channel = $2 and repeats <= 0',
    values: [userId, channel],
  })
}

/** Waits for news that are making a message due: whatever looks at what is pending after this sees theirs. */
export async function holdDigest(db: Sql, userId: string, channel: Channel): Promise<void> {
  await db.query({
    name: 'notifications-hold-digest',
    text: 'select from notification_digests where user_id = $1 and channel = $2 for no key update',
    values: [userId, channel],
  })
}

/**
 * Ends the order. What is pending by then is due after the pace's windows. Call it with the digest held: waiting in this statement
 * itself would leave out what was committed meanwhile.
 * @param next `wasSent` false: there was nothing left to tell, so no window begins
 */
export async function settleDigest(
  db: Sql,
  userId: string,
  channel: Channel,
  next: { wasSent: boolean; window: number; urgentWindow: number; urgent: readonly NoticeEvent[] },
): Promise<void> {
  await db.query({
    name: 'notifications-settle-digest',
    text: `
      update notification_digests as digest
      set ordered_at = null, sent_at = case when $3::boolean then now() else sent_at end,
        due_at = (
          select case when $3::boolean then now() + make_interval(secs => min(case when event = any($6::text[]) then $5::float8 else $4::float8 end))
            else least(digest.due_at, now()) end
          from pending_notices
          where user_id = $1 and channel = $2
          having count(*) > 0)
      where user_id = $1 and channel = $2`,
    values: [userId, channel, next.wasSent, next.window, next.urgentWindow, [...next.urgent]],
  })
}

/** @returns undefined when the user has no proven address or is banned */
export async function findAddress(db: Sql, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string }>({
    name: 'notifications-find-address',
    text: `
      select email from users
      where id = $1 and email is not null and email_verified_at is not null and banned_at is null`,
    values: [userId],
  })
  return rows[0]?.email
}

/** Days after which what it is about interests nobody any more. */
const KEPT = { handled: '7 days', pending: '7 days', read: '90 days', unread: '365 days' }

export async function deleteOld(db: Sql): Promise<void> {
  await db.query(`delete from handled_notices where handled_at < now() - interval '${KEPT.handled}'`)
  await db.query(`delete from pending_notices where last_at < now() - interval '${KEPT.pending}'`)
  await db.query(
    `delete from notifications
     where created_at < now() - interval '${KEPT.read}'
       and (read_at is not null or created_at < now() - interval '${KEPT.unread}')`,
  )
}
