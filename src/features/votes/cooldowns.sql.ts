// Cooldowns of votes: 24 hours by the database's clock, in whole milliseconds.
import type { Db, Sql } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'

/** @param now a parameter; null is the database's clock */
export const currentTimeSql = (now: `$${string}`) => `date_trunc('milliseconds', coalesce(${now}::timestamptz, now()))`

/** SQL: milliseconds until 24 hours after the instant. The statement has `currentTimeSql` as `moment.at`. */
export const millisecondsUntilADayAfter = (instant: string) =>
  `round(extract(epoch from ${instant} + interval '24 hours' - moment.at) * 1000)::bigint`

interface Cooldown {
  /** Null if there is none. */
  lastVotedAt: Date | null
  /** Milliseconds; null if there is none. */
  remainingMs: number | null
  /** Days in a row of the voter as whom this visitor voted last; 0 if the next vote does not continue them. */
  streak: number
}

/** The cooldown by which `recordVotes` would refuse this visitor now. @returns undefined if the server is not listed */
export async function findCooldown(
  db: Db,
  { serverId, visitorId }: { serverId: string; visitorId: string },
  now?: Date,
): Promise<Cooldown | undefined> {
  const { rows } = await db.query<Cooldown>({
    name: 'votes-find-cooldown',
    text: `
      with moment as (select ${currentTimeSql('$3')} as at)
      select cooldown.last_voted_at as "lastVotedAt",
        ${millisecondsUntilADayAfter('cooldown.last_voted_at')} as "remainingMs", coalesce(days, 0) as streak
      from moment
      join servers on servers.id = $1 and ${listedIn(db)}
      left join vote_cooldowns as cooldown
        on server_id = $1 and visitor_id = $2 and last_voted_at > moment.at - interval '24 hours'
      left join lateral (
        select days
        from vote_cooldowns as last join vote_streaks as streak using (server_id, voter_key)
        where server_id = $1 and visitor_id = $2
          and least(last.last_voted_at, streak.last_voted_at) >= moment.at - interval '48 hours') as streak on true`,
    values: [serverId, visitorId, now],
  })
  return rows[0]
}

/** Each minute a process reads these; all servers of a large directory would be megabytes. */
const MAX_RECENT = 10_000

/**
 * Votes of the last 24 hours by server, for the servers with the most. Counts cooldowns instead of votes, less
 * the voided votes: a visitor has at most one vote for a server in 24 hours, and that table is smaller, because
 * it is kept for two days.
 */
export async function findRecentVotes(db: Sql): Promise<Map<string, number>> {
  const { rows } = await db.query<{ serverId: string; votes: number }>({
    name: 'votes-find-recent',
    text: `
      with voted as (
        select server_id, count(*) as votes
        from vote_cooldowns
        where last_voted_at > now() - interval '24 hours'
        group by server_id),
      voided as (
        select server_id, votes
        from (
          select distinct server_id from vote_voiding_servers join vote_voidings as voiding on voiding.id = voiding_id
          where voiding.created_at > now() - interval '24 hours') as affected
        cross join lateral (
          select count(*) as votes from votes
          where votes.server_id = affected.server_id and voted_at > now() - interval '24 hours'
            and votes.voiding_id is not null) as counted)
      select server_id as "serverId", voted.votes - coalesce(voided.votes, 0) as votes
      from voted left join voided using (server_id)
      where voted.votes > coalesce(voided.votes, 0)
      order by votes desc
      limit $1`,
    values: [MAX_RECENT],
  })
  return new Map(rows.map(({ serverId, votes }) => [serverId, votes]))
}
