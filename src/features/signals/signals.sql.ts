// SQL, because it counts the votes of weeks by server, network and day. Voided votes and those of
// owners are not looked at.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { STATEMENT_TIMEOUT } from '../../platform/db/statement-timeout.ts'
import { HAS_VOTED_ONCE, HOSTING_PROVIDERS } from '../votes/index.ts'

export interface Span {
  from: Date
  until: Date
}

/**
 * Votes of visitors in a span, for servers that were not deleted. Server by server, because votes have an index by
 * server and time, and are years of rows.
 */
const VOTES = `
  (select id from servers where deleted_at is null) as server
  cross join lateral (
    select * from votes
    where votes.server_id = server.id and voted_at >= $from and voted_at < $until and voiding_id is null and not is_by_owner
    offset 0) as votes`

export interface VoteCounts {
  serverId: string
  votes: number
  /** Votes whose network's owner is known, and those of them from hosting providers. */
  located: number
  hosting: number
  /** Votes older than a day, whose visitors could have voted again, and those of them whose visitors have not. */
  older: number
  seenOnce: number
  /** Votes with a known origin, and those of them that no page of the site sent. */
  known: number
  withoutPage: number
}

/** @returns a row for each server with votes in the span */
export async function countVotes(db: Db, { from, until }: Span): Promise<VoteCounts[]> {
  const { rows } = await db.query<VoteCounts>(
    namedParameters({
      text: `
        with vote as (
          select votes.server_id, network_owner, from_page, voted_at < $until::timestamptz - interval '24 hours' as is_older,
            ${HAS_VOTED_ONCE} as is_seen_once
          from ${VOTES})
        select server_id as "serverId", count(*) as votes,
          count(network_owner) as located, count(*) filter (where network_owner = any($hosting::bigint[])) as hosting,
          count(*) filter (where is_older) as older, count(*) filter (where is_older and is_seen_once) as "seenOnce",
          count(from_page) as known, count(*) filter (where not from_page) as "withoutPage"
        from vote
        group by server_id`,
      values: { from, until, hosting: [...HOSTING_PROVIDERS.keys()] },
      ...STATEMENT_TIMEOUT,
    }),
  )
  return rows
}

export interface NetworkVotes {
  /** Null: of all servers. */
  serverId: string | null
  votes: number
  /** The networks with the most votes, and how many votes those are. */
  networks: string[]
  selected: number
}

/**
 * @param options.networks how many at most
 * @param options.minShareOfEach leaves out networks with a smaller share of the votes
 * @returns votes by network for each server and for all with at least `minVotes` votes of known networks in the span
 */
export async function countNetworks(
  db: Db,
  { from, until }: Span,
  { minVotes, networks, minShareOfEach }: { minVotes: number; networks: number; minShareOfEach: number },
): Promise<NetworkVotes[]> {
  const { rows } = await db.query<NetworkVotes>(
    namedParameters({
      text: `
        with counted as (
          select votes.server_id, network_key, count(*) as votes
          from ${VOTES}
          where network_key is not null
          group by grouping sets ((votes.server_id, network_key), (network_key))),
        ranked as (
          select *, row_number() over (partition by server_id order by votes desc, network_key) <= $networks
              and votes >= $minShareOfEach * sum(votes) over (partition by server_id) as is_selected
          from counted)
        select server_id as "serverId", sum(votes)::integer as votes,
          coalesce(array_agg(network_key order by votes desc, network_key) filter (where is_selected), '{}') as networks,
          coalesce(sum(votes) filter (where is_selected), 0)::integer as selected
        from ranked
        group by server_id
        having sum(votes) >= $minVotes`,
      values: { from, until, minVotes, networks, minShareOfEach },
      ...STATEMENT_TIMEOUT,
    }),
  )
  return rows
}

export interface DayVotes {
  /** Null: of all servers. */
  serverId: string | null
  /** Days before the end of the span; 0: the last 24 hours. */
  daysAgo: number
  votes: number
}

/** @returns votes of each server and of all on each day of the span that had some */
export async function countDays(db: Db, { from, until }: Span): Promise<DayVotes[]> {
  const { rows } = await db.query<DayVotes>(
    namedParameters({
      text: `
        with vote as (
          select votes.server_id, floor(extract(epoch from $until::timestamptz - voted_at) / 86400)::integer as days_ago
          from ${VOTES})
        select server_id as "serverId", days_ago as "daysAgo", count(*) as votes
        from vote
        group by grouping sets ((server_id, days_ago), (days_ago))`,
      values: { from, until },
      ...STATEMENT_TIMEOUT,
    }),
  )
  return rows
}
