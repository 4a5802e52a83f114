// The jobs that keep player history in shape. Each run looks at what is there, so a missed or repeated one does no harm.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Hourly: makes the partitions of the days ahead. A week of them exists, so a day of failures goes unnoticed by polls. */
export const historyPartitions = defineMaintenance('history-partitions', { cadence: 'hours', expireInSeconds: 300 })

/** Daily: drops the days that are past HISTORY_RETENTION_DAYS, once they are rolled up. */
export const historyRetention = defineMaintenance('history-retention', { cadence: 'hours', expireInSeconds: 3600 })

/** Hourly, some minutes past the hour (ROLL_UP_GRACE_MINUTES): rolls complete hours up, then refreshes uptimes. */
export const historyRollUp = defineMaintenance('history-roll-up', { cadence: 'hours', expireInSeconds: 3000 })
