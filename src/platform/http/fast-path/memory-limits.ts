// Requests counted in this process' memory: the default, and what reads fall back to while a shared store is down.
import { LRUCache } from 'lru-cache'
import type { LimitStore } from '../limit-policy.ts'

interface Window {
  count: number
  endsAt: number
}

/** A flood from ever new addresses must not grow the process: the least recently seen are forgotten first (about 45 MB a policy). */
const MAX_CALLERS = 200_000

/**
 * Our own and not rate-limiter-flexible's, which holds a timer for each caller, bounds nothing, and answers by promise only
 * (docs/decisions/0003).
 */
export function memoryStore(): LimitStore {
  const windowsOf = new Map<string, LRUCache<string, Window>>()
  return {
    hit({ name, limit, windowSeconds }, key) {
      let windows = windowsOf.get(name)
      if (!windows) {
        // By size, not by number: for a number of entries it takes all memory at once, 5 MB and tens of milliseconds a policy, while
        // the first login waits.
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
