// The rules of voting: who may vote when, and what goes with a vote.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import { noSuchServer } from '../directory/index.ts'
import { createBallotBox } from './ballot-box.ts'
import { inWords, nextVoteAt } from './cooldown.ts'
import { isMilestone, MILESTONES } from './milestones.ts'
import { votesTotal } from './votes.metrics.ts'
import type { VoteRequest, VoteResult, VoteStatus } from './votes.schema.ts'
import { type Ballot, type Cast, type Cooldown, castVotes, findCooldown } from './votes.sql.ts'

/** A vote as it was counted. */
export interface AcceptedVote {
  voteId: string
  serverId: string
  serverName: string
  /** As given; empty when it was not. */
  username: string
  gamePlatformId: string
  votedAt: Date
  /** The server's, with this vote. */
  totalVotes: number
  monthlyVotes: number
}

/** What is committed together with a vote. */
export interface Company {
  /** @returns whether a delivery was queued */
  queueWebhook(tx: Db, vote: AcceptedVote): Promise<boolean>
  announceMilestone(tx: Db, vote: AcceptedVote): Promise<void>
}

/** Where a vote comes from. */
export type VoteOrigin = Pick<Ballot, 'addressKey' | 'senderId'>

export interface VotesService {
  /**
   * @throws ApiError 429 `vote_cooldown`, or `rate_limited` when the address has cast as many votes for the server as it may in 24
   * hours; 404 for a server that is not listed; 503 when the database does not answer
   */
  cast(serverId: string, request: VoteRequest, origin: VoteOrigin): Promise<z.input<typeof VoteResult>>
  /** @throws ApiError 404, 503 as `cast` */
  status(serverId: string, visitorId: string): Promise<z.input<typeof VoteStatus>>
}

export interface VotesOptions {
  pool: Pool
  /** Setting LISTING_REQUIRES_VERIFICATION. */
  requireVerified: boolean
  /** Setting VOTES_PER_ADDRESS_PER_DAY. */
  votesPerAddress: number
  company: Company
  /** Shows the server's counters in this process' directory, if that can be done in a moment. */
  show(): Promise<void>
  /** Stands in for the database's clock. */
  now?: () => Date
}

/** A vote can find a cooldown that is over when it is looked at: then it is cast again. More than twice in a row is no accident. */
const MOST_TRIES = 3
const RETRY_AFTER_SECONDS = 5

export function createVotesService(options: VotesOptions): VotesService {
  const { pool, requireVerified, votesPerAddress, company } = options
  const now = () => options.now?.() ?? null
  const casting = (alone: boolean) => ({ requireVerified, now: now(), alone, milestones: MILESTONES, votesPerAddress })
  const box = createBallotBox((ballots) => castVotes(pool, ballots, casting(true)))

  async function cast(ballot: Ballot): Promise<z.input<typeof VoteResult>> {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const first = await box.cast(ballot)
      if (!first) throw noSuchServer()
      if (first.lastVotedAt) throw cooldownActive({ lastVotedAt: first.lastVotedAt, remaining: first.remaining ?? 0 })
      if (first.addressRemaining) throw addressLimitReached(first.addressRemaining)
      const alone = acceptedOf(ballot, first)
      if (alone) return thanks(alone, false)
      // Something goes with it, or another vote of this visitor or address was faster.
      const together = await castTogether(ballot)
      if (together) return thanks(together.vote, together.webhookSent)
      const { cooldown } = await findCooldown(pool, ballot, { requireVerified, now: now() })
      if (cooldown) throw cooldownActive(cooldown)
    }
    throw unavailable('The vote could not be decided. Try again.', RETRY_AFTER_SECONDS)
  }

  /** @returns undefined when it was not cast */
  const castTogether = (ballot: Ballot) =>
    inTransaction(pool, async (tx) => {
      const [found] = await castVotes(tx, [ballot], casting(false))
      const vote = found && acceptedOf(ballot, found)
      if (!vote) return undefined
      const webhookSent = found.hasWebhook && (await company.queueWebhook(tx, vote))
      if (isMilestone(vote.totalVotes)) await company.announceMilestone(tx, vote)
      return { vote, webhookSent }
    })

  async function thanks({ serverName, votedAt }: AcceptedVote, webhookSent: boolean) {
    votesTotal.inc({ outcome: 'accepted' })
    await options.show()
    return {
      success: true as const,
      message: `Thank you for voting for ${serverName}.`,
      webhookSent,
      nextVoteAt: nextVoteAt(votedAt).toISOString(),
    }
  }

  return {
    async cast(serverId, { visitorId, username = '', gamePlatformId = '' }, origin) {
      if (!isUuid(serverId)) throw noSuchServer()
      return cast({ id: uuidv7(), serverId, visitorId, username, gamePlatformId, ...origin })
    },

    async status(serverId, visitorId) {
      if (!isUuid(serverId)) throw noSuchServer()
      const found = await findCooldown(pool, { serverId, visitorId }, { requireVerified, now: now() })
      if (!found.isListed) throw noSuchServer()
      return { canVote: !found.cooldown, cooldownRemaining: found.cooldown?.remaining ?? 0 }
    },
  }
}

function acceptedOf(ballot: Ballot, { serverName, votedAt, totalVotes, monthlyVotes }: Cast): AcceptedVote | undefined {
  if (!votedAt || totalVotes === null || monthlyVotes === null) return undefined
  const { id: voteId, serverId, username, gamePlatformId } = ballot
  return {
    voteId,
    serverId,
    serverName,
    username,
    gamePlatformId,
    votedAt,
    totalVotes,
    monthlyVotes,
  }
}

/** Exactly the body of interface.md §2 "Vote result (cooldown active)". */
function cooldownActive({ lastVotedAt, remaining }: Cooldown): ApiError {
  votesTotal.inc({ outcome: 'cooldown' })
  return new ApiError(429, 'vote_cooldown', `You can vote for this server again in ${inWords(remaining)}.`, {
    headers: { 'Retry-After': String(Math.ceil(remaining / 1000)) },
    fields: { cooldownRemaining: remaining, nextVoteAt: nextVoteAt(lastVotedAt).toISOString() },
  })
}

/** The visitor's cooldown stays as it was: from another network the vote would count. */
function addressLimitReached(remainingMs: number): ApiError {
  votesTotal.inc({ outcome: 'address_limit' })
  return new ApiError(
    429,
    'rate_limited',
    `Too many votes for this server came from your network in the last 24 hours. Try again in ${inWords(remainingMs)}.`,
    { headers: { 'Retry-After': String(Math.ceil(remainingMs / 1000)) } },
  )
}
