// The jobs that maintain player history. Each run works on what it finds, so a missed or repeated run does no harm.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Hourly: moves rolled-up days to their months. */
export const historyPartitions = defineScheduledJob('history-partitions', { cadence: 'hours', expireInSeconds: 3300 })

/** Daily: drops days past HISTORY_RETENTION_DAYS after they are rolled up. */
export const historyRetention = defineScheduledJob('history-retention', { cadence: 'hours', expireInSeconds: 3600 })

/** Hourly, some minutes past the hour: rolls complete hours up, then updates uptimes. */
export const historyRollUp = defineScheduledJob('history-roll-up', { cadence: 'hours', expireInSeconds: 3000 })

export const jobs = { historyPartitions, historyRetention, historyRollUp }
