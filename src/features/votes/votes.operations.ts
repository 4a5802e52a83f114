// The operations of votes: voting, rewards for voters, and the administrators' list of where votes come from.
import { v7 as uuidv7 } from 'uuid'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { toCsv } from '../../platform/csv.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { operation } from '../../platform/http/operation.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { createMemo } from '../../platform/memo.ts'
import { queueRewards } from '../rewards/index.ts'
import { type DirectoryLookup, managedServer, noSuchServer, ServerIdParams } from '../servers/index.ts'
import { nextVoteAt } from './cooldown.ts'
import { findCooldown } from './cooldowns.sql.ts'
import { findVoteNetworks } from './networks.sql.ts'
import { openNetworkOwners } from './origins/network-owners.ts'
import { createVoteOrigins } from './origins/origins.ts'
import { pluginsOperations } from './plugins/plugins.operations.ts'
import { voteKeysOperations } from './plugins/vote-keys.operations.ts'
import { progressOperations } from './progress/progress.operations.ts'
import type { VoteProgressStreams } from './progress/progress.ts'
import { VoteChallenge } from './proofs/proofs.schema.ts'
import { createVoteProofs, PROOF_CODES } from './proofs/proofs.service.ts'
import { createRefreshThrottle } from './refresh-throttle.ts'
import { voidingOperations } from './voiding/voiding.operations.ts'
import { createVoteEffects } from './vote-effects.ts'
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
  VoteCooldown,
  VoteNetworks,
  VoteNetworksQuery,
  VoteRequest,
  VoteResult,
  VoterNames,
  VoterStatus,
  VoteStatus,
  VoteStatusQuery,
  Votes,
  VotesQuery,
} from './votes.schema.ts'
import { createVoting } from './votes.service.ts'

/** Websites of server owners call these; no cookie is sent along. */
const open = { tag: 'Votes', crossOrigin: true, params: ServerIdParams, errors: [404] } as const
const owned = { tag: 'Votes', access: 'user', scope: 'votes' } as const

const MAX_REMEMBERED = 1_000
/** So that frequent requests can't overload the database: what took 2 ms is kept for 100 ms, what took 1 s for 50 s. */
const BY_COST = { ttlMs: (findMs: number) => Math.min(50 * findMs, 60_000), clock: () => performance.now() }

type Options = Pick<Deps, 'pool' | 'jobs' | 'log' | 'clock' | 'settings'> & {
  directory: { refresh(): Promise<void>; lookup: DirectoryLookup }
  limits: Pick<Limits, 'consume' | 'refund'>
  progress: VoteProgressStreams
}

export const votesOperations = (options: Options) => [
  ...votingOperations(options),
  ...progressOperations(options.progress),
  ...ownersOperations(options),
  ...topVotersOperations(),
  votersCsv,
  ...voteKeysOperations,
  ...pluginsOperations(options),
  ...networksOperations(),
  ...voidingOperations(options),
]

/** Operations for visitors: a vote, the proof of work it may need, and whether they may vote now. */
function votingOperations({ pool, jobs, log, clock, settings, directory }: Options) {
  const vote = createVoting({
    pool,
    votesPerAddress: settings.VOTES_PER_ADDRESS_PER_DAY,
    applyEffects: createVoteEffects(jobs),
    refreshSoon: createRefreshThrottle({ log, clock, refresh: directory.refresh }),
  })
  const originOf = createVoteOrigins({
    secret: settings.APP_SECRET,
    trustedProxies: settings.TRUST_PROXY,
    pageOrigin: new URL(settings.PUBLIC_BASE_URL).origin,
    ownerOf: openNetworkOwners(settings.NETWORK_OWNER_DATABASE),
  })
  const proofs = settings.VOTE_PROOF === 'altcha' ? createVoteProofs({ secret: settings.APP_SECRET, clock }) : undefined

  return [
    operation({
      ...open,
      method: 'post',
      path: '/servers/{id}/vote',
      operationId: 'vote',
      scope: 'votes',
      summary: 'Vote for a server, once in 24 hours per visitor and server',
      description:
        'After 503 the vote may have been counted; then a retry answers 429 `vote_cooldown`. The directory shows the vote within a ' +
        'second. Besides each visitor’s cooldown, the number of votes for one server from one network in 24 hours is limited; a ' +
        'further vote gets 429 `rate_limited` and is not recorded. Owners who vote for their players from their own server send ' +
        'an API key: their votes for their own server are exempt from that limit and marked in `listVotes`. Where ' +
        '`getVoteChallenge` requires it, each vote needs a `proof` of work, except those of owners; a proof counts once, also if ' +
        'the vote is refused.',
      // One statement decides the vote, together with other votes.
      transaction: false,
      body: VoteRequest,
      returns: VoteResult,
      codes: PROOF_CODES,
      ownErrors: { vote_cooldown: { status: 429, fields: VoteCooldown, isProblem: false } },
      async handle({
        db,
        actor,
        params,
        clientKey,
        req,
        body: { visitorId, username = '', gamePlatformId = '', proof },
      }) {
        const [serverId, senderId] = [params.id, actor?.userId ?? null]
        await proofs?.spend(db, { serverId, senderId, proof })
        const voter = { serverId, visitorId, username, gamePlatformId }
        return vote({ id: uuidv7(), ...voter, addressKey: clientKey, senderId, origin: originOf(req) })
      },
    }),
    operation({
      ...open,
      method: 'get',
      path: '/servers/{id}/vote/challenge',
      operationId: 'getVoteChallenge',
      summary: 'Get a challenge to solve before a vote, where the directory requires it',
      description:
        'An ALTCHA challenge (proof of work, version 2) for one vote for this server, valid for ten minutes. ' +
        '`<altcha-widget challenge="…/vote/challenge">` solves it; so does any program: find a counter whose key, PBKDF2 of the nonce ' +
        'and the counter, begins with `keyPrefix`.',
      returns: VoteChallenge,
      async handle({ params }) {
        directory.lookup.find(params.id)
        return proofs ? { required: true, ...(await proofs.challenge(params.id)) } : { required: false }
      },
    }),
    operation({
      ...open,
      method: 'get',
      path: '/servers/{id}/vote',
      operationId: 'getVoteStatus',
      summary: 'Get whether a visitor may vote for a server now',
      query: VoteStatusQuery,
      returns: VoteStatus,
      async handle({ db, params, query: { visitorId } }) {
        const cooldown = await findCooldown(db, { serverId: params.id, visitorId })
        if (!cooldown) throw noSuchServer()
        const { lastVotedAt, remainingMs, streak } = cooldown
        return { canVote: !lastVotedAt, cooldownRemaining: remainingMs ?? 0, streak }
      },
    }),
  ]
}

/** Operations for owners, who reward their voters. */
const ownersOperations = ({ jobs }: Pick<Options, 'jobs'>) => [
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
  const memoTop = createMemo<{ found: z.output<typeof TopVoters> | undefined }>({ max: MAX_REMEMBERED }, BY_COST)

  return [
    operation({
      ...open,
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

function networksOperations() {
  const memoNetworks = createMemo<z.output<typeof VoteNetworks>>({ max: MAX_REMEMBERED }, BY_COST)

  return [
    operation({
      tag: 'Administration',
      access: 'moderator',
      method: 'get',
      path: '/admin/vote-networks',
      operationId: 'listVoteNetworks',
      summary: 'List servers by how few networks their votes of the last 7 days came from',
      description:
        'Servers with the most votes per network come first. Networks are those of `previewVoteVoiding`; voided votes do not ' +
        'count. A reply can be up to a minute old.',
      query: VoteNetworksQuery,
      returns: VoteNetworks,
      handle: ({ db, query }) =>
        memoNetworks(JSON.stringify(query), async () => {
          const { minVotes, limit } = query
          const { total, servers } = await findVoteNetworks(db, { minVotes, limit, offset: offsetOf(query) })
          return { servers, pagination: paginationOf(query, total) }
        }),
    }),
  ]
}
