// The administrators' view of servers whose votes come from few networks.
import type * as z from 'zod'
import type { Pool } from '../../platform/db/pool.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { VoteNetworks, VoteNetworksQuery } from './networks.schema.ts'
import { findVoteNetworks } from './networks.sql.ts'
import { createShortMemory } from './short-memory.ts'

export function networksRoute(pool: Pool): Route {
  const found = createShortMemory<z.input<typeof VoteNetworks>>()

  async function find(query: VoteNetworksQuery): Promise<z.input<typeof VoteNetworks>> {
    const { total, servers } = await findVoteNetworks(pool, {
      minVotes: query.minVotes,
      limit: query.limit,
      offset: offsetOf(query),
    })
    return {
      servers: servers.map(({ serverId, name, votes, networks, topNetworkVotes, ownerVotes }) => ({
        id: serverId,
        name,
        votes,
        networks,
        topNetworkVotes,
        topNetworkShare: votes ? topNetworkVotes / votes : 0,
        ownerVotes,
      })),
      pagination: paginationOf(query, total),
    }
  }

  return route({
    tag: 'Administration',
    access: 'admin',
    method: 'get',
    path: '/admin/vote-networks',
    operationId: 'listVoteNetworks',
    summary: 'Servers by how few networks their votes of the last 7 days came from',
    description:
      'Those with the most votes per network come first. A reply can be up to a minute old. No address is stored, only keyed ' +
      'hashes, and those for eight days.',
    query: VoteNetworksQuery,
    returns: VoteNetworks,
    handle: ({ query }) => found.get(JSON.stringify(query), () => find(query)),
  })
}
