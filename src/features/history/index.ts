// The door of player history: the poller's samples, kept a day a partition, rolled up to hours, and the uptime they give.
export { historyPartitions, historyRetention, historyRollUp } from './history.jobs.ts'
export { runHistoryPartitions, runHistoryRetention, runHistoryRollUp } from './history.service.ts'
export { insertSamples } from './history.sql.ts'
export { dropOldPartitions, ensurePartitions, findMissingPartitions } from './partitions.service.ts'
export { dropOldHours, refreshUptime, rollUpHours } from './roll-up.service.ts'
