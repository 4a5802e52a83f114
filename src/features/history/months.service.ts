// Moves the hours of rolled-up days to the months that charts are read from: a row for a server and month, so that 90
// days are four rows.
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { decodeHours, encodeHours } from './hour-bytes.ts'
import {
  type DayOfHours,
  fetchHours,
  findMonths,
  findUnpackedDays,
  hoursOf,
  markPacked,
  openHoursCursor,
  upsertMonths,
} from './months.sql.ts'
import { decodeUnlessDamaged } from './packed-numbers.ts'
import type { Bucket } from './points.ts'
import { lockRollUps } from './roll-up.sql.ts'
import { insertUnreadable } from './unreadable.sql.ts'

/** A row is one day of a server. Transactions are short, so that the change feed's cursor advances between them. */
const ROWS_A_TRANSACTION = 1_000

/**
 * Packs the days that are not in their months yet, or were rolled up again. A month that was interrupted is packed
 * again.
 * @param options.until `performance.now()` after which this call stops
 * @returns the days
 */
export async function packDays(pool: Pool, { until }: { until: number }): Promise<string[]> {
  const packed: string[] = []
  const unpacked = await findUnpackedDays(pool)
  if (!unpacked.length) return packed
  const session = await pool.openSession()
  try {
    for (const [month, days] of Map.groupBy(unpacked, ({ day }) => `${day.slice(0, 7)}-01`)) {
      // Reads only, so that the change feed does not wait for its end.
      await session.query('begin read only')
      await openHoursCursor(session, days)
      for (let rows = await fetchHours(session, ROWS_A_TRANSACTION); rows.length; ) {
        if (performance.now() > until) return packed
        await inTransaction(pool, async (tx) => {
          await lockRollUps(tx)
          await addToMonths(tx, month, rows)
        })
        rows = await fetchHours(session, ROWS_A_TRANSACTION)
      }
      await session.query('commit')
      await markPacked(pool, days)
      packed.push(...days.map(({ day }) => day))
    }
    return packed
  } finally {
    await session.end()
  }
}

/** Replaces these days in the months of their servers. */
async function addToMonths(tx: Db, month: string, days: DayOfHours[]): Promise<void> {
  const byServer = Map.groupBy(days, ({ serverId }) => serverId)
  const present = new Map<string, Bucket[]>()
  for (const { serverId, hours } of await findMonths(tx, month, [...byServer.keys()])) {
    const known = decodeUnlessDamaged(decodeHours, hours)
    if (known) present.set(serverId, known)
    else await insertUnreadable(tx, [{ serverId, source: 'months', day: month, bytes: hours }])
  }
  await upsertMonths(
    tx,
    month,
    [...byServer].map(([serverId, added]) => {
      const replaced = new Set(added.map(({ day }) => day))
      const kept = present.get(serverId)?.filter(({ at }) => !replaced.has(at.toISOString().slice(0, 10))) ?? []
      return { serverId, hours: encodeHours([...kept, ...added.flatMap(hoursOf)]) }
    }),
  )
}
