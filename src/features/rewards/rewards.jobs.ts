// Jobs of vote rewards.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

const RUN = {
  // Ten seconds of rewards, then five commands of ten seconds each, and 25 s until the database is back.
  expireInSeconds: 120,
  // Retries a job whose worker failed before the row said that commands are sent; after that the job does nothing.
  retryLimit: 5,
  retryDelay: 10,
  deleteAfterSeconds: 3600,
}

/** One for each vote, in its transaction. */
export const voteReward = defineJob('vote-reward', z.object({ voteId: z.uuid() }), RUN)

/** Deferred, for the waiting rewards of a server: at most one for the same time. */
export const voteRewardWake = defineJob('vote-reward-wake', z.object({ serverId: z.uuid() }), {
  ...RUN,
  policy: 'short',
})

/** Every five minutes. */
export const rewardsUpkeep = defineScheduledJob('rewards-upkeep', { cadence: 'minutes', expireInSeconds: 300 })

/** Every hour. */
export const rewardsErasure = defineScheduledJob('rewards-erasure', { cadence: 'hours', expireInSeconds: 3600 })

/** Every day. */
export const rewardsReencryption = defineScheduledJob('rewards-reencryption', {
  cadence: 'hours',
  expireInSeconds: 3600,
})

export const jobs = { voteReward, voteRewardWake, rewardsUpkeep, rewardsErasure, rewardsReencryption }
