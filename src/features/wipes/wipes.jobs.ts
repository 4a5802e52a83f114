// The job of wipes.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Each minute: sets the next wipe of servers whose next wipe has come. */
export const wipesNext = defineMaintenance('wipes-next', { cadence: 'minutes', expireInSeconds: 60 })

export const jobs = { wipesNext }
