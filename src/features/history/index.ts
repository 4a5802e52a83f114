// The door of player history: the poller's samples, kept a day a partition, rolled up to hours and days, the uptime they give,
// and the endpoints that show them.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Directory } from '../directory/index.ts'
import { historyRoutes } from './history.routes.ts'
import { createPlayerHistory } from './player-history.service.ts'

export { rollUpDays } from './daily.service.ts'
export { historyPartitions, historyRetention, historyRollUp } from './history.jobs.ts'
export { runHistoryPartitions, runHistoryRetention, runHistoryRollUp } from './history.service.ts'
export { insertSamples } from './history.sql.ts'
export { dropOldPartitions, ensurePartitions, findMissingPartitions } from './partitions.service.ts'
export { findPeaks } from './peaks.sql.ts'
export { dropOldHours, refreshUptime, rollUpHours } from './roll-up.service.ts'

export interface History {
  routes: Route[]
}

export function createHistory({
  pool,
  directory,
}: Pick<Deps, 'pool'> & { directory: Pick<Directory, 'shown'> }): History {
  return { routes: historyRoutes(createPlayerHistory({ pool, directory })) }
}
