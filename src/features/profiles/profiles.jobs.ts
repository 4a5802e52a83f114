// The job that deletes icons which no server shows. A missed or repeated run does no harm.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Daily. */
export const profilesUpkeep = defineMaintenance('profiles-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { profilesUpkeep }
