// SQL, because notices are written to sets of recipients in one statement each, and the database's clock decides
// when messages are due.
import { v7 as uuidv7 } from 'uuid'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'
import type { NoticeData, NoticeEvent } from './events.ts'

/** @returns false if this job was handled before */
export async function markHandled(db: Sql, jobId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'notifications-mark-handled',
    text: 'insert into handled_notices (job_id) values ($1) on conflict do nothing',
    values: [jobId],
  })
  return rowCount === 1
}

export const CHANNELS = ['email', 'chat'] as const
export type Channel = (typeof CHANNELS)[number]

/** A user who gets a notice, and on which channels besides the product. */
export type Recipient = { userId: string } & Record<Channel, boolean>

/**
 * The users of the notice or the server's owner, if their preferences include the event; and the server's subscribers,
 * if their subscription does. Mail is only for verified addresses, because a caller can enter another person's address.
 * The result is in id order, so that notices handled in parallel lock rows in the same order.
 * @param audience.defaults preferences of users who have set none
 */
export async function findRecipients(
  db: Db,
  audience: {
    event: NoticeEvent
    serverId: string | undefined
    userIds: readonly string[] | undefined
    defaults: { event: boolean } & Record<Channel, boolean>
  },
) {
  const { event, serverId, userIds, defaults } = audience
  const { rows } = await db.query<Recipient>(
    namedParameters({
      name: 'notifications-find-recipients',
      text: `
        with concerned as (
          select id from users
          where id = any(coalesce($userIds, array(select owner_id from servers where id = $serverId and deleted_at is null)))
            and coalesce((notification_preferences -> 'events' ->> $event)::boolean, $eventByDefault)
          union
          select user_id from server_subscriptions
          where $userIds::uuid[] is null and server_id = $serverId and $event = any(events)
            and exists (select from servers where id = $serverId and ${listedIn(db)})
        )
        select users.id as "userId",
          coalesce((notification_preferences ->> 'email')::boolean, $emailByDefault)
            and email_verified_at is not null as email,
          coalesce((notification_preferences ->> 'chat')::boolean, $chatByDefault)
            and chat_webhooks.user_id is not null as chat
        from concerned
        join users on users.id = concerned.id and banned_at is null
        left join chat_webhooks on chat_webhooks.user_id = users.id
        order by users.id`,
      values: {
        event,
        serverId,
        userIds,
        eventByDefault: defaults.event,
        emailByDefault: defaults.email,
        chatByDefault: defaults.chat,
      },
    }),
  )
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

/**
 * The name of a member, whose account can't be deleted until the transaction ends: the deletion then
 * erases what was written.
 * @returns undefined if the account was deleted
 */
export async function findNameOfMember(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ username: string }>({
    name: 'notifications-find-name-of-member',
    text: 'select username from users where id = $1 for key share',
    values: [userId],
  })
  return rows[0]?.username
}

/**
 * Erases a member from the notices of others, whose topic then has a random id instead.
 * @param serverIds of all servers on which the user has been a member: notices have an index by
 * server, and none by member
 */
export async function eraseMember(db: Db, userId: string, serverIds: string[]): Promise<void> {
  for (const table of ['notifications', 'pending_notices'])
    await db.query(
      `update ${table} set data = data - '{memberId,username}'::text[], topic = replace(topic, $1, gen_random_uuid()::text)
       where server_id = any($2::uuid[]) and data ->> 'memberId' = $1`,
      [userId, serverIds],
    )
}

/** A notice as each recipient gets it. */
export interface RecipientNotice {
  event: NoticeEvent
  /** Repeats of an event on the same topic are counted in one notification. */
  topic: string
  serverId: string | undefined
  at: string
  data: NoticeData
}

/** Adds a notification for each user; an unread one of the same event and topic is counted up instead. */
export async function insertNotifications(db: Sql, userIds: string[], notice: RecipientNotice): Promise<void> {
  const { event, topic, serverId, at, data } = notice
  await db.query(
    namedParameters({
      name: 'notifications-insert',
      // Notices may be handled in another order than they happened: the latest data is kept.
      text: `
        insert into notifications as known (id, user_id, event, topic, server_id, created_at, data)
        select id, user_id, $event, $topic, $serverId, $at, $data
        from unnest($ids::uuid[], $userIds::uuid[]) as recipient (id, user_id)
        on conflict (user_id, event, topic) where read_at is null do update
        set repeats = known.repeats + 1,
          data = case when excluded.created_at >= known.created_at then excluded.data else known.data end,
          created_at = greatest(excluded.created_at, known.created_at)`,
      values: { ids: userIds.map(() => uuidv7()), userIds, event, topic, serverId, at, data },
    }),
  )
}

export async function insertPending(
  db: Sql,
  userIds: string[],
  channel: Channel,
  notice: RecipientNotice,
): Promise<void> {
  const { event, topic, serverId, at, data } = notice
  await db.query(
    namedParameters({
      name: 'notifications-insert-pending',
      text: `
        insert into pending_notices as known (user_id, channel, event, topic, server_id, first_at, last_at, data)
        select user_id, $channel, $event, $topic, $serverId, $at, $at, $data
        from unnest($userIds::uuid[]) as recipient (user_id)
        on conflict (user_id, channel, event, topic) do update
        set repeats = known.repeats + 1,
          data = case when excluded.last_at >= known.last_at then excluded.data else known.data end,
          first_at = least(excluded.first_at, known.first_at),
          last_at = greatest(excluded.last_at, known.last_at)`,
      values: { userIds, channel, event, topic, serverId, at, data },
    }),
  )
}

/** When messages are sent, in seconds. */
export interface Pace {
  /** Wait before the first message after a quiet time, so that short interruptions are not reported. */
  delay: number
  /** Minimum time between two messages. */
  window: number
}

/** Schedules a message to each of these users as their pace allows; one that is due earlier stays so. */
export async function makeDue(db: Sql, userIds: string[], channel: Channel, { delay, window }: Pace): Promise<void> {
  await db.query({
    name: 'notifications-make-due',
    text: `
      insert into notification_digests as known (user_id, channel, due_at)
      select user_id, $2, now() + make_interval(secs => $3)
      from unnest($1::uuid[]) as given (user_id)
      on conflict (user_id, channel) do update
      set due_at = least(known.due_at, greatest(excluded.due_at, known.sent_at + make_interval(secs => $4)))`,
    values: [userIds, channel, delay, window],
  })
}
