// Voting: records a vote, with its side effects where it has some, or says why it does not count.
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import { noSuchServer } from '../servers/index.ts'
import { formatDuration, nextVoteAt } from './cooldown.ts'
import { findCooldown } from './cooldowns.sql.ts'
import { createVoteBatcher } from './vote-batcher.ts'
import { type AcceptedVote, MILESTONES, type VoteEffects } from './vote-effects.ts'
import { votesTotal } from './votes.metrics.ts'
import { recordVotes, type VoteInput, type VoteOutcome } from './votes.sql.ts'

/** A cooldown can end after the statement found it and before it is read; then the vote is tried again. */
const MAX_TRIES = 3
const RETRY_AFTER_SECONDS = 5

export interface VotingOptions {
  pool: Pool
  /** Setting VOTES_PER_ADDRESS_PER_DAY. */
  votesPerAddress: number
  applyEffects: VoteEffects
  /** Shows the new counters in this process' directory, unless that was done too often just now. */
  refreshSoon(): Promise<void>
  /** Replaces the database's clock. */
  now?: () => Date
}

/**
 * @returns a function that records one vote. It throws ApiError 404 for a server that is not listed; 429
 * `vote_cooldown`, or `rate_limited` if the address has reached its votes for the server in 24 hours; 503 if the
 * database does not answer
 */
export function createVoting({ pool, votesPerAddress, applyEffects, refreshSoon, now }: VotingOptions) {
  const options = () => ({ now: now?.(), milestones: MILESTONES, votesPerAddress })
  const recordInBatch = createVoteBatcher((inputs) =>
    recordVotes(pool, inputs, { ...options(), onlyWithoutEffects: true }),
  )

  /** @returns undefined if the vote was not recorded */
  const recordWithEffects = (input: VoteInput) =>
    inTransaction(pool, async (tx) => {
      const [outcome] = await recordVotes(tx, [input], { ...options(), onlyWithoutEffects: false })
      const vote = outcome && acceptedOf(input, outcome)
      return vote && { vote, webhookSent: await applyEffects(tx, vote, outcome) }
    })

  async function accept({ serverName, votedAt, streak }: AcceptedVote, { webhookSent }: { webhookSent: boolean }) {
    votesTotal.inc({ outcome: 'accepted' })
    await refreshSoon()
    const message = `Thank you for voting for ${serverName}.`
    return { success: true as const, message, webhookSent, nextVoteAt: nextVoteAt(votedAt), streak }
  }

  return async function vote(input: VoteInput) {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const outcome = await recordInBatch(input)
      if (!outcome) throw noSuchServer()
      if (outcome.lastVotedAt) throw cooldownActive(outcome.lastVotedAt, outcome.remainingMs)
      if (outcome.addressRemainingMs) throw addressLimitReached(outcome.addressRemainingMs)
      const recorded = acceptedOf(input, outcome)
      if (recorded) return accept(recorded, { webhookSent: false })
      // The vote has side effects, or another vote of this visitor or address was faster.
      const withEffects = await recordWithEffects(input)
      if (withEffects) return accept(withEffects.vote, { webhookSent: withEffects.webhookSent })
      const cooldown = await findCooldown(pool, input, now?.())
      if (cooldown?.lastVotedAt) throw cooldownActive(cooldown.lastVotedAt, cooldown.remainingMs)
    }
    throw unavailable('The vote could not be decided. Try again.', RETRY_AFTER_SECONDS)
  }
}

function acceptedOf(input: VoteInput, outcome: VoteOutcome): AcceptedVote | undefined {
  const { serverName, votedAt, totalVotes, monthlyVotes, streak } = outcome
  if (!votedAt || totalVotes === null || monthlyVotes === null || streak === null) return undefined
  const { id: voteId, serverId, username, gamePlatformId } = input
  return { voteId, serverId, serverName, username, gamePlatformId, votedAt, totalVotes, monthlyVotes, streak }
}

function cooldownActive(lastVotedAt: Date, remainingMs: number | null): ApiError {
  votesTotal.inc({ outcome: 'cooldown' })
  const cooldownRemaining = remainingMs ?? 0
  return new ApiError(
    429,
    'vote_cooldown',
    `You can vote for this server again in ${formatDuration(cooldownRemaining)}.`,
    {
      headers: { 'Retry-After': String(Math.ceil(cooldownRemaining / 1000)) },
      fields: { cooldownRemaining, nextVoteAt: nextVoteAt(lastVotedAt).toISOString() },
      isProblem: false,
    },
  )
}

/** The visitor's own cooldown is unchanged: from another network the vote would count. */
function addressLimitReached(remainingMs: number): ApiError {
  votesTotal.inc({ outcome: 'address_limit' })
  return new ApiError(
    429,
    'rate_limited',
    `Too many votes for this server came from your network in the last 24 hours. Try again in ${formatDuration(remainingMs)}.`,
    { headers: { 'Retry-After': String(Math.ceil(remainingMs / 1000)) } },
  )
}
