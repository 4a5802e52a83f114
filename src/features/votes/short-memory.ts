// Remembers what was expensive to find out, the longer the more it cost, so that asking often can't keep the database busy.
import { LRUCache } from 'lru-cache'

/** A value that took 2 ms to find is used for a tenth of a second, one that took a second for 50 s: a fiftieth of a core at most. */
const TIMES_THE_COST = 50
const LONGEST_MS = 60_000
const MOST_VALUES = 1_000

export interface ShortMemory<Value> {
  /** Those who ask for the same at the same time wait for one answer. What `find` throws is not remembered. */
  get(key: string, find: () => Promise<Value>): Promise<Value>
}

export function createShortMemory<Value>(): ShortMemory<Value> {
  const known = new LRUCache<string, Promise<Value>>({ max: MOST_VALUES })
  return {
    get(key, find) {
      const before = known.get(key)
      if (before) return before
      const from = performance.now()
      const finding = find()
      known.set(key, finding, { ttl: LONGEST_MS })
      finding.then(
        () => known.set(key, finding, { ttl: Math.min(LONGEST_MS, TIMES_THE_COST * (performance.now() - from)) }),
        () => known.delete(key),
      )
      return finding
    },
  }
}
