// Rolls hours up to days, one row per server and day, and deletes days and months past their retention. One transaction
// per day.
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { deleteDay, findDaysToRollUp, findOldDays, forgetHoursOf, markRolled, upsertDay } from './daily.sql.ts'
import { deleteOldMonths } from './months.sql.ts'
import { ROLL_UP_GRACE_MINUTES } from './roll-up.service.ts'
import { lockRollUps } from './roll-up.sql.ts'

/**
 * Rolls up every complete day that is not rolled up yet; call it after the hours. The result is the same if it is
 * repeated, killed or run concurrently.
 * @param options.now default: the database's clock
 * @returns the days this call rolled up, `2026-11-20`
 */
export async function rollUpDays(pool: Pool, { now }: { now?: Date } = {}): Promise<string[]> {
  const at = now ?? null
  const rolledUp: string[] = []
  for (const day of await findDaysToRollUp(pool, at, ROLL_UP_GRACE_MINUTES)) {
    const isNew = await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      // Another worker may have rolled it up while this one waited for the lock.
      if (!(await findDaysToRollUp(tx, at, ROLL_UP_GRACE_MINUTES)).includes(day)) return false
      await markRolled(tx, day, await upsertDay(tx, day))
      return true
    })
    if (isNew) rolledUp.push(day)
  }
  return rolledUp
}

/**
 * Deletes months of hours older than `hoursDays`, days older than `daysDays`, and the hours of days that months have.
 * @returns number of days whose rows were emptied or dropped
 */
export async function dropOldDays(
  pool: Pool,
  { hoursDays, daysDays, now }: { hoursDays: number; daysDays: number; now?: Date },
): Promise<number> {
  await deleteOldMonths(pool, now ?? null, hoursDays)
  const old = await findOldDays(pool, now ?? null, Math.max(hoursDays, daysDays))
  for (const { day, isPast } of old)
    await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      await (isPast === 'days' ? deleteDay : forgetHoursOf)(tx, day)
    })
  return old.length
}
