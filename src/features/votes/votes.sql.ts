// The statements that decide a vote and tell whether one is possible. All time is the database's, in whole milliseconds.
import type { Db } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'

export interface Ballot {
  /** UUIDv7 of the vote, should it be one. */
  id: string
  serverId: string
  visitorId: string
  username: string
  gamePlatformId: string
}

export interface CastOptions {
  /** Whether servers are listed only once their owner proved them. */
  requireVerified: boolean
  /** Null: the database's clock. */
  now: Date | null
  /**
   * Cast only a vote that nothing else goes with: so a statement of its own is enough, and the row of a popular server
   * is locked for no longer than its commit takes.
   */
  alone: boolean
  /** Totals that something goes with. */
  milestones: readonly number[]
}

export interface Cast {
  serverName: string
  /** Whether an enabled webhook endpoint wants to know of votes. */
  hasWebhook: boolean
  /** The last vote, when it was known to forbid another before anything was locked. */
  lastVotedAt: Date | null
  /** Milliseconds to go since then. */
  remaining: number | null
  /** Null when the vote was not cast; otherwise the counters with it. */
  votedAt: Date | null
  totalVotes: number | null
  monthlyVotes: number | null
}

const AT = (now: `$${number}`) => `date_trunc('milliseconds', coalesce(${now}::timestamptz, now()))`
const REMAINING = `round(extract(epoch from last_voted_at + interval '24 hours' - moment.at) * 1000)::bigint`

/**
 * Casts a vote, in one statement: the cooldown, the vote's row and the counters.
 * - `cooling` answers almost everybody who votes again, from what is committed, and keeps them from locking or writing anything.
 * - `held` locks the server's counters, so that its votes come one after the other: the total is the vote's number, ascending
 *   in the order of commits. What it returns was read under the lock, whatever the statement's snapshot shows.
 * - `accepted` decides: of several votes at once the others find the first one's row, committed while they waited.
 * - `counted` keeps the counter of the newest month. A month that is over moves to `server_vote_months` under the same lock; so
 *   does a vote that began in a month that another vote has ended meanwhile.
 * @returns undefined for a server that is not listed
 */
export async function castVote(db: Db, ballot: Ballot, options: CastOptions): Promise<Cast | undefined> {
  const { rows } = await db.query<Cast>({
    name: 'votes-cast',
    text: `
      with moment as (
        select at, date_trunc('month', at at time zone 'utc')::date as month from (select ${AT('$7')} as at) as clock),
      listed as (
        select id, name, exists (
          select from webhook_endpoints
          where server_id = servers.id and disabled_at is null and 'vote.created' = any(events)) as has_webhook
        from servers
        where id = $2 and ${isListed('$1')}),
      cooling as (
        select last_voted_at, ${REMAINING} as remaining
        from vote_cooldowns, moment
        where server_id = $2 and visitor_id = $3 and last_voted_at > moment.at - interval '24 hours'),
      held as (
        select server_id, total_votes, monthly_votes, votes_month
        from server_counters as counters
        join listed on listed.id = counters.server_id
        where not exists (select from cooling) and not ($8::boolean and has_webhook)
        for no key update of counters),
      accepted as (
        insert into vote_cooldowns as cooldown (server_id, visitor_id, last_voted_at)
        select server_id, $3, at from held, moment where not ($8 and total_votes + 1 = any($9::integer[]))
        on conflict (server_id, visitor_id) do update set last_voted_at = excluded.last_voted_at
        where cooldown.last_voted_at <= excluded.last_voted_at - interval '24 hours'
        returning server_id),
      counted as (
        update server_counters as counters
        set total_votes = held.total_votes + 1,
          monthly_votes = case
            when held.votes_month < month then 1
            when held.votes_month = month then held.monthly_votes + 1
            else held.monthly_votes end,
          votes_month = greatest(held.votes_month, month)
        from moment, held join accepted using (server_id)
        where counters.server_id = held.server_id
        returning counters.server_id, counters.total_votes, counters.monthly_votes),
      archived as (
        insert into server_vote_months as archive (server_id, month, votes)
        select server_id, least(votes_month, month), case when votes_month < month then monthly_votes else 1 end
        from moment, held join accepted using (server_id)
        where votes_month > month or (votes_month < month and monthly_votes > 0)
        on conflict (server_id, month) do update set votes = archive.votes + excluded.votes),
      recorded as (
        insert into votes (id, server_id, number, visitor_id, username, game_platform_id, voted_at)
        select $4, server_id, total_votes, $3, $5, $6, at from counted, moment)
      select listed.name as "serverName", has_webhook as "hasWebhook", last_voted_at as "lastVotedAt", remaining,
        case when counted.server_id is not null then at end as "votedAt", total_votes as "totalVotes",
        monthly_votes as "monthlyVotes"
      from moment
      cross join listed
      left join cooling on true
      left join counted on true`,
    values: [
      options.requireVerified,
      ballot.serverId,
      ballot.visitorId,
      ballot.id,
      ballot.username,
      ballot.gamePlatformId,
      options.now,
      options.alone,
      options.milestones,
    ],
  })
  return rows[0]
}

export interface Cooldown {
  lastVotedAt: Date
  /** Milliseconds, more than 0. */
  remaining: number
}

/** Whether the server is listed, and the cooldown by which `castVote` would refuse this visitor now, if there is one. */
export async function findCooldown(
  db: Db,
  { serverId, visitorId }: Pick<Ballot, 'serverId' | 'visitorId'>,
  { requireVerified, now }: Pick<CastOptions, 'requireVerified' | 'now'>,
): Promise<{ isListed: boolean; cooldown: Cooldown | undefined }> {
  const { rows } = await db.query<{ lastVotedAt: Date | null; remaining: number | null }>({
    name: 'votes-find-cooldown',
    text: `
      with moment as (select ${AT('$4')} as at)
      select last_voted_at as "lastVotedAt", ${REMAINING} as remaining
      from moment
      join servers on servers.id = $2 and ${isListed('$1')}
      left join vote_cooldowns as cooldown
        on server_id = $2 and visitor_id = $3 and last_voted_at > moment.at - interval '24 hours'`,
    values: [requireVerified, serverId, visitorId, now],
  })
  const [row] = rows
  if (!row) return { isListed: false, cooldown: undefined }
  const { lastVotedAt, remaining } = row
  return { isListed: true, cooldown: lastVotedAt && remaining ? { lastVotedAt, remaining } : undefined }
}

/**
 * Votes of the last 24 hours by server. Within them a visitor has at most one for each server, so that the cooldowns tell;
 * unlike votes they are kept for two days only.
 */
export async function findRecentVotes(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ serverId: string; votes: number }>({
    name: 'votes-find-recent',
    text: `
      select server_id as "serverId", count(*) as votes
      from vote_cooldowns
      where last_voted_at > now() - interval '24 hours'
      group by server_id`,
  })
  return new Map(rows.map(({ serverId, votes }) => [serverId, votes]))
}
