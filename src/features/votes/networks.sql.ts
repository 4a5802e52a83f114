// SQL, because it aggregates votes by network.
import type * as z from 'zod'
import type { Db, Optional } from '../../platform/db/pool.ts'
import type { VoteNetworks } from './votes.schema.ts'

const DAYS = 7

type VoteNetworksRow = z.output<typeof VoteNetworks>['servers'][number]

/**
 * Servers with at least `minVotes` votes in the last days, most votes per network first. Networks are those that
 * votes are voided by.
 * @returns one page, and the number of all
 */
export async function findVoteNetworks(
  db: Db,
  { minVotes, limit, offset }: { minVotes: number; limit: number; offset: number },
): Promise<{ total: number; servers: VoteNetworksRow[] }> {
  const { rows } = await db.query<Optional<VoteNetworksRow> & { total: number }>({
    name: 'votes-find-networks',
    // Server by server, because votes have an index by server and time, and are years of rows.
    text: `
      with by_network as (
        select id, name, network_key, is_by_owner, count(*) as votes
        from servers
        cross join lateral (
          select network_key, is_by_owner
          from votes
          where server_id = servers.id and voted_at > now() - make_interval(days => $4) and voiding_id is null
            and (network_key is not null or is_by_owner)
          offset 0) as votes
        where deleted_at is null
        group by id, network_key, is_by_owner),
      by_server as materialized (
        select id, name,
          coalesce(sum(votes) filter (where not is_by_owner), 0)::integer as votes,
          count(*) filter (where not is_by_owner) as networks,
          (array_agg(network_key order by votes desc, network_key) filter (where not is_by_owner))[1] as top_network,
          coalesce(max(votes) filter (where not is_by_owner), 0) as top_network_votes,
          coalesce(sum(votes) filter (where is_by_owner), 0)::integer as owner_votes
        from by_network
        group by id, name
        having sum(votes) >= $1)
      select (select count(*) from by_server) as total, id, name, votes, networks, top_network as "topNetwork",
        top_network_votes as "topNetworkVotes", top_network_votes::float / greatest(votes, 1) as "topNetworkShare",
        owner_votes as "ownerVotes"
      from (select) as always
      left join lateral (
        select *, votes::float / greatest(networks, 1) as concentration
        from by_server
        order by concentration desc, votes desc, id
        limit $2 offset $3) as page on true
      order by concentration desc, votes desc, id`,
    values: [minVotes, limit, offset, DAYS],
  })
  return {
    total: rows[0]?.total ?? 0,
    servers: rows.filter((row): row is VoteNetworksRow & { total: number } => row.id !== null),
  }
}
