// The operations about voters: owners list votes and reward voters, and everybody sees the top voters of a month.
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { toCsv } from '../../platform/csv.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { queueRewards } from '../rewards/index.ts'
import { managedServer, noSuchServer, ServerIdParams } from '../servers/index.ts'
import { nextVoteAt } from './cooldown.ts'
import { createMemoByCost } from './memo-by-cost.ts'
import {
  findTopVoters,
  findVoter,
  findVotersOfMonth,
  findVotes,
  MAX_REDEEMED,
  MAX_VOTERS,
  redeemVotes,
} from './voters.sql.ts'
import {
  cursorOf,
  RedeemedVotes,
  TopVoters,
  TopVotersQuery,
  VoterNames,
  VoterStatus,
  Votes,
  VotesQuery,
} from './votes.schema.ts'

const owned = { tag: 'Votes', access: 'user', scope: 'votes' } as const

export const votersOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
  ...ownersOperations({ jobs }),
  ...topVotersOperations(),
  votersCsv,
]

const ownersOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
  operation({
    ...owned,
    method: 'get',
    path: '/servers/{id}/votes',
    operationId: 'listVotes',
    summary: 'List the votes for your server in counting order, or latest first',
    description:
      'To miss none, keep the last `nextCursor` that was not null and continue from there: later votes come after it. ' +
      'An empty page means that there are no more votes yet. With `order=desc` each page leads to earlier votes, and `nextCursor` ' +
      'is null after the first vote. A cursor is a vote’s place: with the other `order` it leads to the votes on its other side.',
    resource: managedServer({ right: 'read' }),
    query: VotesQuery,
    returns: Votes,
    async handle({ db, server, query: { order, cursor, since, limit } }) {
      const filter = { order, from: cursor, since: since ? new Date(since) : null, limit: limit + 1 }
      const found = await findVotes(db, server.id, filter)
      const votes = found.slice(0, limit)
      const last = votes.at(-1)
      // Later votes follow the last one, earlier votes do not.
      const continues = order === 'asc' || found.length > limit
      return { votes, nextCursor: last && continues ? cursorOf(last.number) : null }
    },
  }),
  operation({
    ...owned,
    method: 'get',
    path: '/servers/{id}/votes/check',
    operationId: 'checkVoter',
    summary: 'Get whether a player voted for your server, and their unclaimed votes',
    description:
      'By exactly one of `gamePlatformId` and `username`. Names that differ in case only are one player’s, except in OpenTTD and Terraria; ' +
      'identifiers of Steam are compared as SteamID64, in whatever form. Voters enter both themselves; they are not verified.',
    resource: managedServer({ right: 'read' }),
    query: VoterNames,
    returns: VoterStatus,
    async handle({ db, server, query }) {
      const { lastVotedAt, redeemed, unredeemed } = await findVoter(db, server.id, query)
      return {
        claimed: redeemed,
        unclaimed: unredeemed,
        voted: lastVotedAt !== null,
        nextVoteAt: lastVotedAt && nextVoteAt(lastVotedAt),
      }
    },
  }),
  operation({
    ...owned,
    method: 'post',
    path: '/servers/{id}/votes/claim',
    operationId: 'claimVotes',
    summary: 'Claim a voter’s votes to reward them',
    description:
      'Each vote is claimed once, even by simultaneous requests. Reward exactly the votes of the reply; another request ' +
      `returns only later votes. At most ${MAX_REDEEMED} at once. Names and identifiers are compared as in \`checkVoter\`.`,
    resource: managedServer({ right: 'edit', lock: 'update', audit: 'votes.claim' }),
    body: VoterNames,
    returns: RedeemedVotes,
    async handle({ tx, server, body }) {
      const voteIds = await redeemVotes(tx, server.id, body)
      await queueRewards(tx, jobs, { serverId: server.id, voteIds, runOn: 'claim' })
      return new Audited({ claimed: voteIds.length, voteIds }, voteIds.length ? { voteIds } : undefined)
    },
  }),
]

const VOTER_COLUMNS = ['username', 'votes', 'lastVotedAt', 'gamePlatformId'] as const

const votersCsv = operation({
  ...owned,
  method: 'get',
  path: '/servers/{id}/votes/top.csv',
  operationId: 'getTopVotersCsv',
  summary: 'Get the voters of your server in a month as CSV, most votes first',
  description:
    'RFC 4180 with a head. Voters with a name, distinguished as in `listTopVoters`, and those who gave only a platform id; those who gave ' +
    `neither are not in it. At most ${MAX_VOTERS}. \`gamePlatformId\` is the one that a voter gave most. Voters enter both themselves; they are not ` +
    'verified. A text that a spreadsheet would read as a formula has an apostrophe in front.',
  resource: managedServer({ right: 'read' }),
  query: TopVotersQuery,
  returns: z.string().meta({ description: 'A table' }),
  produces: 'text/csv',
  async handle({ db, server, query: { month } }) {
    const voters = await findVotersOfMonth(db, server.id, month)
    return toCsv(
      VOTER_COLUMNS,
      voters.map((voter) => VOTER_COLUMNS.map((column) => voter[column])),
    )
  },
})

function topVotersOperations() {
  const memoTop = createMemoByCost<{ found: z.output<typeof TopVoters> | undefined }>()

  return [
    operation({
      tag: 'Votes',
      crossOrigin: true,
      params: ServerIdParams,
      errors: [404],
      method: 'get',
      path: '/servers/{id}/votes/top',
      operationId: 'listTopVoters',
      summary: 'List the named voters with the most votes for a server in a month',
      query: TopVotersQuery,
      returns: TopVoters,
      async handle({ db, params: { id }, query: { month } }) {
        const { found } = await memoTop(`${id} ${month ?? ''}`, async () => ({
          found: await findTopVoters(db, id, month),
        }))
        if (!found) throw noSuchServer()
        return found
      },
    }),
  ]
}
