// Converts the rows per poll of earlier releases to chunks, hour by hour, and drops their partitions.
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { addToOpen, closeDays } from './fold.service.ts'
import { dropOldPartitions, ROWS } from './partitions.service.ts'
import { lockRollUps } from './roll-up.sql.ts'
import {
  type Converted,
  fetchRows,
  findNextToConvert,
  markConverted,
  NO_SERVER,
  openRows,
  readConvertedTo,
} from './row-history.sql.ts'
import { decodeSamples } from './sample-bytes.ts'

const SERVERS_A_TRANSACTION = 500
const HOUR_MS = 3_600_000

/**
 * Converts rows that are rolled up and older than an hour. Rows stay until their whole day is converted; a mark that
 * moves with each transaction says which ones count. The next call continues one that was killed.
 * @param options.until `performance.now()` after which this call stops
 * @returns names of the tables that this call dropped
 */
export async function convertRows(pool: Pool, { now, until }: { now: Date; until: number }): Promise<string[]> {
  const dropped = await dropConverted(pool)
  for (;;) {
    const next = await findNextToConvert(pool, now)
    if (!next || performance.now() > until || !(await convertHour(pool, next, until))) return dropped
    const end = new Date(next.hour.getTime() + HOUR_MS)
    if (end.getUTCHours()) continue
    await closeDays(pool, end)
    dropped.push(...(await dropConverted(pool)))
  }
}

async function dropConverted(pool: Pool): Promise<string[]> {
  const now = await readConvertedTo(pool)
  return now ? dropOldPartitions(pool, { only: ROWS, retentionDays: 0, now }) : []
}

/** @returns false if it stopped early: the time is over, or another process converts */
async function convertHour(pool: Pool, start: Converted, until: number): Promise<boolean> {
  const session = await pool.openSession()
  try {
    // Reads only, so that the change feed does not wait for its end.
    await session.query('begin read only')
    await openRows(session, start)
    for (let from = start; ; ) {
      const rows = await fetchRows(session, SERVERS_A_TRANSACTION)
      const last = rows.at(-1)?.serverId
      const to = last
        ? { ...start, server: last }
        : { hour: new Date(start.hour.getTime() + HOUR_MS), server: NO_SERVER }
      const isMine = await inTransaction(pool, async (tx) => {
        await lockRollUps(tx)
        if (!(await markConverted(tx, from, to))) return false
        await addToOpen(
          tx,
          rows.map(({ serverId, samples }) => ({ serverId, samples: decodeSamples(samples) })),
        )
        return true
      })
      if (!isMine) return false
      if (!last) return true
      if (performance.now() > until) return false
      from = to
    }
  } finally {
    await session.end()
  }
}
