// Handlers of the history jobs.
import { Counter } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { packDays } from './months.service.ts'
import { dropOldPartitions } from './partitions.service.ts'
import { dropOldDays, dropOldHours, refreshUptime, rollUpDays, rollUpHours } from './roll-up.service.ts'
import { deleteOldTotals, insertTotals } from './totals.sql.ts'
import { markUnreadableReported } from './unreadable.sql.ts'

/** Less than the job's time. */
const MOVING_MS = 45 * 60_000

export const unreadableTotal = new Counter({
  name: 'directory_history_unreadable_total',
  help: 'Chunks of player history that this process could not decode and set aside, by the table they were in (recent, open, months)',
  labelNames: ['source'] as const,
})

type HistoryDeps = Pick<Deps, 'pool' | 'settings' | 'log'>

/** Handler of `history-partitions`. */
export async function runHistoryPartitions({ pool, log }: HistoryDeps): Promise<void> {
  const packed = await packDays(pool, { until: performance.now() + MOVING_MS })
  if (packed.length) log.info({ packed }, 'history moved to months')
  await reportUnreadable({ pool, log })
}

/** Handler of `history-retention`. Rolls up before it drops. */
export async function runHistoryRetention({ pool, settings, log }: HistoryDeps): Promise<void> {
  const now = await readClock(pool)
  await rollUpHours(pool, now)
  await rollUpDays(pool, now)
  const days = await dropOldPartitions(pool, { retentionDays: settings.HISTORY_RETENTION_DAYS, now })
  const hours = await dropOldHours(pool, now)
  const totals = await deleteOldTotals(pool, now)
  const rolledDays = await dropOldDays(pool, {
    hoursKeptDays: settings.HISTORY_HOURLY_DAYS,
    daysKeptDays: settings.HISTORY_DAILY_DAYS,
    now,
  })
  await reportUnreadable({ pool, log })
  if (days.length || hours || rolledDays || totals) log.info({ days, hours, rolledDays, totals }, 'old history dropped')
}

/** Handler of `history-roll-up`. */
export async function runHistoryRollUp({ pool, log }: Pick<HistoryDeps, 'pool' | 'log'>): Promise<void> {
  const now = await readClock(pool)
  const hours = await rollUpHours(pool, now)
  const totals = await insertTotals(pool, now)
  const days = await rollUpDays(pool, now)
  const servers = await refreshUptime(pool, now)
  await reportUnreadable({ pool, log })
  if (hours.length || days.length) log.info({ hours, days, servers, totals }, 'history rolled up')
}

/** Logs and counts, once, what could not be decoded. */
async function reportUnreadable({ pool, log }: Pick<HistoryDeps, 'pool' | 'log'>): Promise<void> {
  for (const chunk of await markUnreadableReported(pool)) {
    unreadableTotal.inc({ source: chunk.source })
    log.error(chunk, 'player history can’t be decoded: set aside in player_history_unreadable')
  }
}
