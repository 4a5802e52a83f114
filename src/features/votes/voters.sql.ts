// SQL, because redeeming votes decides a race, and the other statements aggregate a server's votes or
// read a range of them.
import type * as z from 'zod'
import type { Db, Optional } from '../../platform/db/pool.ts'
import { ignoresCase, nameKey, platformIdKey } from '../games/index.ts'
import { listedIn } from '../servers/index.ts'
import { currentTimeSql } from './cooldowns.sql.ts'
import type { VoterNames, Votes } from './votes.schema.ts'

type VoteRow = z.output<typeof Votes>['votes'][number] & { number: number }

/**
 * voted_at and number ascend together, except for votes that waited for each other for seconds. So the last
 * vote well before `since` bounds what is read, instead of the server's first vote.
 */
const WELL_BEFORE_SINCE = `(
  select number from votes
  where server_id = $1 and voted_at < $3 - interval '10 minutes'
  order by voted_at desc
  limit 1)`

const IN_ORDER = {
  asc: `number > greatest($2::integer, 0, ${WELL_BEFORE_SINCE}) order by number`,
  desc: `number < coalesce($2::integer, 2147483647) and number > greatest(0, ${WELL_BEFORE_SINCE}) order by number desc`,
}

/**
 * Votes on one side of a number: later ones, or with `desc` earlier ones. Numbers ascend in the order of commits, so
 * that no vote appears later below a returned one.
 * @param filter.from exclusive; undefined: from the first, or with `desc` from the last
 * @param filter.since null: all
 */
export async function findVotes(
  db: Db,
  serverId: string,
  filter: { order: keyof typeof IN_ORDER; from: number | undefined; since: Date | null; limit: number },
): Promise<VoteRow[]> {
  const { rows } = await db.query<VoteRow>({
    name: `votes-find-${filter.order}`,
    text: `
      select votes.id, number, username, game_platform_id as "gamePlatformId", voted_at as "votedAt", claimed_at as "claimedAt",
        case when is_by_owner then 'owner' else 'visitor' end as source, voiding.created_at as "voidedAt",
        coalesce(voiding.reason, '') as "voidReason"
      from votes left join vote_voidings as voiding on voiding.id = voiding_id
      where server_id = $1 and ($3::timestamptz is null or voted_at >= $3)
        and ${IN_ORDER[filter.order]}
      limit $4`,
    values: [serverId, filter.from, filter.since, filter.limit],
  })
  return rows
}

// Two texts instead of one with a case, because each has its own partial index.
const OF_VOTER = {
  gamePlatformId: `${platformIdKey('game_platform_id')} = ${platformIdKey('$2::text')} and game_platform_id <> ''`,
  username: `${nameKey('username')} = ${nameKey('$2::text')} and username <> ''
    and (username = $2 or ${ignoresCase('(select game from servers where id = $1)')})`,
}
/** Which of the two a caller gave, and its value. */
const kindAndNameOf = ({ gamePlatformId, username = '' }: VoterNames) =>
  gamePlatformId === undefined
    ? ({ kind: 'username', name: username } as const)
    : ({ kind: 'gamePlatformId', name: gamePlatformId } as const)

/** @param now of a parameter; a vote's time has whole milliseconds */
const isWithinADay = (now: `$${number}`) => `voted_at > ${currentTimeSql(now)} - interval '24 hours'`

/**
 * `lastVotedAt` and `hasUnredeemed` are of the votes of the last 24 hours, null if there is none.
 * @param now the database's clock unless given
 */
export async function findVoter(db: Db, serverId: string, voter: VoterNames, now?: Date) {
  const { kind, name } = kindAndNameOf(voter)
  const { rows } = await db.query<{
    redeemed: number
    unredeemed: number
    lastVotedAt: Date | null
    hasUnredeemed: boolean | null
  }>({
    name: `votes-find-voter-${kind}`,
    text: `
      select count(claimed_at) as redeemed, count(*) - count(claimed_at) as unredeemed,
        max(voted_at) filter (where ${isWithinADay('$3')}) as "lastVotedAt",
        bool_or(claimed_at is null) filter (where ${isWithinADay('$3')}) as "hasUnredeemed"
      from votes
      where server_id = $1 and ${OF_VOTER[kind]} and voiding_id is null`,
    values: [serverId, name, now],
  })
  return rows[0] ?? { redeemed: 0, unredeemed: 0, lastVotedAt: null, hasUnredeemed: null }
}

export const MAX_REDEEMED = 1_000

/**
 * Marks up to MAX_REDEEMED of a voter's unredeemed votes, oldest first, as redeemed. Of two simultaneous calls the
 * second waits for the first.
 * @param options.onlyLastDay only votes of the last 24 hours
 * @returns ids of the votes redeemed by this call
 */
export async function redeemVotes(
  db: Db,
  serverId: string,
  voter: VoterNames,
  { now, onlyLastDay = false }: { now?: Date | undefined; onlyLastDay?: boolean } = {},
): Promise<string[]> {
  const { kind, name } = kindAndNameOf(voter)
  const { rows } = await db.query<{ id: string }>({
    name: `votes-redeem-${kind}`,
    text: `
      with unredeemed as (
        select id, number from votes
        where server_id = $1 and ${OF_VOTER[kind]} and claimed_at is null and voiding_id is null and (not $5::boolean or ${isWithinADay('$3')})
        order by number
        limit $4
        for no key update),
      redeemed as (
        update votes set claimed_at = coalesce($3::timestamptz, now()) from unredeemed where votes.id = unredeemed.id
        returning votes.id)
      select id from redeemed join unredeemed using (id) order by number`,
    values: [serverId, name, now, MAX_REDEEMED, onlyLastDay],
  })
  return rows.map(({ id }) => id)
}

const TOP_VOTERS = 100
/** Maximum in a table for the owner: far more than any server has, and a few hundred kB. */
export const MAX_VOTERS = 10_000

/**
 * Voters with a name, most votes first; each by the spelling that they used most.
 * @param month such as `2026-11`; default: the current month
 * @returns undefined if the server is not listed
 */
export async function findTopVoters(
  db: Db,
  serverId: string,
  month: string | undefined,
): Promise<{ month: string; voters: { username: string; votes: number }[] } | undefined> {
  const { rows } = await db.query<{ month: string; username: string | null; votes: number | null }>({
    name: 'votes-top',
    text: `
      with asked as (
        select date_trunc('month', coalesce($2::date, now() at time zone 'utc')) as month),
      best as (
        select mode() within group (order by username) as username, count(*) as votes
        from asked, votes join servers on servers.id = server_id
        where server_id = $1 and username <> '' and voiding_id is null
          and voted_at >= month at time zone 'utc' and voted_at < (month + interval '1 month') at time zone 'utc'
        group by case when ${ignoresCase('game')} then ${nameKey('username')} else username end
        order by votes desc, username
        limit $3)
      select to_char(month, 'YYYY-MM') as month, username, votes
      from asked
      join servers on servers.id = $1 and ${listedIn(db)}
      left join best on true
      order by votes desc nulls last, username`,
    values: [serverId, month && `${month}-01`, TOP_VOTERS],
  })
  const [first] = rows
  if (!first) return undefined
  const voters = rows.flatMap(({ username, votes }) =>
    username !== null && votes !== null ? [{ username, votes }] : [],
  )
  return { month: first.month, voters }
}

export interface VoterOfMonth {
  username: string
  votes: number
  lastVotedAt: Date
  gamePlatformId: string
}

/**
 * Voters for the owner, most votes first: those with a name, distinguished as in `findTopVoters`, or
 * with only a platform id.
 * @param month such as `2026-11`; default: the current month
 */
export async function findVotersOfMonth(db: Db, serverId: string, month: string | undefined): Promise<VoterOfMonth[]> {
  const { rows } = await db.query<Optional<VoterOfMonth>>({
    name: 'votes-voters-of-month',
    text: `
      with asked as (
        select date_trunc('month', coalesce($2::date, now() at time zone 'utc')) as month)
      select mode() within group (order by username) as username, count(*) as votes, max(voted_at) as "lastVotedAt",
        coalesce(mode() within group (order by game_platform_id) filter (where game_platform_id <> ''), '') as "gamePlatformId"
      from asked, votes join servers on servers.id = server_id
      where server_id = $1 and voiding_id is null and (username <> '' or game_platform_id <> '')
        and voted_at >= month at time zone 'utc' and voted_at < (month + interval '1 month') at time zone 'utc'
      group by case when ${ignoresCase('game')} then ${nameKey('username')} else username end,
        case when username = '' then ${platformIdKey('game_platform_id')} end
      order by votes desc, "lastVotedAt" desc, username
      limit $3`,
    values: [serverId, month && `${month}-01`, MAX_VOTERS],
  })
  return rows.flatMap(({ username, votes, lastVotedAt, gamePlatformId }) =>
    username === null || votes === null || lastVotedAt === null
      ? []
      : [{ username, votes, lastVotedAt, gamePlatformId: gamePlatformId ?? '' }],
  )
}
