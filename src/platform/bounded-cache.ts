// Caches of thousands of values.
import { LRUCache } from 'lru-cache'

export type BoundedCache<Value extends {}> = LRUCache<string, Value>
type Options<Value extends {}> = Pick<LRUCache.OptionsBase<string, Value, unknown>, 'ttl' | 'memoMethod'>

/**
 * Drops the values that were used longest ago. Its memory grows with its values: with `max`, lru-cache allocates it for
 * all of them at once, which for all caches of an API process takes 20 ms and 2 MB.
 */
export const createBoundedCache = <Value extends {}>(maxValues: number, options: Options<Value> = {}) =>
  new LRUCache<string, Value>({ ...options, maxSize: maxValues, sizeCalculation: () => 1 })
