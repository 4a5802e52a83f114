// The job that clears away what is past its time. A missed or repeated run does no harm: nothing past its time is accepted.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Hourly. */
export const accountsUpkeep = defineMaintenance('accounts-upkeep', { cadence: 'hours', expireInSeconds: 600 })
