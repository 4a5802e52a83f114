// Remembers values that cost statements for a while, in bounded memory.
import { LRUCache } from 'lru-cache'

/** Calls for one key at the same time share one `find`; later ones have its value for `ttlMs`. A rejection is not kept. */
export function createMemo<Value extends object>(
  bound: { max: number } | { maxSize: number; sizeCalculation: (value: Value) => number },
  { ttlMs, clock }: { ttlMs: number; clock: () => number },
) {
  const values = new LRUCache<string, Value, () => Promise<Value>>({
    ...bound,
    ttl: ttlMs,
    perf: { now: clock },
    fetchMethod: (_key, _stale, { context: find }) => find(),
    ignoreFetchAbort: true, // a value that is evicted while it is found still answers its callers
  })
  return (key: string, find: () => Promise<Value>): Promise<Value> => values.forceFetch(key, { context: find })
}
