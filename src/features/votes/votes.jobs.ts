// The maintenance jobs of votes. Each is idempotent.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

/** When a month begins, and hourly: moves counters of finished months to the archive. */
export const votesMonth = defineScheduledJob('votes-month', { cadence: 'hours', expireInSeconds: 1800 })

/**
 * Daily: deletes cooldowns and streaks that ended a day ago, the addresses of votes older than two days, used proofs of
 * work, and vote keys that are no longer valid.
 */
export const votesUpkeep = defineScheduledJob('votes-upkeep', { cadence: 'hours', expireInSeconds: 3600 })

/** Hourly, after the roll-up of history: adds the players of finished hours to the scores of their servers. */
export const votesPlaying = defineScheduledJob('votes-playing', { cadence: 'hours', expireInSeconds: 3000 })

/** Hourly: notes when visitors voted first and last. */
export const votesVisitors = defineScheduledJob('votes-visitors', { cadence: 'hours', expireInSeconds: 1800 })

/** Voids or restores the votes of a voiding, from where it was interrupted. */
export const voteVoiding = defineJob('vote-voiding', z.object({ voidingId: z.uuid() }), {
  expireInSeconds: 3600,
  // 10 s apart: also with workers that are often killed, it is finished.
  retryLimit: 100,
  retryDelay: 10,
  deleteAfterSeconds: 7 * 86_400,
})

export const jobs = { voteVoiding, votesMonth, votesPlaying, votesUpkeep, votesVisitors }
