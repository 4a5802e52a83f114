// SQL, because one statement decides votes by the database's clock, in whole milliseconds.
import type { Db, Sql } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'

export interface VoteInput {
  /** UUIDv7 for the vote. */
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

export interface RecordOptions {
  /** Undefined: the database's clock. */
  now: Date | undefined
  /**
   * Record only votes without side effects: they need no transaction, so that the counters of a popular server are locked only
   * while the statement commits.
   */
  withoutEffects: boolean
  /** Totals that have a side effect. */
  milestones: readonly number[]
  /** Most votes of one address for one server in 24 hours; 0: any number. */
  votesPerAddress: number
}

export interface VoteOutcome {
  /** Of the input. */
  id: string
  serverName: string
  /** Whether an enabled endpoint receives votes. */
  hasWebhook: boolean
  /** Whether the owner has commands run when a vote comes. */
  hasReward: boolean
  /** The last vote, if its cooldown was found before anything was locked. */
  lastVotedAt: Date | null
  /** Milliseconds left of that cooldown. */
  remaining: number | null
  /** Milliseconds until the address may vote again, if its cap was found to be reached before anything was locked. */
  addressRemaining: number | null
  /** Null if the vote was not recorded; otherwise the counters include it. */
  votedAt: Date | null
  totalVotes: number | null
  monthlyVotes: number | null
}

const AT = (now: `$${number}`) => `date_trunc('milliseconds', coalesce(${now}::timestamptz, now()))`
const millisecondsFrom = (instant: string) =>
  `round(extract(epoch from ${instant} + interval '24 hours' - moment.at) * 1000)::bigint`
const REMAINING = millisecondsFrom('last_voted_at')

/**
 * Records votes in one statement: the cooldowns, the votes' rows and the counters.
 * - `candidate` finds visitors with a cooldown and addresses at their cap. Almost every repeated vote is answered from what is
 *   committed, without locks or writes.
 * - `locked` locks the servers' counters, in id order to avoid deadlocks. From here on the votes of a server are serial: the total
 *   is the vote's number, ascending in the order of commits. Its columns are read under the lock, unlike the statement's snapshot.
 * - `used` counts the addresses' votes behind that lock, with a snapshot taken there, so that the cap holds across processes.
 * - `accepted` decides: of simultaneous votes the later ones find the first one's row, committed while they waited. Votes that exceed
 *   the cap only together with others of the statement are left undecided.
 * - `counted` keeps the counter of the newest month. A finished month moves to `server_vote_months` under the same lock, as do votes
 *   that began in a month that another vote has ended meanwhile.
 * Arrays and laterals instead of joins make the planner use keys, however small a table was when it planned.
 * @param inputs no two with the same visitor and server
 * @returns outcomes for listed servers, in any order
 */
export async function recordVotes(
  db: Sql & Pick<Db, 'requireVerified'>,
  inputs: readonly VoteInput[],
  options: RecordOptions,
): Promise<VoteOutcome[]> {
  const { rows } = await db.query<VoteOutcome>({
    name: 'votes-record',
    text: `
      with moment as (
        select at, date_trunc('month', at at time zone 'utc')::date as month from (select ${AT('$6')} as at) as clock),
      listed as (
        select id as server_id, name, owner_id, exists (
          select from endpoints
          where server_id = servers.id and disabled_at is null and 'vote.created' = any(events)) as has_webhook,
          exists (
          select from vote_reward_settings as rewards
          where rewards.server_id = servers.id and run_on = 'vote') as has_reward
        from servers
        where id = any($2::uuid[]) and ${listedIn(db)}),
      candidate as (
        select input.*, is_by_owner, name, has_webhook, has_reward, last_voted_at, remaining, address_remaining
        from unnest($1::uuid[], $2, $3::text[], $4::text[], $5::text[], $9::text[], $10::uuid[]) with ordinality
          as input (id, server_id, visitor_id, username, game_platform_id, address_key, sender_id, place)
        join listed using (server_id)
        cross join lateral (select coalesce(sender_id = owner_id, false) as is_by_owner) as sender
        cross join moment
        left join lateral (
          select last_voted_at, ${REMAINING} as remaining
          from vote_cooldowns
          where server_id = input.server_id and visitor_id = input.visitor_id
            and last_voted_at > moment.at - interval '24 hours'
          limit 1) as cooling on true
        left join lateral (
          select ${millisecondsFrom('voted_at')} as address_remaining
          from vote_addresses
          where server_id = input.server_id and address_key = input.address_key
            and voted_at > moment.at - interval '24 hours'
            and $11::integer > 0 and not is_by_owner
          order by voted_at desc
          offset greatest($11 - 1, 0)
          limit 1) as capped on true),
      open as (
        select candidate.*, row_number() over (partition by server_id, address_key, is_by_owner order by place) as nth_of_address
        from candidate
        where last_voted_at is null and address_remaining is null and not ($7::boolean and (has_webhook or has_reward))),
      wanted as (
        select server_id, count(*) as votes from open group by server_id),
      locked as (
        select server_id, total_votes, monthly_votes, votes_month
        from server_counters
        where server_id = any(array(select server_id from wanted))
        order by server_id
        for no key update),
      address as (
        select distinct server_id, address_key
        from open join locked using (server_id)
        where $11 > 0 and not is_by_owner),
      used as (
        select counted.*
        from moment, count_address_votes(
          array(select server_id from address), array(select address_key from address), at - interval '24 hours', $11) as counted),
      accepted as (
        insert into vote_cooldowns as cooldown (server_id, visitor_id, last_voted_at)
        select server_id, visitor_id, at
        from moment
        cross join open
        join wanted using (server_id)
        join locked using (server_id)
        left join used using (server_id, address_key)
        where (is_by_owner or $11 = 0 or used.votes + nth_of_address <= $11) and not ($7 and exists (
          select from unnest($8::integer[]) as milestone
          where milestone > total_votes and milestone <= total_votes + wanted.votes))
        on conflict (server_id, visitor_id) do update set last_voted_at = excluded.last_voted_at
        where cooldown.last_voted_at <= excluded.last_voted_at - interval '24 hours'
        returning server_id, visitor_id),
      numbered as (
        select candidate.*, row_number() over (partition by server_id order by place)::integer as nth
        from candidate join accepted using (server_id, visitor_id)),
      added as (
        select server_id, votes_month, monthly_votes, total_votes, nth as votes
        from locked join (select server_id, max(nth) as nth from numbered group by server_id) as last using (server_id)),
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
        from moment, numbered join locked using (server_id)),
      located as (
        insert into vote_addresses (server_id, address_key, voted_at, number)
        select server_id, case when is_by_owner then '' else address_key end, at, total_votes + nth
        from moment, numbered join locked using (server_id))
      select candidate.id, candidate.name as "serverName", candidate.has_webhook as "hasWebhook", candidate.has_reward as "hasReward",
        candidate.last_voted_at as "lastVotedAt", candidate.remaining, candidate.address_remaining as "addressRemaining",
        case when nth is not null then at end as "votedAt", total_votes + nth as "totalVotes",
        case when votes_month < month then nth when votes_month = month then monthly_votes + nth else monthly_votes end
          as "monthlyVotes"
      from moment
      cross join candidate
      left join numbered on numbered.id = candidate.id
      left join locked on locked.server_id = numbered.server_id`,
    values: [
      inputs.map(({ id }) => id),
      inputs.map(({ serverId }) => serverId),
      inputs.map(({ visitorId }) => visitorId),
      inputs.map(({ username }) => username),
      inputs.map(({ gamePlatformId }) => gamePlatformId),
      options.now,
      options.withoutEffects,
      options.milestones,
      inputs.map(({ addressKey }) => addressKey),
      inputs.map(({ senderId }) => senderId),
      options.votesPerAddress,
    ],
  })
  return rows
}

/** The cooldown by which `recordVotes` would refuse this visitor now; null columns if there is none. @returns undefined if the server is not listed */
export async function findCooldown(
  db: Db,
  { serverId, visitorId }: Pick<VoteInput, 'serverId' | 'visitorId'>,
  now?: Date,
): Promise<Pick<VoteOutcome, 'lastVotedAt' | 'remaining'> | undefined> {
  const { rows } = await db.query<Pick<VoteOutcome, 'lastVotedAt' | 'remaining'>>({
    name: 'votes-find-cooldown',
    text: `
      with moment as (select ${AT('$3')} as at)
      select last_voted_at as "lastVotedAt", ${REMAINING} as remaining
      from moment
      join servers on servers.id = $1 and ${listedIn(db)}
      left join vote_cooldowns as cooldown
        on server_id = $1 and visitor_id = $2 and last_voted_at > moment.at - interval '24 hours'`,
    values: [serverId, visitorId, now],
  })
  return rows[0]
}

/** Each minute a process reads these; all servers of a large directory would be megabytes. */
const MAX_RECENT = 10_000

/**
 * Votes of the last 24 hours by server, for the servers with the most. Counts cooldowns, since a visitor has at most one vote for a
 * server in 24 hours, and that table is smaller: it is kept for two days.
 */
export async function findRecentVotes(db: Sql): Promise<Map<string, number>> {
  const { rows } = await db.query<{ serverId: string; votes: number }>({
    name: 'votes-find-recent',
    text: `
      select server_id as "serverId", count(*) as votes
      from vote_cooldowns
      where last_voted_at > now() - interval '24 hours'
      group by server_id
      order by votes desc
      limit $1`,
    values: [MAX_RECENT],
  })
  return new Map(rows.map(({ serverId, votes }) => [serverId, votes]))
}
