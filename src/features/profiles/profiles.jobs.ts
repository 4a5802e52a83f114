// The job that deletes icons which no server shows. A missed or repeated run does no harm.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Daily. */
export const profilesUpkeep = defineScheduledJob('profiles-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { profilesUpkeep }
