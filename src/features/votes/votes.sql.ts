// The statements that decide a vote and tell whether one is possible. All time is the database's, in whole milliseconds.
import type { Db, Sql } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'

export interface Ballot {
  /** UUIDv7 of the vote, should it be one. */
  id: string
  serverId: string
  visitorId: string
  username: string
  gamePlatformId: string
  /** Keyed hash of the client's network. */
  addressKey: string
  /** The account whose API key sent the vote; null without a key. */
  senderId: string | null
}

export interface CastOptions {
  /** Whether servers are listed only once their owner proved them. */
  requireVerified: boolean
  /** Null: the database's clock. */
  now: Date | null
  /**
   * Cast only votes that nothing else goes with: so a statement of its own is enough, and the row of a popular server is
   * locked for no longer than its commit takes.
   */
  alone: boolean
  /** Totals that something goes with. */
  milestones: readonly number[]
  /** Most votes of one address for one server in 24 hours; 0: any number. */
  votesPerAddress: number
}

export interface Cast {
  /** The ballot's. */
  id: string
  serverName: string
  /** Whether an enabled webhook endpoint wants to know of votes. */
  hasWebhook: boolean
  /** The last vote, when it was known to forbid another before anything was locked. */
  lastVotedAt: Date | null
  /** Milliseconds to go since then. */
  remaining: number | null
  /** Milliseconds until the address may vote again, when it was known to have reached its cap before anything was locked. */
  addressRemaining: number | null
  /** Null when the vote was not cast; otherwise the counters with it. */
  votedAt: Date | null
  totalVotes: number | null
  monthlyVotes: number | null
}

const AT = (now: `$${number}`) => `date_trunc('milliseconds', coalesce(${now}::timestamptz, now()))`
const millisecondsFrom = (instant: string) =>
  `round(extract(epoch from ${instant} + interval '24 hours' - moment.at) * 1000)::bigint`
const REMAINING = millisecondsFrom('last_voted_at')

/**
 * Casts votes, in one statement: the cooldowns, the votes' rows and the counters.
 * - `candidate` finds those who are still cooling down, and those whose address has reached its cap: almost everybody who votes
 *   again is answered from what is committed, and neither locks nor writes anything.
 * - `held` locks the servers' counters, in the order of their ids so that nobody waits in a circle. A server's votes come one after
 *   the other from here on: the total is the vote's number, ascending in the order of commits. What `held` returns was read
 *   under the lock, whatever the statement's snapshot shows.
 * - `used` counts the addresses' votes behind that lock, with a snapshot taken there, so the cap holds over all processes.
 * - `accepted` decides: of several votes at once the others find the first one's row, committed while they waited. What exceeds
 *   the cap only together with other votes of the statement is left undecided.
 * - `counted` keeps the counter of the newest month. A month that is over moves to `server_vote_months` under the same lock; so
 *   do votes that began in a month that another vote has ended meanwhile.
 * Arrays and laterals, where joins would do, are for the planner: it must come by keys, however small a table was when it planned.
 * @param ballots no two of the same visitor for the same server
 * @returns those for listed servers, in any order
 */
export async function castVotes(db: Sql, ballots: readonly Ballot[], options: CastOptions): Promise<Cast[]> {
  const { rows } = await db.query<Cast>({
    name: 'votes-cast',
    text: `
      with moment as (
        select at, date_trunc('month', at at time zone 'utc')::date as month from (select ${AT('$7')} as at) as clock),
      listed as (
        select id as server_id, name, owner_id, exists (
          select from webhook_endpoints
          where server_id = servers.id and disabled_at is null and 'vote.created' = any(events)) as has_webhook
        from servers
        where id = any($3::uuid[]) and ${isListed('$1')}),
      candidate as (
        select ballot.*, is_by_owner, name, has_webhook, last_voted_at, remaining, address_remaining
        from unnest($2::uuid[], $3, $4::text[], $5::text[], $6::text[], $10::text[], $11::uuid[]) with ordinality
          as ballot (id, server_id, visitor_id, username, game_platform_id, address_key, sender_id, place)
        join listed using (server_id)
        cross join lateral (select coalesce(sender_id = owner_id, false) as is_by_owner) as sender
        cross join moment
        left join lateral (
          select last_voted_at, ${REMAINING} as remaining
          from vote_cooldowns
          where server_id = ballot.server_id and visitor_id = ballot.visitor_id
            and last_voted_at > moment.at - interval '24 hours'
          limit 1) as cooling on true
        left join lateral (
          select ${millisecondsFrom('voted_at')} as address_remaining
          from vote_addresses
          where server_id = ballot.server_id and address_key = ballot.address_key
            and voted_at > moment.at - interval '24 hours'
            and $12::integer > 0 and not is_by_owner
          order by voted_at desc
          offset greatest($12 - 1, 0)
          limit 1) as capped on true),
      open as (
        select candidate.*, row_number() over (partition by server_id, address_key, is_by_owner order by place) as nth_of_address
        from candidate
        where last_voted_at is null and address_remaining is null and not ($8::boolean and has_webhook)),
      wanted as (
        select server_id, count(*) as votes from open group by server_id),
      held as (
        select server_id, total_votes, monthly_votes, votes_month
        from server_counters
        where server_id = any(array(select server_id from wanted))
        order by server_id
        for no key update),
      address as (
        select distinct server_id, address_key
        from open join held using (server_id)
        where $12 > 0 and not is_by_owner),
      used as (
        select counted.*
        from moment, count_address_votes(
          array(select server_id from address), array(select address_key from address), at - interval '24 hours', $12) as counted),
      accepted as (
        insert into vote_cooldowns as cooldown (server_id, visitor_id, last_voted_at)
        select server_id, visitor_id, at
        from moment
        cross join open
        join wanted using (server_id)
        join held using (server_id)
        left join used using (server_id, address_key)
        where (is_by_owner or $12 = 0 or used.votes + nth_of_address <= $12) and not ($8 and exists (
          select from unnest($9::integer[]) as milestone
          where milestone > total_votes and milestone <= total_votes + wanted.votes))
        on conflict (server_id, visitor_id) do update set last_voted_at = excluded.last_voted_at
        where cooldown.last_voted_at <= excluded.last_voted_at - interval '24 hours'
        returning server_id, visitor_id),
      numbered as (
        select candidate.*, row_number() over (partition by server_id order by place)::integer as nth
        from candidate join accepted using (server_id, visitor_id)),
      added as (
        select server_id, votes_month, monthly_votes, total_votes, nth as votes
        from held join (select server_id, max(nth) as nth from numbered group by server_id) as last using (server_id)),
      counted as (
        update server_counters as counters
        set total_votes = added.total_votes + votes,
          monthly_votes = case
            when added.votes_month < month then votes
            when added.votes_month = month then added.monthly_votes + votes
            else added.monthly_votes end,
          votes_month = greatest(added.votes_month, month)
        from moment, added
        where counters.server_id = added.server_id),
      archived as (
        insert into server_vote_months as archive (server_id, month, votes)
        select server_id, least(votes_month, month), case when votes_month < month then monthly_votes else votes end
        from moment, added
        where votes_month > month or (votes_month < month and monthly_votes > 0)
        on conflict (server_id, month) do update set votes = archive.votes + excluded.votes),
      recorded as (
        insert into votes (id, server_id, number, visitor_id, username, game_platform_id, voted_at, is_by_owner)
        select id, server_id, total_votes + nth, visitor_id, username, game_platform_id, at, is_by_owner
        from moment, numbered join held using (server_id)),
      located as (
        insert into vote_addresses (server_id, address_key, voted_at, number)
        select server_id, case when is_by_owner then '' else address_key end, at, total_votes + nth
        from moment, numbered join held using (server_id))
      select candidate.id, candidate.name as "serverName", candidate.has_webhook as "hasWebhook",
        candidate.last_voted_at as "lastVotedAt", candidate.remaining, candidate.address_remaining as "addressRemaining",
        case when nth is not null then at end as "votedAt", total_votes + nth as "totalVotes",
        case when votes_month < month then nth when votes_month = month then monthly_votes + nth else monthly_votes end
          as "monthlyVotes"
      from moment
      cross join candidate
      left join numbered on numbered.id = candidate.id
      left join held on held.server_id = numbered.server_id`,
    values: [
      options.requireVerified,
      ballots.map(({ id }) => id),
      ballots.map(({ serverId }) => serverId),
      ballots.map(({ visitorId }) => visitorId),
      ballots.map(({ username }) => username),
      ballots.map(({ gamePlatformId }) => gamePlatformId),
      options.now,
      options.alone,
      options.milestones,
      ballots.map(({ addressKey }) => addressKey),
      ballots.map(({ senderId }) => senderId),
      options.votesPerAddress,
    ],
  })
  return rows
}

export interface Cooldown {
  lastVotedAt: Date
  /** Milliseconds, more than 0. */
  remaining: number
}

/** Whether the server is listed, and the cooldown by which `castVotes` would refuse this visitor now, if there is one. */
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

/** Of a large directory the leaders do: all of it, each minute, would be megabytes for the one that asks. */
const MOST_RECENT = 10_000

/**
 * Votes of the last 24 hours by server, of those with the most. Within them a visitor has at most one for each server,
 * so that the cooldowns tell; unlike votes they are kept for two days only.
 */
export async function findRecentVotes(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ serverId: string; votes: number }>({
    name: 'votes-find-recent',
    text: `
      select server_id as "serverId", count(*) as votes
      from vote_cooldowns
      where last_voted_at > now() - interval '24 hours'
      group by server_id
      order by votes desc
      limit $1`,
    values: [MOST_RECENT],
  })
  return new Map(rows.map(({ serverId, votes }) => [serverId, votes]))
}
