// Turns samples into hours, and hours into the uptimes the directory shows.
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { unmarkRolled } from './daily.sql.ts'
import {
  deleteOldestHour,
  findChangedUptimes,
  findHoursToRollUp,
  insertHour,
  lockRollUps,
  readCurrentHour,
  updateUptimes,
} from './roll-up.sql.ts'

/** A poll that began before the hour ended is in the database by then: a batch's tries take seconds, a repeated one a minute. */
export const ROLL_UP_GRACE_MINUTES = 5
/** The month's uptime reads 30 days of them; older hours are in the rows of their days. */
const HOURS_KEPT_DAYS = 32
/** Short transactions, so that the change feed's cursor moves on between them. */
const UPTIMES_A_TRANSACTION = 5_000

/** default of `now`: the database's clock */
interface At {
  now?: Date
}

/**
 * Rolls up every complete hour that is not yet, each in a transaction of its own.
 * Repeated, killed or run twice at once, it leaves the same rows.
 * @returns the hours this call rolled up
 */
export async function rollUpHours(pool: Pool, { now }: At = {}): Promise<Date[]> {
  const rolledUp: Date[] = []
  for (const hour of await findHoursToRollUp(pool, now ?? null, ROLL_UP_GRACE_MINUTES)) {
    const servers = await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      const polled = await insertHour(tx, hour)
      if (polled) await unmarkRolled(tx, hour)
      return polled
    })
    if (servers) rolledUp.push(hour)
  }
  return rolledUp
}

/**
 * Brings server_uptime in step with the rolled hours. Rows whose shares did not change are not written:
 * the change feed would send each of them out.
 * @returns number of servers whose uptime changed
 */
export async function refreshUptime(pool: Pool, { now }: At = {}): Promise<number> {
  const uptimes = await findChangedUptimes(pool, await readCurrentHour(pool, now ?? null))
  let changed = 0
  for (let start = 0; start < uptimes.length; start += UPTIMES_A_TRANSACTION) {
    changed += await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      return updateUptimes(tx, uptimes.slice(start, start + UPTIMES_A_TRANSACTION))
    })
  }
  return changed
}

/**
 * Drops rolled hours that are past their time and rolled up to their day, an hour a statement.
 * @param options.retentionDays hours are never dropped before their samples
 * @returns number of rows dropped
 */
export async function dropOldHours(pool: Pool, options: { retentionDays: number } & At): Promise<number> {
  const keepDays = Math.max(HOURS_KEPT_DAYS, options.retentionDays + 1)
  let dropped = 0
  for (;;) {
    const rows = await deleteOldestHour(pool, options.now ?? null, keepDays)
    if (!rows) return dropped
    dropped += rows
  }
}
