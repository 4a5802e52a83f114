// SQL, because reminders are due by the database's clock, as votes are decided.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'

export type ReminderChannel = 'push' | 'email'

export interface NewReminder {
  id: string
  serverId: string
  visitorId: string
  channel: ReminderChannel
  userId: string | null
  /** Encrypted. */
  subscription: string | null
  language: string
}

/**
 * Adds the reminder of a visitor who has voted, or replaces the former one of this channel.
 * @returns undefined if the visitor has not voted for this server within 24 hours; `isNewTime`: whether no
 * former one was due then
 */
export async function putReminder(
  db: Db,
  reminder: NewReminder,
): Promise<{ id: string; remindAt: Date; isNewTime: boolean } | undefined> {
  const { rows } = await db.query<{ id: string; remindAt: Date; isNewTime: boolean }>(
    namedParameters({
      text: `
        with former as (
          select due_at from vote_reminders
          where server_id = $serverId and visitor_id = $visitorId and channel = $channel)
        insert into vote_reminders as known (id, server_id, visitor_id, channel, user_id, subscription, language, due_at)
        select $id, server_id, visitor_id, $channel, $userId, $subscription, $language, last_voted_at + interval '24 hours'
        from vote_cooldowns
        where server_id = $serverId and visitor_id = $visitorId and last_voted_at > now() - interval '24 hours'
        on conflict (server_id, visitor_id, channel) do update set
          user_id = excluded.user_id, subscription = excluded.subscription, language = excluded.language,
          due_at = excluded.due_at, unused = 0
        returning id, due_at as "remindAt", due_at is distinct from (select due_at from former) as "isNewTime"`,
      values: { ...reminder },
    }),
  )
  return rows[0]
}

export interface DueReminder {
  channel: ReminderChannel
  /** Reminders sent since the last vote. */
  unused: number
  /** When the cooldown of a later vote ends; null if the visitor may vote. */
  votableAt: Date | null
  /** Whether the server can be voted for. */
  isListed: boolean
  /** Time of the next reminder: in a day. */
  nextAt: Date
}

/** Locks a reminder that is due at this time. @returns undefined if there is none now */
export async function lockReminder(
  db: Db,
  { id, dueAt }: { id: string; dueAt: string },
): Promise<DueReminder | undefined> {
  const { rows } = await db.query<DueReminder>(
    `select channel,
       case when last_voted_at > sent_at then 0 else unused end as unused,
       case when last_voted_at > now() - interval '24 hours' then last_voted_at + interval '24 hours' end as "votableAt",
       exists (select from servers where id = server_id and ${listedIn(db)}) as "isListed",
       date_trunc('milliseconds', now()) + interval '24 hours' as "nextAt"
     from vote_reminders as reminder
     left join vote_cooldowns as cooldown using (server_id, visitor_id)
     where id = $1 and due_at = $2
     for update of reminder`,
    [id, dueAt],
  )
  return rows[0]
}

/** @param wasSent whether a message is sent now */
export async function rescheduleReminder(
  db: Db,
  { id, dueAt, unused, wasSent }: { id: string; dueAt: Date; unused: number; wasSent: boolean },
): Promise<void> {
  await db.query(
    `update vote_reminders set due_at = $2, unused = $3, sent_at = case when $4 then now() else sent_at end where id = $1`,
    [id, dueAt, unused, wasSent],
  )
}

export interface RunningReminder {
  id: string
  channel: ReminderChannel
  remindAt: Date
}

/** @returns undefined if it has ended */
export async function findReminder(db: Sql, id: string): Promise<RunningReminder | undefined> {
  const { rows } = await db.query<RunningReminder>(
    'select id, channel, due_at as "remindAt" from vote_reminders where id = $1',
    [id],
  )
  return rows[0]
}

/** A reminder whose subscription its push service no longer knows, unless the voter has renewed it. */
export async function deleteGoneReminder(db: Sql, id: string, subscription: string): Promise<void> {
  await db.query('delete from vote_reminders where id = $1 and subscription = $2', [id, subscription])
}

/** @returns whether there was one */
export async function deleteReminder(db: Sql, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from vote_reminders where id = $1', [id])
  return rowCount === 1
}

export interface SentReminder {
  serverId: string
  serverName: string
  /** Encrypted; null for a mail. */
  subscription: string | null
  /** Null for a push message. */
  email: string | null
  language: string
  /** Days in a row that a vote within `hoursLeft` would continue. */
  streak: number
  /** Whole hours; 0 without a streak. */
  hoursLeft: number
  /** The player's name at the last vote; empty if it had none. */
  username: string
  gamePlatformId: string
}

/** What a message says. @returns undefined if the visitor has voted since, or can no longer be reached or vote */
export async function findSentReminder(db: Db, id: string): Promise<SentReminder | undefined> {
  const { rows } = await db.query<SentReminder>(
    `select reminder.server_id as "serverId", name as "serverName", subscription, email, language, coalesce(days, 0) as streak,
       coalesce(floor(extract(epoch from streak.last_voted_at + interval '48 hours' - now()) / 3600), 0)::integer as "hoursLeft",
       coalesce(vote.username, '') as username, coalesce(vote.game_platform_id, '') as "gamePlatformId"
     from vote_reminders as reminder
     join servers on servers.id = reminder.server_id and ${listedIn(db)}
     left join users on users.id = user_id
     left join vote_cooldowns as cooldown
       on cooldown.server_id = reminder.server_id and cooldown.visitor_id = reminder.visitor_id
     left join vote_streaks as streak
       on streak.server_id = reminder.server_id and streak.voter_key = cooldown.voter_key
         and streak.last_voted_at >= now() - interval '48 hours'
     left join lateral (
       select username, game_platform_id from votes
       -- A bound of time, for the index: without it all votes for the server are read. The cooldown is deleted after two days, the
       -- last reminder follows after three.
       where votes.server_id = reminder.server_id
         and voted_at >= coalesce(cooldown.last_voted_at - interval '1 second', now() - interval '4 days')
         and votes.visitor_id = reminder.visitor_id
       order by voted_at desc
       limit 1) as vote on true
     where reminder.id = $1
       and (cooldown.last_voted_at is null or cooldown.last_voted_at <= now() - interval '24 hours')
       and (channel = 'push' or (email is not null and email_verified_at is not null and banned_at is null))`,
    [id],
  )
  return rows[0]
}

/** Reminders whose job was lost, and those of removed servers. @returns how many */
export async function deleteLostReminders(db: Sql): Promise<number> {
  const { rowCount } = await db.query(`delete from vote_reminders where due_at < now() - interval '2 days'`)
  return rowCount ?? 0
}
