// The endpoints of votes: anybody's to vote, and the owner's to reward.
import { type Route, route } from '../../platform/http/route.ts'
import { ServerParams } from '../directory/index.ts'
import { MOST_CLAIMED, type RewardsService } from './rewards.service.ts'
import {
  ClaimedVotes,
  TopVoters,
  TopVotersQuery,
  VoteCooldown,
  VoteRequest,
  VoteResult,
  VoterNames,
  VoterStanding,
  VoteStatus,
  VoteStatusQuery,
  Votes,
  VotesQuery,
} from './votes.schema.ts'
import type { VotesService } from './votes.service.ts'

const common = { tag: 'Votes', params: ServerParams, errors: [404 as const] }

/** Pages of server owners let their visitors vote: no cookie goes with it. */
export function votingRoutes(votes: VotesService): Route[] {
  return [
    route({
      ...common,
      method: 'post',
      path: '/servers/{id}/vote',
      operationId: 'vote',
      summary: 'Votes for a server: once in 24 hours for each visitor and server',
      description:
        'After 503 the vote may have been counted; another try then tells by 429 `vote_cooldown` that it was. ' +
        'The directory shows it within a second. Besides the cooldown of each visitor, a limited number of votes for one server ' +
        'counts from one network in 24 hours; what exceeds it is 429 `rate_limited` and is not recorded. Owners who vote for their ' +
        'players from a server of theirs send an API key: their votes for their own server are exempt, and marked in `listVotes`.',
      crossOrigin: true,
      body: VoteRequest,
      returns: VoteResult,
      ownErrors: { vote_cooldown: { status: 429, fields: VoteCooldown } },
      handle: ({ actor, params, body, clientKey }) =>
        votes.cast(params.id, body, { addressKey: clientKey, senderId: actor?.userId ?? null }),
    }),
    route({
      ...common,
      method: 'get',
      path: '/servers/{id}/vote',
      operationId: 'getVoteStatus',
      summary: 'Whether a visitor may vote for a server now',
      crossOrigin: true,
      query: VoteStatusQuery,
      returns: VoteStatus,
      errors: [404],
      handle: ({ params, query }) => votes.status(params.id, query.visitorId),
    }),
  ]
}

const owned = { ...common, access: 'user' } as const

export function rewardRoutes(rewards: RewardsService): Route[] {
  return [
    route({
      ...owned,
      method: 'get',
      path: '/servers/{id}/votes',
      operationId: 'listVotes',
      summary: 'The votes for your server, in the order they were counted',
      description:
        'To miss none, keep the last `nextCursor` that was not null and go on from there: votes that come later are after it. ' +
        'An empty page means that there are no more yet.',
      query: VotesQuery,
      returns: Votes,
      handle: ({ actor, params, query }) => rewards.feed(actor, params.id, query),
    }),
    route({
      ...owned,
      method: 'get',
      path: '/servers/{id}/votes/check',
      operationId: 'checkVoter',
      summary: 'Whether somebody voted for your server, and what they have coming',
      description:
        'By exactly one of `gamePlatformId` and `username`, spelled as in the vote. Voters give both themselves: nobody has checked them.',
      query: VoterNames,
      returns: VoterStanding,
      handle: ({ actor, params, query }) => rewards.standing(actor, params.id, query),
    }),
    route({
      ...owned,
      method: 'post',
      path: '/servers/{id}/votes/claim',
      operationId: 'claimVotes',
      summary: 'Claims a voter’s votes, so that they can be rewarded',
      description:
        'Each vote is claimed once, whoever asks at the same time. Reward exactly the votes of the reply; asking again ' +
        `gives only what has come since. At most ${MOST_CLAIMED} at once.`,
      body: VoterNames,
      returns: ClaimedVotes,
      handle: ({ actor, params, body }) => rewards.claim(actor, params.id, body),
    }),
    route({
      ...common,
      method: 'get',
      path: '/servers/{id}/votes/top',
      operationId: 'listTopVoters',
      summary: 'Who voted most for a server in a month, of those who gave a name',
      crossOrigin: true,
      query: TopVotersQuery,
      returns: TopVoters,
      handle: ({ params, query }) => rewards.top(params.id, query.month),
    }),
  ]
}
