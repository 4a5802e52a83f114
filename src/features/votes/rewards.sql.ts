// Statements over the votes of one server: its feed, what a voter has coming, who voted most.
import type { Db } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'

export interface VoteRow {
  id: string
  number: number
  username: string
  gamePlatformId: string
  votedAt: Date
  claimedAt: Date | null
  source: 'visitor' | 'owner'
}

/**
 * Votes after a number, in their order. Numbers ascend in the order of commits, so no vote appears below one that was seen.
 * @param filter `since` null: from the first
 */
export async function findVotes(
  db: Db,
  serverId: string,
  filter: { after: number; since: Date | null; limit: number },
): Promise<VoteRow[]> {
  const { rows } = await db.query<VoteRow>({
    name: 'votes-find',
    // votes_at and number ascend together but for votes that waited for each other, seconds at most: the vote well before
    // `since` is where reading begins, instead of at the server's first.
    text: `
      select id, number, username, game_platform_id as "gamePlatformId", voted_at as "votedAt", claimed_at as "claimedAt",
        case when is_by_owner then 'owner' else 'visitor' end as source
      from votes
      where server_id = $1 and ($3::timestamptz is null or voted_at >= $3)
        and number > greatest($2::integer, (
          select number from votes
          where server_id = $1 and voted_at < $3 - interval '10 minutes'
          order by voted_at desc
          limit 1))
      order by number
      limit $4`,
    values: [serverId, filter.after, filter.since, filter.limit],
  })
  return rows
}

/** One of the names by which a voter is known; votes have both as the voter gave them. */
export type Voter = { gamePlatformId: string } | { username: string }

// Two texts, not one with a case: each has a partial index of its own.
const OF_VOTER = {
  gamePlatformId: `game_platform_id = $2 and game_platform_id <> ''`,
  username: `username = $2 and username <> ''`,
}
const split = (voter: Voter) =>
  'username' in voter
    ? ({ kind: 'username', name: voter.username } as const)
    : ({ kind: 'gamePlatformId', name: voter.gamePlatformId } as const)

export interface VoterStanding {
  claimed: number
  unclaimed: number
  /** The last vote, if it was within 24 hours. */
  lastVotedAt: Date | null
}

/** @param now null: the database's clock */
export async function findStanding(db: Db, serverId: string, voter: Voter, now: Date | null): Promise<VoterStanding> {
  const { kind, name } = split(voter)
  const { rows } = await db.query<VoterStanding>({
    name: `votes-standing-${kind}`,
    text: `
      select count(claimed_at) as claimed, count(*) - count(claimed_at) as unclaimed,
        max(voted_at) filter (where voted_at > date_trunc('milliseconds', coalesce($3::timestamptz, now())) - interval '24 hours')
          as "lastVotedAt"
      from votes
      where server_id = $1 and ${OF_VOTER[kind]}`,
    values: [serverId, name, now],
  })
  return rows[0] ?? { claimed: 0, unclaimed: 0, lastVotedAt: null }
}

/**
 * Marks a voter's unclaimed votes, oldest first, as claimed. Of two at once the second waits for the first, and then finds its votes
 * claimed.
 * @returns ids of the votes claimed by this call
 */
export async function claimVotes(
  db: Db,
  serverId: string,
  voter: Voter,
  { now, limit }: { now: Date | null; limit: number },
): Promise<string[]> {
  const { kind, name } = split(voter)
  const { rows } = await db.query<{ id: string }>({
    name: `votes-claim-${kind}`,
    text: `
      with unclaimed as (
        select id, number from votes
        where server_id = $1 and ${OF_VOTER[kind]} and claimed_at is null
        order by number
        limit $4
        for no key update),
      claimed as (
        update votes set claimed_at = coalesce($3::timestamptz, now()) from unclaimed where votes.id = unclaimed.id
        returning votes.id)
      select id from claimed join unclaimed using (id) order by number`,
    values: [serverId, name, now, limit],
  })
  return rows.map(({ id }) => id)
}

/**
 * Voters with a name, most votes first.
 * @param month any day of it; null: this one, by the database's clock unless `now` says otherwise
 * @returns undefined when the server is not listed
 */
export async function findTopVoters(
  db: Db,
  serverId: string,
  {
    month,
    now,
    limit,
    requireVerified,
  }: { month: string | null; now: Date | null; limit: number; requireVerified: boolean },
): Promise<{ month: string; voters: { username: string; votes: number }[] } | undefined> {
  const { rows } = await db.query<{ month: string; username: string | null; votes: number | null }>({
    name: 'votes-top',
    text: `
      with asked as (
        select date_trunc('month', coalesce($3::date, coalesce($4::timestamptz, now()) at time zone 'utc')) as month),
      best as (
        select username, count(*) as votes
        from votes, asked
        where server_id = $2 and username <> ''
          and voted_at >= month at time zone 'utc' and voted_at < (month + interval '1 month') at time zone 'utc'
        group by username
        order by votes desc, username
        limit $5)
      select to_char(month, 'YYYY-MM') as month, username, votes
      from asked
      join servers on servers.id = $2 and ${isListed('$1')}
      left join best on true
      order by votes desc nulls last, username`,
    values: [requireVerified, serverId, month, now, limit],
  })
  const [first] = rows
  if (!first) return undefined
  const voters = rows.flatMap(({ username, votes }) =>
    username !== null && votes !== null ? [{ username, votes }] : [],
  )
  return { month: first.month, voters }
}
