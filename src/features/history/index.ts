// Player history: samples in daily partitions, hourly and daily roll-ups, uptime, and the operation that reads them.
export { rollUpDays } from './daily.service.ts'
export { historyPartitions, historyRetention, historyRollUp } from './history.jobs.ts'
export { historyOperations } from './history.operations.ts'
export { runHistoryPartitions, runHistoryRetention, runHistoryRollUp } from './history.service.ts'
export { insertSamples } from './history.sql.ts'
export { createPartitions, dropOldPartitions, ensurePartitions, findMissingPartitions } from './partitions.service.ts'
export { findPeaks } from './peaks.sql.ts'
export { dropOldHours, refreshUptime, rollUpHours } from './roll-up.service.ts'
