// Remembers values that cost statements for a while, in bounded memory.
import { LRUCache } from 'lru-cache'

interface MemoOptions {
  /** How long a value is kept; a function of how long it took to find, if costly ones are to be kept longer. */
  ttlMs: number | ((findMs: number) => number)
  /** Returns ms. */
  clock: () => number
}

/**
 * Calls for one key at the same time share one `find`; later ones have its value for `ttlMs`. A rejection is not kept.
 */
export function createMemo<Value extends object>(
  bound: { max: number } | { maxSize: number; sizeCalculation: (value: Value) => number },
  { ttlMs, clock }: MemoOptions,
) {
  const values = new LRUCache<string, Value, () => Promise<Value>>({
    ...bound,
    perf: { now: clock },
    ttlResolution: 0, // ask the clock each time, which a test may set
    ttl: 1, // of each value instead, but the cache keeps no times without it
    async fetchMethod(_key, _stale, { context: find, options }) {
      const startedAt = clock()
      const value = await find()
      options.ttl = typeof ttlMs === 'number' ? ttlMs : Math.max(ttlMs(clock() - startedAt), 1)
      return value
    },
    ignoreFetchAbort: true, // a value that is evicted while it is found still answers its callers
  })
  return (key: string, find: () => Promise<Value>): Promise<Value> => values.forceFetch(key, { context: find })
}
