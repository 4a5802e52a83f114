// Statements that take news in: who is told, what they see in the product, and what the next message will say.
import type { Sql } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'
import type { NoticeData, NoticeEvent } from './events.ts'

/** @returns false when this job was taken in before */
export async function markHandled(db: Sql, jobId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'notifications-mark-handled',
    text: 'insert into handled_notices (job_id) values ($1) on conflict do nothing',
    values: [jobId],
  })
  return rowCount === 1
}

export interface Recipient {
  userId: string
  byEmail: boolean
  byChat: boolean
}

export interface Audience {
  event: NoticeEvent
  serverId: string | undefined
  userId: string | undefined
  requireVerified: boolean
  /** What holds for those who have set nothing. */
  defaults: { event: boolean; email: boolean; chat: boolean }
}

/**
 * The user the news is for, or the server's owner, each as their preferences say; and the server's subscribers, whose
 * subscription says it. Mail goes to proven addresses only: nobody is to be written to because somebody typed their address.
 * In the order of users, so that news taken in at the same time don't lock rows crosswise.
 */
export async function findRecipients(db: Sql, audience: Audience): Promise<Recipient[]> {
  const { event, serverId, userId, requireVerified, defaults } = audience
  const { rows } = await db.query<Recipient>({
    name: 'notifications-find-recipients',
    text: `
      with concerned as (
        select id from users
        where id = coalesce($3, (select owner_id from servers where id = $2 and deleted_at is null))
          and coalesce((notification_preferences -> 'events' ->> $1)::boolean, $5)
        union
        select user_id from server_subscriptions
        where $3::uuid is null and server_id = $2 and $1 = any(events)
          and exists (select from servers where id = $2 and ${isListed('$4')})
      )
      select users.id as "userId",
        coalesce((notification_preferences ->> 'email')::boolean, $6) and email_verified_at is not null as "byEmail",
        coalesce((notification_preferences ->> 'chat')::boolean, $7) and chat_webhooks.user_id is not null as "byChat"
      from concerned
      join users on users.id = concerned.id and banned_at is null
      left join chat_webhooks on chat_webhooks.user_id = users.id
      order by users.id`,
    values: [event, serverId ?? null, userId ?? null, requireVerified, defaults.event, defaults.email, defaults.chat],
  })
  return rows
}

export async function findServerName(db: Sql, serverId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>({
    name: 'notifications-find-server-name',
    text: 'select name from servers where id = $1 and deleted_at is null',
    values: [serverId],
  })
  return rows[0]?.name
}

export interface News {
  event: NoticeEvent
  /** What repeats on the same topic is told once. */
  topic: string
  serverId: string | undefined
  at: string
  data: NoticeData
}

/** @param rows a user each, with the id the notification gets unless an unread one of the same event and topic counts up */
export async function insertNotifications(db: Sql, rows: { id: string; userId: string }[], news: News): Promise<void> {
  await db.query({
    name: 'notifications-insert',
    // News may be taken in in another order than they happened: the latest is shown.
    text: `
      insert into notifications as known (id, user_id, event, topic, server_id, created_at, data)
      select id, user_id, $3, $4, $5, $6, $7
      from unnest($1::uuid[], $2::uuid[]) as given (id, user_id)
      on conflict (user_id, event, topic) where read_at is null do update
      set repeats = known.repeats + 1,
        data = case when excluded.created_at >= known.created_at then excluded.data else known.data end,
        created_at = greatest(excluded.created_at, known.created_at)`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ userId }) => userId),
      news.event,
      news.topic,
      news.serverId ?? null,
      news.at,
      news.data,
    ],
  })
}

export type Channel = 'email' | 'chat'

export async function insertPending(db: Sql, userIds: string[], channel: Channel, news: News): Promise<void> {
  await db.query({
    name: 'notifications-insert-pending',
    text: `
      insert into pending_notices as known (user_id, channel, event, topic, server_id, first_at, last_at, data)
      select user_id, $2, $3, $4, $5, $6, $6, $7
      from unnest($1::uuid[]) as given (user_id)
      on conflict (user_id, channel, event, topic) do update
      set repeats = known.repeats + 1,
        data = case when excluded.last_at >= known.last_at then excluded.data else known.data end,
        first_at = least(excluded.first_at, known.first_at),
        last_at = greatest(excluded.last_at, known.last_at)`,
    values: [userIds, channel, news.event, news.topic, news.serverId ?? null, news.at, news.data],
  })
}

/** In seconds. */
export interface Pace {
  /** Before the first message after a quiet time: what is over by then need not be told. */
  settle: number
  /** Between two messages at least. */
  window: number
}

/** Has a message to each of these users leave when their pace allows; one that is due earlier stays so. */
export async function makeDue(db: Sql, userIds: string[], channel: Channel, { settle, window }: Pace): Promise<void> {
  await db.query({
    name: 'notifications-make-due',
    text: `
      insert into notification_digests as known (user_id, channel, due_at)
      select user_id, $2, now() + make_interval(secs => $3)
      from unnest($1::uuid[]) as given (user_id)
      on conflict (user_id, channel) do update
      set due_at = least(known.due_at, greatest(excluded.due_at, known.sent_at + make_interval(secs => $4)))`,
    values: [userIds, channel, settle, window],
  })
}
