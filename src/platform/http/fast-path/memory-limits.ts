// Counts requests in this process' memory: the default store, and the fallback for reads while a shared store is down.
import { LRUCache } from 'lru-cache'
import type { LimitStore } from '../limit-policy.ts'

interface Window {
  count: number
  endsAt: number
}

/**
 * Bounds the memory that a flood of new addresses takes: the least recently used are dropped first (about 45 MB per
 * policy).
 */
const MAX_CALLERS = 200_000

/**
 * Replaces rate-limiter-flexible's memory store, which keeps a timer per caller, has no bound, and always answers with
 * a promise (docs/decisions/0003).
 */
export function memoryStore(): LimitStore {
  const windowsOf = new Map<string, LRUCache<string, Window>>()
  return {
    hit({ name, limit, windowSeconds }, key) {
      let windows = windowsOf.get(name)
      if (!windows) {
        // Bounded by size: `max` would allocate everything at once, 5 MB and tens of milliseconds per policy, while the
        // first login waits.
        windows = new LRUCache({ maxSize: MAX_CALLERS, sizeCalculation: () => 1 })
        windowsOf.set(name, windows)
      }
      const now = Date.now()
      let window = windows.get(key)
      if (!window || window.endsAt <= now) {
        window = { count: 0, endsAt: now + windowSeconds * 1000 }
        windows.set(key, window)
      }
      window.count++
      return {
        remaining: Math.max(limit - window.count, 0),
        msLeft: window.endsAt - now,
        refused: window.count > limit,
      }
    },
    refund({ name }, key) {
      const window = windowsOf.get(name)?.get(key)
      if (window && window.count > 0) window.count--
    },
    stop: async () => {},
  }
}
