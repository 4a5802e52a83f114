// The maintenance jobs of votes. Each is idempotent.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

const nothing = z.object({})
const upkeep = { policy: 'singleton', retryLimit: 2, retryDelay: 60, deleteAfterSeconds: 7 * 86_400 } as const

/** At the turn of the month, and hourly: moves counters of finished months to the archive. */
export const votesMonth = defineJob('votes-month', nothing, { ...upkeep, expireInSeconds: 1800 })

/** Daily: deletes cooldowns that ended a day ago, and the networks of votes older than eight days. */
export const votesUpkeep = defineJob('votes-upkeep', nothing, { ...upkeep, expireInSeconds: 3600 })
