// Slots for endpoints that are being sent to. Slow endpoints have their own lane, so that they never delay the others.

export type Lane = 'fast' | 'slow'

/** Concurrent endpoints. */
export const LANE_SIZES = {
  /** Not known to be slow. */
  fast: 500,
  /** That last failed or were slow. */
  slow: 500,
  /**
   * Both lanes, and endpoints that moved to the slow lane while sending. More than fast + slow, so that a burst
   * of these blocks none.
   */
  total: 1_500,
}

export type Lanes = ReturnType<typeof createLanes>

/** An endpoint that waits for a slot, with the promise that its callers of `queue` got. */
type Waiter = [endpointId: string, queued: PromiseWithResolvers<void>]

/**
 * Settles the promises of waiters as `work` on their endpoints does.
 * @returns what `work` resolves to; undefined if it rejects
 */
async function settleBy<Result>(
  waiters: Waiter[],
  work: (endpointIds: string[]) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const result = await work(waiters.map(([endpointId]) => endpointId))
    for (const [, { resolve }] of waiters) resolve()
    return result
  } catch (error) {
    for (const [, { reject }] of waiters) reject(error)
    return undefined
  }
}

/**
 * @param begin uses slots of a lane for some of these endpoints and returns how many; if it throws, the
 * callers of `queue` reject
 */
export function createLanes(sizes: typeof LANE_SIZES, begin: (lane: Lane, endpointIds: string[]) => Promise<number>) {
  const inUse: Record<Lane, number> = { fast: 0, slow: 0 }
  const waiting: Record<Lane, Map<string, PromiseWithResolvers<void>>> = { fast: new Map(), slow: new Map() }
  const isBeginning: Record<Lane, boolean> = { fast: false, slow: false }

  const free = (lane: Lane) => Math.min(sizes[lane] - inUse[lane], sizes.total - inUse.fast - inUse.slow)

  async function beginNext(lane: Lane): Promise<void> {
    if (isBeginning[lane]) return
    isBeginning[lane] = true
    for (;;) {
      const first = [...waiting[lane]].slice(0, Math.max(0, free(lane)))
      if (!first.length) break
      for (const [endpointId] of first) waiting[lane].delete(endpointId)
      inUse[lane] += first.length // reserved while `begin` runs
      const begun = await settleBy(first, (endpointIds) => begin(lane, endpointIds))
      inUse[lane] -= first.length - (begun ?? 0)
    }
    isBeginning[lane] = false
  }

  return {
    /** Endpoints being sent to. */
    inUse,
    /** Number of free slots. */
    free: (lane: Lane) => Math.max(0, free(lane)),
    /** Waits for a slot, first in first out, each endpoint once. Resolves when `begin` has run for it. */
    queue(lane: Lane, endpointId: string): Promise<void> {
      let waiter = waiting[lane].get(endpointId)
      if (!waiter) {
        waiter = Promise.withResolvers()
        waiting[lane].set(endpointId, waiter)
        queueMicrotask(() => void beginNext(lane)) // so that all jobs of one fetch begin together
      }
      return waiter.promise
    },
    /** Frees a slot. */
    release(lane: Lane): void {
      inUse[lane]--
      for (const each of ['fast', 'slow'] as const) if (waiting[each].size) void beginNext(each)
    },
    /** Moves an endpoint from the fast to the slow lane, which frees its slot there. */
    moveToSlow(): void {
      inUse.fast--
      inUse.slow++
      if (waiting.fast.size) void beginNext('fast')
    },
    /** Empties the queues into `handOver`. The callers of `queue` resolve or reject with it. */
    async drain(handOver: (endpointIds: string[]) => Promise<void>): Promise<void> {
      const left = [...waiting.fast, ...waiting.slow]
      waiting.fast.clear()
      waiting.slow.clear()
      await settleBy(left, handOver)
    },
  }
}
