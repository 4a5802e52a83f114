// Records which keys were used and stores it in batches, so that no request waits.
import type { Log } from '../../platform/observability/log.ts'
import type { KeyUse } from './api-keys.sql.ts'

/** How long uses are collected: short enough that owners see their last request, long enough to share a statement. */
const GATHER_MS = 1_000

/** @param write stores uses of different keys; a batch has one use of each key, the last */
export function createUsageRecorder(options: { write(uses: KeyUse[]): Promise<void>; log: Log; gatherMs?: number }) {
  const { write, log, gatherMs = GATHER_MS } = options
  let gathered = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (gathered.size === 0) return
    const uses = [...gathered].map(([keyId, at]) => ({ keyId, at }))
    gathered = new Map()
    // A failed batch is dropped: the stored use of these keys stays old, so their next use is recorded again.
    writing = writing
      .then(() => write(uses))
      .catch((err: unknown) => log.warn({ err, keys: uses.length }, 'use of API keys not stored'))
  }

  return {
    /** Returns at once. */
    record({ keyId, at }: KeyUse): void {
      gathered.set(keyId, at)
      timer ??= setTimeout(flush, gatherMs).unref()
    },
    /** Stores what is recorded; later uses are not recorded. */
    async stop(): Promise<void> {
      flush()
      await writing
    },
  }
}
