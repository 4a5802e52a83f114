// The job that deletes old counts. A missed or repeated run does no harm.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Daily. */
export const activityRetention = defineScheduledJob('activity-retention', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { activityRetention }
