// Rolls samples up to hours, and hours up to the uptimes that the directory shows.
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { unmarkRolled } from './daily.sql.ts'
import { closeDays, foldRecent } from './fold.service.ts'
import { markRolledTo, readCutoff } from './fold.sql.ts'
import {
  deleteOldestHour,
  findChangedUptimes,
  HOURS_KEPT_DAYS,
  lockRollUps,
  readCurrentHour,
  readDaysTo,
  updateUptimes,
} from './roll-up.sql.ts'
import { findRowHoursToRollUp, insertHourOfRows } from './row-history.sql.ts'

/**
 * Polls that started before the hour ended are stored by then: retries within a batch take seconds, a repeated batch a
 * minute.
 */
export const ROLL_UP_GRACE_MINUTES = 5
/** Short transactions, so that the change feed's cursor advances between them. */
const UPTIMES_A_TRANSACTION = 5_000

/** Default of `now`: the database's clock. */
interface At {
  now?: Date
}

/**
 * Rolls samples of complete hours up and moves them to chunks.
 * The result is the same if it is repeated, killed or run concurrently.
 * @returns the hours to which this call added polls
 */
export async function rollUpHours(pool: Pool, { now }: At = {}): Promise<Date[]> {
  const cutoff = await readCutoff(pool, now ?? null, ROLL_UP_GRACE_MINUTES)
  // Rows first: an hour is rolled up from them only while it has no other polls.
  const rolledUp = await rollUpRows(pool, cutoff)
  for (const hour of await foldRecent(pool, cutoff)) rolledUp.add(hour)
  await markRolledTo(pool, cutoff)
  await closeDays(pool, cutoff)
  return [...rolledUp].sort((a, b) => a - b).map((hour) => new Date(hour))
}

/** Rolls up every hour of player_history's rows that is not rolled up yet, in one transaction each. */
async function rollUpRows(pool: Pool, cutoff: Date): Promise<Set<number>> {
  const rolledUp = new Set<number>()
  for (const hour of await findRowHoursToRollUp(pool, cutoff)) {
    const servers = await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      const polled = await insertHourOfRows(tx, hour)
      if (polled) await unmarkRolled(tx, [hour])
      return polled
    })
    if (servers) rolledUp.add(hour.getTime())
  }
  return rolledUp
}

/**
 * Updates server_uptime from the rolled-up hours. Does not write rows whose values stay the same,
 * because the change feed would send each of them.
 * @returns number of servers whose uptime changed
 */
export async function refreshUptime(pool: Pool, { now }: At = {}): Promise<number> {
  const uptimes = await findChangedUptimes(pool, await readCurrentHour(pool, now ?? null), await readDaysTo(pool))
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
 * @returns number of rows dropped
 */
export async function dropOldHours(pool: Pool, { now }: At = {}): Promise<number> {
  let dropped = 0
  for (;;) {
    const rows = await deleteOldestHour(pool, now ?? null, HOURS_KEPT_DAYS)
    if (!rows) return dropped
    dropped += rows
  }
}
