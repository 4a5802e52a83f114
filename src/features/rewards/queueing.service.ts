// Queues the rewards of votes, in the transaction of the vote or of its redemption.
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { voteReward } from './rewards.jobs.ts'
import type { RewardOccasion } from './rewards.schema.ts'
import { insertRewards } from './rewards.sql.ts'

/** Does nothing for a server without rewards at this occasion, and for votes that have a reward. */
export async function queueRewards(
  tx: Db,
  jobs: JobQueue,
  votes: { serverId: string; voteIds: readonly string[]; runOn: RewardOccasion },
): Promise<void> {
  if (votes.voteIds.length === 0) return
  const voteIds = await insertRewards(tx, votes)
  await jobs.enqueue(
    tx,
    voteReward,
    voteIds.map((voteId) => ({ voteId })),
  )
}
