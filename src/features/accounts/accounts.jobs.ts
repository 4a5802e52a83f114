// The job that deletes expired sessions, tokens and nonces. A missed or repeated run does no harm: expired rows are
// never accepted.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Hourly. */
export const accountsUpkeep = defineScheduledJob('accounts-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { accountsUpkeep }
