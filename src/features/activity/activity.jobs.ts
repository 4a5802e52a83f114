// The job that deletes old counts. A missed or repeated run does no harm.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Daily. */
export const activityRetention = defineMaintenance('activity-retention', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { activityRetention }
