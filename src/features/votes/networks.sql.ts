// SQL, because it aggregates votes by network and deletes old ones in batches.
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Optional } from '../../platform/db/pool.ts'
import type { Batch } from './upkeep.sql.ts'
import type { VoteNetworks } from './votes.schema.ts'

/** What administrators see; rows are kept a day longer. */
const NETWORK_DAYS = 7
const KEPT_DAYS = NETWORK_DAYS + 1

type VoteNetworksRow = z.output<typeof VoteNetworks>['servers'][number]

/**
 * Servers with at least `minVotes` votes in the last days, most votes per network first.
 * @returns one page, and the number of all
 */
export async function findVoteNetworks(
  db: Db,
  { minVotes, limit, offset }: { minVotes: number; limit: number; offset: number },
): Promise<{ total: number; servers: VoteNetworksRow[] }> {
  const { rows } = await db.query<Optional<VoteNetworksRow> & { total: number }>({
    name: 'votes-find-networks',
    text: `
      with by_network as (
        select server_id, address_key, count(*) as votes
        from vote_addresses
        where voted_at > now() - make_interval(days => $4)
        group by server_id, address_key),
      by_server as materialized (
        select server_id,
          coalesce(sum(votes) filter (where address_key <> ''), 0)::integer as votes,
          count(*) filter (where address_key <> '') as networks,
          coalesce(max(votes) filter (where address_key <> ''), 0) as top_network_votes,
          coalesce(sum(votes) filter (where address_key = ''), 0)::integer as owner_votes
        from by_network
        group by server_id
        having sum(votes) >= $1),
      listed as materialized (
        select by_server.*, name from by_server join servers on servers.id = server_id where deleted_at is null)
      select (select count(*) from listed) as total, server_id as id, name, votes, networks,
        top_network_votes as "topNetworkVotes", top_network_votes::float / greatest(votes, 1) as "topNetworkShare",
        owner_votes as "ownerVotes"
      from (select) as always
      left join lateral (
        select *, votes::float / greatest(networks, 1) as concentration
        from listed
        order by concentration desc, votes desc, server_id
        limit $2 offset $3) as page on true
      order by concentration desc, votes desc, server_id`,
    values: [minVotes, limit, offset, NETWORK_DAYS],
  })
  return {
    total: rows[0]?.total ?? 0,
    servers: rows.filter((row): row is VoteNetworksRow & { total: number } => row.id !== null),
  }
}

export interface VoteAddressKey {
  serverId: string
  addressKey: string
  votedAt: Date
  number: number
}

/** Before every row. */
export const FIRST_VOTE_ADDRESS: VoteAddressKey = {
  serverId: '00000000-0000-0000-0000-000000000000',
  addressKey: '',
  votedAt: new Date(0),
  number: 0,
}

/**
 * Deletes up to `limit` old rows in the order of the table's key, so that a run reads the table once.
 * @returns their keys
 */
export async function deleteOldVoteAddresses(
  db: Db,
  { after, now, limit }: Batch & { after: VoteAddressKey },
): Promise<VoteAddressKey[]> {
  const { serverId, addressKey, votedAt, number } = after
  const { rows } = await db.query<VoteAddressKey>(
    namedParameters({
      name: 'votes-delete-old-addresses',
      text: `
        with old as (
          select server_id, address_key, voted_at, number from vote_addresses
          where (server_id, address_key, voted_at, number)
              > ($serverId::uuid, $addressKey::text, $votedAt::timestamptz, $number::integer)
            and voted_at < coalesce($now::timestamptz, now()) - make_interval(days => $keptDays)
          order by server_id, address_key, voted_at, number
          limit $limit
          for update skip locked),
        deleted as (
          delete from vote_addresses as vote using old
          where (vote.server_id, vote.address_key, vote.voted_at, vote.number)
            = (old.server_id, old.address_key, old.voted_at, old.number))
        select server_id as "serverId", address_key as "addressKey", voted_at as "votedAt", number
        from old
        order by old.server_id, old.address_key, old.voted_at, old.number`,
      values: { serverId, addressKey, votedAt, number, now, keptDays: KEPT_DAYS, limit },
    }),
  )
  return rows
}
