// The one clock that processes share: the database's.
import type { Db } from './pool.ts'

/**
 * What time it is as the statement runs; now() stands still from its transaction's beginning on, so behind a lock that was waited for
 * it is past. In whole milliseconds, as instants are stored and told, and never ahead of the clock.
 */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>(`select date_trunc('milliseconds', clock_timestamp()) as now`)
  if (!rows[0]) throw new Error('the database told no time')
  return rows[0].now
}
