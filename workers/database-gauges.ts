// What gauges read from the database: at most once for several of them and several scrapers, and
// without a long wait for it.
import pTimeout from 'p-timeout'
import { createMemo } from '../src/platform/memo.ts'
import type { Log } from '../src/platform/observability/log.ts'

/** How long what was read is reused. */
const REUSE_MS = 5_000
/** Well below METRICS_TIMEOUT_MS: while the database hangs, the process' other metrics must arrive. */
const TIMEOUT_MS = 1_000
/** How long what was read is exposed while further reads take longer than that, as counts of many jobs may. */
const KEPT_MS = 60_000

/** @returns a function that returns the rows; none while the database does not answer */
export function createGaugeReader<Row>(log: Log, what: string, find: () => Promise<Row[]>): () => Promise<Row[]> {
  const memo = createMemo<Row[]>({ max: 1 }, { ttlMs: REUSE_MS, clock: Date.now })
  let last: { rows: Row[]; readAt: number } | undefined
  const read = async () => {
    const rows = await find()
    last = { rows, readAt: Date.now() }
    return rows
  }
  const lastRows = () => (last && Date.now() - last.readAt < KEPT_MS ? last.rows : [])
  return () => {
    const rows = memo(what, read).catch((err: unknown) => {
      log.warn({ err }, `${what} can’t be counted`)
      return []
    })
    return pTimeout(rows, { milliseconds: TIMEOUT_MS, fallback: lastRows })
  }
}
