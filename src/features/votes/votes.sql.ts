// Recording votes. SQL, because one statement decides votes by the database's clock, in whole milliseconds. Each
// constant is one step of that statement: common table expressions that read those of the steps before.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { ignoresCase, nameKey, platformIdKey } from '../games/index.ts'
import { listedIn } from '../servers/index.ts'
import { currentTimeSql, millisecondsUntilADayAfter } from './cooldowns.sql.ts'
import { NO_ORIGIN, type VoteOrigin } from './origins/origins.ts'

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
  /** Stored with the vote; of an owner's vote it is not. */
  origin?: VoteOrigin
}

export interface RecordOptions {
  /** Undefined: the database's clock. */
  now: Date | undefined
  /**
   * Record only votes without side effects: they need no transaction, so that the counters of a popular server are
   * locked only while the statement commits.
   */
  onlyWithoutEffects: boolean
  /** Totals that have a side effect. */
  milestones: readonly number[]
  /** Most votes of one address for one server in 24 hours; 0: any number. */
  votesPerAddress: number
}

export interface VoteOutcome {
  /** The id of the input. */
  id: string
  serverName: string
  /** Whether an enabled endpoint receives votes. */
  hasWebhook: boolean
  /** Whether the owner has commands run when a vote comes. */
  hasReward: boolean
  /** The last vote, if its cooldown was found before anything was locked. */
  lastVotedAt: Date | null
  /** Milliseconds left of that cooldown. */
  remainingMs: number | null
  /** Milliseconds until the address may vote again, if its cap was found to be reached before anything was locked. */
  addressRemainingMs: number | null
  /** Null if the vote was not recorded; otherwise the counters include it. */
  votedAt: Date | null
  /** Counters exclude voided votes. */
  totalVotes: number | null
  monthlyVotes: number | null
  /** Days in a row with a vote of this voter, with this one. */
  streak: number | null
}

/**
 * Records votes in one statement: the cooldowns, the votes' rows and the counters.
 * @param inputs no two with the same visitor and server
 * @returns outcomes for listed servers, in any order
 */
export async function recordVotes(
  db: Sql & Pick<Db, 'requireVerified'>,
  inputs: readonly VoteInput[],
  { now, onlyWithoutEffects, milestones, votesPerAddress }: RecordOptions,
): Promise<VoteOutcome[]> {
  const origins = inputs.map(({ origin }) => origin ?? NO_ORIGIN)
  const { rows } = await db.query<VoteOutcome>(
    namedParameters({
      name: 'votes-record',
      text: `with ${SET_MOMENT}, ${findListed(db)}, ${FIND_CANDIDATES}, ${LOCK_COUNTERS}, ${COUNT_ADDRESS_VOTES},
        ${ACCEPT_VOTES}, ${CONTINUE_STREAKS}, ${NUMBER_VOTES}, ${UPDATE_COUNTERS}, ${INSERT_VOTES} ${SELECT_OUTCOMES}`,
      values: {
        ids: inputs.map(({ id }) => id),
        serverIds: inputs.map(({ serverId }) => serverId),
        visitorIds: inputs.map(({ visitorId }) => visitorId),
        usernames: inputs.map(({ username }) => username),
        gamePlatformIds: inputs.map(({ gamePlatformId }) => gamePlatformId),
        addressKeys: inputs.map(({ addressKey }) => addressKey),
        senderIds: inputs.map(({ senderId }) => senderId),
        networkKeys: origins.map(({ networkKey }) => networkKey),
        networkOwners: origins.map(({ networkOwner }) => networkOwner),
        fromPages: origins.map(({ fromPage }) => fromPage),
        now,
        onlyWithoutEffects,
        milestones,
        votesPerAddress,
      },
    }),
  )
  return rows
}

/** `moment`: the votes' time, its month in UTC, and what a vote of this time adds to a score (docs/decisions/0054). */
const SET_MOMENT = `
  moment as (
    select at, date_trunc('month', at at time zone 'utc')::date as month, vote_weight(at) as weight
    from (select ${currentTimeSql('$now')} as at) as clock)`

/** `listed`: the servers that may be voted for, and which side effects a vote for them has. */
const findListed = (db: Pick<Db, 'requireVerified'>) => `
  listed as (
    select id as server_id, name, owner_id, game,
      exists (
        select from endpoints
        where server_id = servers.id and disabled_at is null and 'vote.created' = any(events)) as has_webhook,
      exists (
        select from vote_reward_settings as rewards
        where rewards.server_id = servers.id and run_on = 'vote') as has_reward
    from servers
    where id = any($serverIds::uuid[]) and ${listedIn(db)})`

/**
 * `candidate`: the votes for listed servers, with the cooldown of the visitor and the reached cap of the address, if
 * there is one. Almost every repeated vote is answered from here: from what is committed, without locks or writes.
 * Laterals instead of joins make the planner use keys, however small a table was when it planned.
 */
const FIND_CANDIDATES = `
  candidate as (
    select input.*, is_by_owner, name, game, has_webhook, has_reward, last_voted_at, remaining_ms, address_remaining_ms
    from unnest($ids::uuid[], $serverIds::uuid[], $visitorIds::text[], $usernames::text[], $gamePlatformIds::text[],
      $addressKeys::text[], $senderIds::uuid[], $networkKeys::text[], $networkOwners::bigint[], $fromPages::boolean[]) with ordinality
      as input (id, server_id, visitor_id, username, game_platform_id, address_key, sender_id, network_key, network_owner, from_page, input_order)
    join listed using (server_id)
    cross join lateral (select coalesce(sender_id = owner_id, false) as is_by_owner) as sender
    cross join moment
    left join lateral (
      select last_voted_at, ${millisecondsUntilADayAfter('last_voted_at')} as remaining_ms
      from vote_cooldowns
      where server_id = input.server_id and visitor_id = input.visitor_id
        and last_voted_at > moment.at - interval '24 hours'
      limit 1) as cooling on true
    left join lateral (
      select ${millisecondsUntilADayAfter('voted_at')} as address_remaining_ms
      from vote_addresses
      where server_id = input.server_id and address_key = input.address_key
        and voted_at > moment.at - interval '24 hours'
        and $votesPerAddress::integer > 0 and not is_by_owner
      order by voted_at desc
      offset greatest($votesPerAddress - 1, 0)
      limit 1) as capped on true)`

/**
 * Whose streak a vote continues: the player's by platform id, else by name, as `player-keys.ts` compares
 * them; else the visitor's.
 */
const VOTER_KEY = `substring(sha256(convert_to(case
      when game_platform_id <> '' then 'id ' || ${platformIdKey('game_platform_id')}
      when username <> '' then 'name ' || case when ${ignoresCase('game')} then ${nameKey('username')} else username end
      else 'visitor ' || visitor_id end, 'UTF8')) for 16)`

/** Conditions on a conflict with a `streak`. */
const STREAK_HAS_ENDED = `streak.last_voted_at < excluded.last_voted_at - interval '48 hours'`
const STREAK_GAINS_A_DAY = `streak.counted_at <= excluded.counted_at - interval '24 hours'`

/**
 * `open`: the candidates that nothing refuses so far. `nth_of_address` numbers those of one address, for the cap.
 * `locked`: their servers' counters, locked in id order to avoid deadlocks. From here on the votes of a server are
 * serial: the total with voided votes is the vote's number, ascending in the order of commits. These columns are read
 * under the lock; another look at the table would read the statement's snapshot, which may be older.
 */
const LOCK_COUNTERS = `
  open as (
    select candidate.*, ${VOTER_KEY} as voter_key,
      row_number() over (partition by server_id, address_key, is_by_owner order by input_order) as nth_of_address
    from candidate
    where last_voted_at is null and address_remaining_ms is null
      and not ($onlyWithoutEffects::boolean and (has_webhook or has_reward))),
  open_of_server as (
    select server_id, count(*) as votes from open group by server_id),
  locked as (
    select server_id, total_votes, voided_votes, monthly_votes, votes_month, vote_score
    from server_counters
    where server_id = any(array(select server_id from open_of_server))
    order by server_id
    for no key update)`

/**
 * `used`: the votes of each capped address. Counted behind the lock, with a snapshot taken there, so that the cap
 * holds across processes.
 */
const COUNT_ADDRESS_VOTES = `
  address as (
    select distinct server_id, address_key
    from open join locked using (server_id)
    where $votesPerAddress > 0 and not is_by_owner),
  used as (
    select counted.*
    from moment, count_address_votes(array(select server_id from address), array(select address_key from address),
      at - interval '24 hours', $votesPerAddress) as counted)`

/**
 * `accepted`: the decision. Of simultaneous votes the later ones find the first one's cooldown, committed while they
 * waited. With `onlyWithoutEffects`, nothing is accepted for a server whose votes might reach a milestone. Votes that
 * exceed the cap only together with others of the statement are left undecided.
 */
const ACCEPT_VOTES = `
  accepted as (
    insert into vote_cooldowns as cooldown (server_id, visitor_id, last_voted_at, voter_key)
    select server_id, visitor_id, at, voter_key
    from moment
    cross join open
    join open_of_server using (server_id)
    join locked using (server_id)
    left join used using (server_id, address_key)
    where (is_by_owner or $votesPerAddress = 0 or used.votes + nth_of_address <= $votesPerAddress)
      and not ($onlyWithoutEffects and exists (
        select from unnest($milestones::integer[]) as milestone
        where milestone > total_votes - voided_votes and milestone <= total_votes - voided_votes + open_of_server.votes))
    on conflict (server_id, visitor_id) do update set last_voted_at = excluded.last_voted_at, voter_key = excluded.voter_key
    where cooldown.last_voted_at <= excluded.last_voted_at - interval '24 hours'
    returning server_id, visitor_id, voter_key)`

/**
 * `continued`: the days in a row of the accepted votes' voters (docs/decisions/0064). The conflict's row is the
 * committed one, because the votes of a server are serial. One row for several votes of a voter, which are of one day.
 */
const CONTINUE_STREAKS = `
  continued as (
    insert into vote_streaks as streak (server_id, voter_key, days, started_at, counted_at, last_voted_at)
    select distinct server_id, voter_key, 1, at, at, at from moment, accepted
    on conflict (server_id, voter_key) do update set
      days = case
        when ${STREAK_HAS_ENDED} then 1
        when ${STREAK_GAINS_A_DAY} then streak.days + 1
        else streak.days end,
      started_at = case when ${STREAK_HAS_ENDED} then excluded.started_at else streak.started_at end,
      counted_at = case when ${STREAK_HAS_ENDED} or ${STREAK_GAINS_A_DAY} then excluded.counted_at else streak.counted_at end,
      last_voted_at = greatest(streak.last_voted_at, excluded.last_voted_at)
    returning server_id, voter_key, days)`

/**
 * `numbered`: the accepted votes with their number, and the counters once each is counted. A vote may have begun in a
 * month that another vote has ended since (`votes_month > month`): it counts for the finished month.
 */
const NUMBER_VOTES = `
  numbered as (
    select vote.*, days as streak, total_votes + nth as number, total_votes - voided_votes + nth as new_total_votes,
      case
        when votes_month < month then nth
        when votes_month = month then monthly_votes + nth
        else monthly_votes end as new_monthly_votes
    from moment
    cross join (
      select candidate.*, voter_key, row_number() over (partition by server_id order by input_order)::integer as nth
      from candidate join accepted using (server_id, visitor_id)) as vote
    join locked using (server_id)
    join continued using (server_id, voter_key))`

/**
 * Keeps the counters of the newest month. The votes of a finished one move to `server_vote_months` under the same lock.
 */
const UPDATE_COUNTERS = `
  newest as (
    select distinct on (server_id) server_id, nth as votes, number, new_monthly_votes
    from numbered
    order by server_id, nth desc),
  counted as (
    update server_counters as counters
    set total_votes = number, monthly_votes = new_monthly_votes, votes_month = greatest(locked.votes_month, month),
      vote_score = locked.vote_score + newest.votes * weight
    from moment, newest join locked using (server_id)
    where counters.server_id = newest.server_id),
  archived as (
    insert into server_vote_months as archive (server_id, month, votes)
    -- votes_month < month: the month of the counter has ended, with the counted votes.
    -- votes_month > month: the month of the new votes has ended while they waited for the lock.
    select server_id, least(votes_month, month), case when votes_month < month then monthly_votes else newest.votes end
    from moment, newest join locked using (server_id)
    where votes_month > month or (votes_month < month and monthly_votes > 0)
    on conflict (server_id, month) do update set votes = archive.votes + excluded.votes)`

const INSERT_VOTES = `
  recorded as (
    insert into votes (id, server_id, number, visitor_id, username, game_platform_id, voted_at, is_by_owner, voter_key, streak,
      network_key, network_owner, from_page)
    select id, server_id, number, visitor_id, username, game_platform_id, at, is_by_owner, voter_key, streak,
      case when not is_by_owner then network_key end, case when not is_by_owner then network_owner end,
      case when not is_by_owner then from_page end
    from moment, numbered),
  located as (
    insert into vote_addresses (server_id, address_key, voted_at, number)
    select server_id, address_key, at, number
    from moment, numbered
    where not is_by_owner)`

/** A row of VoteOutcome for each candidate. */
const SELECT_OUTCOMES = `
  select candidate.id, candidate.name as "serverName", candidate.has_webhook as "hasWebhook",
    candidate.has_reward as "hasReward", candidate.last_voted_at as "lastVotedAt", candidate.remaining_ms as "remainingMs",
    candidate.address_remaining_ms as "addressRemainingMs", case when numbered.id is not null then at end as "votedAt",
    new_total_votes as "totalVotes", new_monthly_votes as "monthlyVotes", streak
  from moment
  cross join candidate
  left join numbered on numbered.id = candidate.id`
