// The job that searches for suspicious votes.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Daily: reports suspicious votes of the last days to moderators. */
export const voteSignals = defineScheduledJob('vote-signals', { cadence: 'hours', expireInSeconds: 3600 })

export const jobs = { voteSignals }
