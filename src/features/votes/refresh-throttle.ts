// Throttles how often votes refresh this process' directory snapshot before their replies are sent.
import type { Log } from '../../platform/observability/log.ts'

/**
 * Reading the change feed takes this process some milliseconds, and each read with changes makes it render all list
 * pages again. Votes beyond this burst and rate are shown by the feed's own read, within a second.
 */
const BURST = 10
const PER_SECOND = 2

/**
 * @param options.refresh brings the snapshot up to date; concurrent calls share a read
 * @param options.clock epoch milliseconds
 * @returns a function that never rejects; beyond the rate it resolves at once
 */
export function createRefreshThrottle(options: { refresh(): Promise<void>; log: Log; clock: () => number }) {
  const { refresh, log, clock } = options
  let left = BURST
  let countedAt = clock()

  return async (): Promise<void> => {
    const now = clock()
    left = Math.min(BURST, left + Math.max(0, now - countedAt) * (PER_SECOND / 1000))
    countedAt = now
    if (left < 1) return
    left--
    await refresh().catch((err: unknown) => log.warn({ err }, 'votes are counted but not shown yet'))
  }
}
