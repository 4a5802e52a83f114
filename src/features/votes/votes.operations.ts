// The operations of votes: voting, and the administrators' list of where votes come from.
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { operation } from '../../platform/http/operation.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { type DirectoryLookup, noSuchServer, ServerIdParams } from '../servers/index.ts'
import { findCooldown } from './cooldowns.sql.ts'
import { createMemoByCost } from './memo-by-cost.ts'
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
import { votersOperations } from './voters.operations.ts'
import {
  VoteCooldown,
  VoteNetworks,
  VoteNetworksQuery,
  VoteRequest,
  VoteResult,
  VoteStatus,
  VoteStatusQuery,
} from './votes.schema.ts'
import { createVoting } from './votes.service.ts'

/** Websites of server owners call these; no cookie is sent along. */
const open = { tag: 'Votes', crossOrigin: true, params: ServerIdParams, errors: [404] } as const

type Options = Pick<Deps, 'pool' | 'jobs' | 'log' | 'clock' | 'settings'> & {
  directory: { refresh(): Promise<void>; lookup: DirectoryLookup }
  limits: Pick<Limits, 'consume' | 'refund'>
  progress: VoteProgressStreams
}

export const votesOperations = (options: Options) => [
  ...votingOperations(options),
  ...progressOperations(options.progress),
  ...votersOperations(options),
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
        'second. Besides each visitor’s cooldown, the number of votes for one server from one client address in 24 hours is limited; a ' +
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
      async handle({ db, actor, params: { id: serverId }, clientKey, req, body }) {
        const { visitorId, username = '', gamePlatformId = '', proof } = body
        const senderId = actor?.userId ?? null
        await proofs?.spend(db, { serverId, senderId, proof })
        return vote({
          id: uuidv7(),
          serverId,
          visitorId,
          username,
          gamePlatformId,
          addressKey: clientKey,
          senderId,
          origin: originOf(req),
        })
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

function networksOperations() {
  const memoNetworks = createMemoByCost<z.output<typeof VoteNetworks>>()

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
