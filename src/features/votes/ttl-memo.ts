// Memoizes expensive reads with a time to live in proportion to their cost, so that frequent requests cannot overload the database.
import { LRUCache } from 'lru-cache'

/** A value that took 2 ms is kept for 100 ms, one that took 1 s for 50 s: at most a fiftieth of a core. */
const COST_FACTOR = 50
const MAX_TTL_MS = 60_000
const MAX_ENTRIES = 1_000

/** Concurrent calls for one key share one `find`. A rejection is not kept. */
export function createTtlMemo<Value>() {
  const entries = new LRUCache<string, Promise<Value>>({ max: MAX_ENTRIES })
  return (key: string, find: () => Promise<Value>): Promise<Value> => {
    const known = entries.get(key)
    if (known) return known
    const startedAt = performance.now()
    const finding = find()
    entries.set(key, finding, { ttl: MAX_TTL_MS })
    finding.then(
      () => entries.set(key, finding, { ttl: Math.min(MAX_TTL_MS, COST_FACTOR * (performance.now() - startedAt)) }),
      () => entries.delete(key),
    )
    return finding
  }
}
