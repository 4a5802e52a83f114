// Handlers of the history jobs.
import type { Deps } from '../../deps.ts'
import { dropOldDays, rollUpDays } from './daily.service.ts'
import { dropOldPartitions, ensurePartitions } from './partitions.service.ts'
import { dropOldHours, refreshUptime, rollUpHours } from './roll-up.service.ts'
import { deleteOldTotals, insertTotals } from './totals.sql.ts'

type HistoryDeps = Pick<Deps, 'pool' | 'settings' | 'log'>

/** Handler of `history-partitions`. */
export async function runHistoryPartitions({ pool, log }: HistoryDeps): Promise<void> {
  const days = await ensurePartitions(pool)
  if (days.length) log.info({ days }, 'history partitions created')
}

/** Handler of `history-retention`. Rolls up before it drops. */
export async function runHistoryRetention({ pool, settings, log }: HistoryDeps): Promise<void> {
  await rollUpHours(pool)
  await rollUpDays(pool)
  const retentionDays = settings.HISTORY_RETENTION_DAYS
  const days = await dropOldPartitions(pool, { retentionDays })
  const hours = await dropOldHours(pool, { retentionDays })
  const totals = await deleteOldTotals(pool, null)
  const rolledDays = await dropOldDays(pool, {
    // Rolling a day up again needs all its hours, which exist for at least as long as its samples and a month.
    hoursDays: Math.max(settings.HISTORY_HOURLY_DAYS, retentionDays + 2),
    daysDays: settings.HISTORY_DAILY_DAYS,
  })
  if (days.length || hours || rolledDays || totals) log.info({ days, hours, rolledDays, totals }, 'old history dropped')
}

/** Handler of `history-roll-up`. */
export async function runHistoryRollUp({ pool, log }: HistoryDeps): Promise<void> {
  const hours = await rollUpHours(pool)
  const totals = await insertTotals(pool, null)
  const servers = await refreshUptime(pool)
  const days = await rollUpDays(pool)
  if (hours.length || days.length) log.info({ hours, days, servers, totals }, 'history rolled up')
}
