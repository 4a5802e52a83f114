// The job of wipes.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Each minute: sets the next wipe of servers whose next wipe has come. */
export const wipesNext = defineScheduledJob('wipes-next', { cadence: 'minutes', expireInSeconds: 60 })

export const jobs = { wipesNext }
