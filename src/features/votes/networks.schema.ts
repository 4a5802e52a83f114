// What administrators see of the networks that votes come from.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { integer } from '../../platform/http/query.ts'

const count = z.int().min(0)

export const VoteNetworksQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  minVotes: integer(1, 1_000_000, 20).describe('Only servers with at least this many votes in the last 7 days'),
})
export type VoteNetworksQuery = z.output<typeof VoteNetworksQuery>

export const VoteNetworks = pageOf(
  'servers',
  z
    .object({
      id: z.uuid(),
      name: z.string(),
      votes: count.describe('Visitors’ votes in the last 7 days'),
      networks: count.describe('Networks they came from: IPv4 addresses and IPv6 /56 networks'),
      topNetworkVotes: count.describe('Votes from the network that sent most'),
      topNetworkShare: z.number().min(0).max(1).describe('Its share of the visitors’ votes'),
      ownerVotes: count.describe('Votes that the owner sent with an API key, besides'),
    })
    .meta({ id: 'ServerVoteNetworks' }),
)
