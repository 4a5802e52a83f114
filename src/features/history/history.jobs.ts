// The jobs that keep player history in shape. Each run looks at what is there, so a missed or repeated one does no harm.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

const nothing = z.object({})
const upkeep = { policy: 'singleton', retryLimit: 2, retryDelay: 60, deleteAfterSeconds: 7 * 86_400 } as const

/** Hourly: makes the partitions of the days ahead. A week of them exists, so a day of failures goes unnoticed by polls. */
export const historyPartitions = defineJob('history-partitions', nothing, { ...upkeep, expireInSeconds: 300 })

/** Daily: drops the days that are past HISTORY_RETENTION_DAYS, once they are rolled up. */
export const historyRetention = defineJob('history-retention', nothing, { ...upkeep, expireInSeconds: 3600 })

/** Hourly, some minutes past the hour (ROLL_UP_GRACE_MINUTES): rolls complete hours up, then refreshes uptimes. */
export const historyRollUp = defineJob('history-roll-up', nothing, { ...upkeep, expireInSeconds: 3000 })
