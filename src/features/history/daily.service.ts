// Turns hours into days, a row a server each, and lets go of hours and days past their time. Every day is a transaction of its own.
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { deleteDay, findDaysToRollUp, findOldDays, forgetHoursOf, markRolled, upsertDay } from './daily.sql.ts'
import { ROLL_UP_GRACE_MINUTES } from './roll-up.service.ts'
import { lockRollUps } from './roll-up.sql.ts'

/**
 * Rolls up every complete day that is not yet; run it after the hours. Repeated, killed or run twice at once, it leaves the same rows.
 * @param options.now default: the database's clock
 * @returns the days this call rolled up, `2026-11-20`
 */
export async function rollUpDays(pool: Pool, { now }: { now?: Date } = {}): Promise<string[]> {
  const at = now ?? null
  const rolledUp: string[] = []
  for (const day of await findDaysToRollUp(pool, at, ROLL_UP_GRACE_MINUTES)) {
    const isNew = await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      // Whoever had the lock before may have done it.
      if (!(await findDaysToRollUp(tx, at, ROLL_UP_GRACE_MINUTES)).includes(day)) return false
      await markRolled(tx, day, await upsertDay(tx, day))
      return true
    })
    if (isNew) rolledUp.push(day)
  }
  return rolledUp
}

/**
 * Forgets the hours of rolled days older than `hoursDays`, and days older than `daysDays`.
 * @returns number of days whose rows were emptied or dropped
 */
export async function dropOldDays(
  pool: Pool,
  { hoursDays, daysDays, now }: { hoursDays: number; daysDays: number; now?: Date },
): Promise<number> {
  const old = await findOldDays(pool, now ?? null, { hoursDays, daysDays: Math.max(hoursDays, daysDays) })
  for (const { day, isPast } of old)
    await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      await (isPast === 'days' ? deleteDay : forgetHoursOf)(tx, day)
    })
  return old.length
}
