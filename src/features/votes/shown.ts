// Shows votes in this process' directory before their replies leave, as long as that costs little.
import type { Log } from '../../platform/observability/log.ts'

/**
 * A read of the change feed takes some milliseconds of this process, and each one that finds something makes every list page be
 * rendered anew. So votes cause this many at once and this many a second; beyond that they are shown by the feed's own
 * read, within a second.
 */
const READS_AT_ONCE = 10
const READS_PER_SECOND = 2

/**
 * @param options.refresh brings the directory in step; calls at the same time share a read
 * @param options.clock epoch milliseconds
 * @returns resolves when what was committed before the call is shown, or at once when reading has become too much; never throws
 */
export function createShow(options: { refresh(): Promise<void>; log: Log; clock: () => number }): () => Promise<void> {
  const { refresh, log, clock } = options
  let left = READS_AT_ONCE
  let countedAt = clock()

  return async () => {
    const now = clock()
    left = Math.min(READS_AT_ONCE, left + Math.max(0, now - countedAt) * (READS_PER_SECOND / 1000))
    countedAt = now
    if (left < 1) return
    left--
    await refresh().catch((err: unknown) => log.warn({ err }, 'votes are counted but not shown yet'))
  }
}
