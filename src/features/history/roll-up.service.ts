// Rolls samples up to hours, and hours up to the uptimes that the directory shows.
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

/**
 * Polls that started before the hour ended are stored by then: retries within a batch take seconds, a repeated batch a
 * minute.
 */
export const ROLL_UP_GRACE_MINUTES = 5
/** The month's uptime reads 30 days of hours; older hours are also in their days' rows. */
const HOURS_KEPT_DAYS = 32
/** Short transactions, so that the change feed's cursor advances between them. */
const UPTIMES_A_TRANSACTION = 5_000

/** Default of `now`: the database's clock. */
interface At {
  now?: Date
}

/**
 * Rolls up every complete hour that is not rolled up yet, in one transaction each.
 * The result is the same if it is repeated, killed or run concurrently.
 * @returns the hours that this call rolled up
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
 * Updates server_uptime from the rolled-up hours. Does not write rows whose values stay the same,
 * because the change feed would send each of them.
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
 * Deletes hours that are past their retention and rolled up to their day, one hour per statement.
 * @param options.retentionDays hours are never deleted before their samples
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
