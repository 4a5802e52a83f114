// Side effects that commit together with a vote: its deliveries to endpoints, its reward, and what
// follows from a milestone.
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { queueRewards } from '../rewards/index.ts'
import { queueDeliveries } from '../webhooks/index.ts'
import type { VoteOutcome } from './votes.sql.ts'

/**
 * Totals of which the server's owner and its subscribers are notified: 100, 500, 1,000, 5,000 and so on, ascending, up
 * to the largest integer of PostgreSQL.
 */
export const MILESTONES = [2, 3, 4, 5, 6, 7, 8, 9].flatMap((zeros) => [10 ** zeros, 5 * 10 ** zeros]).slice(0, -1)

/** A vote as it was counted; also the data of the event `vote.created`. */
export interface AcceptedVote {
  voteId: string
  serverId: string
  serverName: string
  /** Empty if the voter gave none; `gamePlatformId` too. */
  username: string
  gamePlatformId: string
  votedAt: Date
  /** The server's counters with this vote. */
  totalVotes: number
  monthlyVotes: number
  /** Days in a row with a vote of this voter, with this one. */
  streak: number
}

/** @returns a function that returns whether a delivery of the vote was queued */
export const createVoteEffects =
  (jobs: JobQueue) =>
  async (
    tx: Db,
    vote: AcceptedVote,
    { hasWebhook, hasReward }: Pick<VoteOutcome, 'hasWebhook' | 'hasReward'>,
  ): Promise<boolean> => {
    const { voteId, serverId, serverName, totalVotes, votedAt } = vote
    const at = votedAt.toISOString()
    const created = { serverId, type: 'vote.created', at: votedAt, data: { ...vote, votedAt: at } } as const
    const queued = hasWebhook ? await queueDeliveries(tx, jobs, [created]) : []
    if (MILESTONES.includes(totalVotes)) {
      const data = { serverName, totalVotes }
      await jobs.enqueue(tx, notify, [{ event: 'voteMilestone', at, serverId, data }])
      await queueDeliveries(tx, jobs, [
        { serverId, type: 'vote.milestone', at: votedAt, data: { serverId, ...data, votedAt: at } },
      ])
    }
    if (hasReward) await queueRewards(tx, jobs, { serverId, voteIds: [voteId], runOn: 'vote' })
    return queued.length > 0
  }

export type VoteEffects = ReturnType<typeof createVoteEffects>
