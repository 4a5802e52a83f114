// Counts requests in this process' memory: the default store, and the fallback for reads while a shared store is down.
import { type BoundedCache, createBoundedCache } from '../../bounded-cache.ts'
import type { LimitPolicy, LimitStore } from '../limit-policy.ts'

export interface Window {
  count: number
  /** Epoch ms. */
  endsAt: number
}

/**
 * Bounds the memory that a flood of new addresses takes: the least recently used are dropped first (about 45 MB per
 * policy in a process that counts by itself).
 */
const MAX_CALLERS = 200_000

/** @returns what is kept by policy and caller */
export function createCallers<Value extends object>() {
  const byPolicy = new Map<string, BoundedCache<Value>>()
  return {
    get: (name: string, key: string): Value | undefined => byPolicy.get(name)?.get(key),
    set(name: string, key: string, value: Value): void {
      let callers = byPolicy.get(name)
      if (!callers) {
        callers = createBoundedCache<Value>(MAX_CALLERS)
        byPolicy.set(name, callers)
      }
      callers.set(key, value)
    },
    /** All, with the name of their policy and their key. */
    *entries(): Generator<[name: string, key: string, value: Value]> {
      for (const [name, callers] of byPolicy) for (const [key, value] of callers) yield [name, key, value]
    },
  }
}

/** Whether a window with this end is current. One that ends later than it may began before the clock was set back. */
export const isCurrent = (
  endsAt: number,
  { windowSeconds }: Pick<LimitPolicy, 'windowSeconds'>,
  now: number,
): boolean => endsAt > now && endsAt <= now + windowSeconds * 1000

/** @param create makes a window that ends at this time (epoch ms) */
export function createWindows<Current extends Window>(create: (endsAt: number) => Current) {
  const callers = createCallers<Current>()
  return {
    /** @returns the caller's current window, which begins now if there was none */
    open(policy: LimitPolicy, key: string, now: number): Current {
      let window = callers.get(policy.name, key)
      if (!window || !isCurrent(window.endsAt, policy, now)) {
        window = create(now + policy.windowSeconds * 1000)
        callers.set(policy.name, key, window)
      }
      return window
    },
    /** @returns the caller's window, also if it has ended */
    last: callers.get,
    /** @returns the window that ends at this time, if it is still the caller's */
    find(name: string, key: string, endsAt: number): Current | undefined {
      const window = callers.get(name, key)
      return window?.endsAt === endsAt ? window : undefined
    },
  }
}

/**
 * Replaces rate-limiter-flexible's memory store, which keeps a timer per caller, has no bound, and always answers with
 * a promise (docs/decisions/0003).
 */
export function memoryStore(): LimitStore {
  const windows = createWindows((endsAt) => ({ count: 0, endsAt }))
  return {
    hit(policy, key) {
      const now = Date.now()
      const window = windows.open(policy, key, now)
      // A refused request is not counted, as in the primary: refunds of those that passed would leave it in the count.
      const refused = window.count >= policy.limit
      if (!refused) window.count++
      return { remaining: Math.max(policy.limit - window.count, 0), msLeft: window.endsAt - now, refused }
    },
    refund({ name }, key) {
      const window = windows.last(name, key)
      if (window && window.count > 0) window.count--
    },
    stop: async () => {},
  }
}
