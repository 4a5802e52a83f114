// Rolls samples up to hours, hours up to days and to the uptimes that the directory shows, and deletes what is past its
// retention. The rows are the same if a call is repeated, killed or run concurrently.
import { chunksOf } from '../../platform/chunks.ts'
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts'
import {
  countServersOf,
  deleteDay,
  deleteHoursOfDay,
  findDaysToRollUp,
  findExpiredDays,
  findRolledDays,
  markRolledUp,
  upsertDay,
} from './daily.sql.ts'
import { deleteOldMonths } from './months.sql.ts'
import { movePendingSamples } from './pending.service.ts'
import { readRolledUp } from './player-history.sql.ts'
import { closeDays, rollUpRecent } from './recent-samples.service.ts'
import { markRolledUpTo } from './recent-samples.sql.ts'
import {
  deleteHour,
  findChangedUptimes,
  findOldestHour,
  HOURS_RETENTION_DAYS,
  lockRollUps,
  updateUptimes,
} from './roll-up.sql.ts'

/**
 * Polls that started before the hour ended are stored by then: retries within a batch take seconds, a repeated batch a
 * minute.
 */
const GRACE_MS = 5 * 60_000
/** Short transactions, so that the change feed's cursor advances between them. */
const UPTIMES_A_TRANSACTION = 5_000

const startOfHour = (time: number) => new Date(Math.floor(time / HOUR_MS) * HOUR_MS)

/**
 * Rolls samples of complete hours up and moves them to chunks.
 * @returns the hours to which this call added polls
 */
export async function rollUpHours(pool: Pool, now: Date): Promise<Date[]> {
  const cutoff = startOfHour(now.getTime() - GRACE_MS)
  // An hour is complete once its polls have left the outbox.
  await movePendingSamples(pool)
  const rolledUp = await rollUpRecent(pool, cutoff)
  await markRolledUpTo(pool, cutoff)
  await closeDays(pool, cutoff)
  return [...rolledUp].sort((a, b) => a - b).map((hour) => new Date(hour))
}

/**
 * Rolls up every complete day that is not rolled up yet, one row per server and day; call it after the hours.
 * @returns the days this call rolled up, `2026-11-20`
 */
export async function rollUpDays(pool: Pool, now: Date): Promise<string[]> {
  const endedBy = new Date(now.getTime() - GRACE_MS)
  const rolledUp: string[] = []
  for (const day of await findDaysToRollUp(pool, endedBy)) {
    const isNew = await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      // Another worker may have rolled it up while this one waited for the lock.
      if (!(await findDaysToRollUp(tx, endedBy)).includes(day)) return false
      await upsertDay(tx, day)
      await markRolledUp(tx, day, await countServersOf(tx, day))
      return true
    })
    if (isNew) rolledUp.push(day)
  }
  return rolledUp
}

/**
 * Updates server_uptime from the rolled-up hours. Does not write rows whose values stay the same,
 * because the change feed would send each of them.
 * @returns number of servers whose uptime changed
 */
export async function refreshUptime(pool: Pool, now: Date): Promise<number> {
  const { daysTo } = await readRolledUp(pool)
  const uptimes = await findChangedUptimes(pool, startOfHour(now.getTime()), daysTo)
  let changed = 0
  for (const part of chunksOf(uptimes, UPTIMES_A_TRANSACTION)) {
    changed += await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      return updateUptimes(tx, part)
    })
  }
  return changed
}

/**
 * Deletes hours that are past their retention and rolled up to their day, one hour per statement.
 * @returns number of rows dropped
 */
export async function dropOldHours(pool: Pool, now: Date): Promise<number> {
  const endedBy = new Date(now.getTime() - HOURS_RETENTION_DAYS * DAY_MS)
  for (let dropped = 0; ; ) {
    const oldest = await findOldestHour(pool)
    if (!oldest || oldest > endedBy || !(await findRolledDays(pool, [oldest])).size) return dropped
    dropped += await deleteHour(pool, oldest)
  }
}

/**
 * Deletes months of hours and days that are older than they are kept, and the hours of days that months have.
 * @returns number of days whose rows were emptied or dropped
 */
export async function dropOldDays(
  pool: Pool,
  { hoursKeptDays, daysKeptDays, now }: { hoursKeptDays: number; daysKeptDays: number; now: Date },
): Promise<number> {
  await deleteOldMonths(pool, now, hoursKeptDays)
  const days = await findExpiredDays(pool, now, Math.max(hoursKeptDays, daysKeptDays))
  for (const { day, expired } of days)
    await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      if (expired === 'rows') await deleteDay(tx, day)
      else await deleteHoursOfDay(tx, day)
    })
  return days.length
}
