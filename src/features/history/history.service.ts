// What the history jobs do, for the worker's registry.
import type { Deps } from '../../deps.ts'
import { dropOldPartitions, ensurePartitions } from './partitions.service.ts'
import { dropOldHours, refreshUptime, rollUpHours } from './roll-up.service.ts'

type HistoryDeps = Pick<Deps, 'pool' | 'settings' | 'log'>

/** Handler of `history-partitions`. */
export async function runHistoryPartitions({ pool, log }: HistoryDeps): Promise<void> {
  const days = await ensurePartitions(pool)
  if (days.length) log.info({ days }, 'history partitions made')
}

/** Handler of `history-retention`. Rolls up first: what is dropped has been counted. */
export async function runHistoryRetention({ pool, settings, log }: HistoryDeps): Promise<void> {
  await rollUpHours(pool)
  const days = await dropOldPartitions(pool, { retentionDays: settings.HISTORY_RETENTION_DAYS })
  const hours = await dropOldHours(pool, { retentionDays: settings.HISTORY_RETENTION_DAYS })
  if (days.length || hours) log.info({ days, hours }, 'old history dropped')
}

/** Handler of `history-roll-up`. */
export async function runHistoryRollUp({ pool, log }: HistoryDeps): Promise<void> {
  const hours = await rollUpHours(pool)
  const servers = await refreshUptime(pool)
  if (hours.length) log.info({ hours, servers }, 'history rolled up')
}
