// The database's clock, which all processes share.
import type { Db } from './pool.ts'

/**
 * The time at which the statement runs. now() would be the start of the transaction, which is too early after a wait
 * for a lock. Rounded down to milliseconds, the precision in which times are stored and sent.
 */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>(`select date_trunc('milliseconds', clock_timestamp()) as now`)
  if (!rows[0]) throw new Error('the database returned no time')
  return rows[0].now
}
