// The job that starts and ends placements.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Runs each minute. The database's clock decides what starts and ends, so the next run makes up for a missed one. */
export const placementUpdate = defineScheduledJob('placement-turn', { cadence: 'minutes', expireInSeconds: 120 })

export const jobs = { placementUpdate }
