// Handlers of the history jobs.
import type { Deps } from '../../deps.ts'
import { convertRows } from './conversion.service.ts'
import { dropOldDays, rollUpDays } from './daily.service.ts'
import { dropOldPartitions } from './partitions.service.ts'
import { dropOldHours, refreshUptime, rollUpHours } from './roll-up.service.ts'
import { deleteOldTotals, insertTotals } from './totals.sql.ts'

/** Less than the job's time. */
const CONVERTING_MS = 45 * 60_000

type HistoryDeps = Pick<Deps, 'pool' | 'settings' | 'log'>

/** Handler of `history-partitions`. */
export async function runHistoryPartitions({ pool, log }: HistoryDeps): Promise<void> {
  await rollUpHours(pool) // rows are converted once they are rolled up
  const days = await convertRows(pool, { until: performance.now() + CONVERTING_MS })
  if (days.length) log.info({ days }, 'history converted to chunks')
}

/** Handler of `history-retention`. Rolls up before it drops. */
export async function runHistoryRetention({ pool, settings, log }: HistoryDeps): Promise<void> {
  await rollUpHours(pool)
  await rollUpDays(pool)
  const retentionDays = settings.HISTORY_RETENTION_DAYS
  const days = await dropOldPartitions(pool, { retentionDays })
  const hours = await dropOldHours(pool)
  const totals = await deleteOldTotals(pool, null)
  const rolledDays = await dropOldDays(pool, {
    hoursDays: settings.HISTORY_HOURLY_DAYS,
    daysDays: settings.HISTORY_DAILY_DAYS,
  })
  if (days.length || hours || rolledDays || totals) log.info({ days, hours, rolledDays, totals }, 'old history dropped')
}

/** Handler of `history-roll-up`. */
export async function runHistoryRollUp({ pool, log }: HistoryDeps): Promise<void> {
  const hours = await rollUpHours(pool)
  const totals = await insertTotals(pool, null)
  const days = await rollUpDays(pool)
  const servers = await refreshUptime(pool)
  if (hours.length || days.length) log.info({ hours, days, servers, totals }, 'history rolled up')
}
