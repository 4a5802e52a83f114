// The jobs that keep votes in shape. Each run looks at what is there, so a late, repeated or broken off one does no harm.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

const nothing = z.object({})
const upkeep = { policy: 'singleton', retryLimit: 2, retryDelay: 60, deleteAfterSeconds: 7 * 86_400 } as const

/** At the turn of the month, and hourly for what that missed: moves the counters of months that are over to the archive. */
export const votesMonth = defineJob('votes-month', nothing, { ...upkeep, expireInSeconds: 1800 })

/** Daily: deletes cooldowns that have long ended, and the networks of votes older than eight days. */
export const votesUpkeep = defineJob('votes-upkeep', nothing, { ...upkeep, expireInSeconds: 3600 })
