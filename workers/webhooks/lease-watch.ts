// What a worker looks at while it sends: expired leases of others, endpoints that were changed, and
// attempts that are slow.
import type { Deps } from '../../src/deps.ts'
import { findChangedEndpoints, findExpiredLeases } from '../../src/features/webhooks/index.ts'
import type { Lanes } from './lanes.ts'
import type { ActiveLease } from './lease-sender.ts'

const ACQUIRE_EXPIRED_MS = 3_000
/** An endpoint that does not answer for this long moves to the slow lane. */
const SLOW_AFTER_MS = 500
const SLOW_CHECK_MS = 100
/**
 * How often the endpoints of attempts that take long are looked up: one that was deleted or changed
 * must not be waited for.
 */
const CHANGED_CHECK_MS = 500

interface LeaseWatchOptions extends Pick<Deps, 'pool' | 'log'> {
  active: ReadonlyMap<string, ActiveLease>
  lanes: Pick<Lanes, 'free' | 'moveToSlow'>
  acquire: (endpointId: string) => Promise<void>
}

/** @returns how to stop */
export function watchLeases({ pool, log, active, lanes, acquire }: LeaseWatchOptions): () => void {
  /** The workers of these leases died or could not release them. */
  async function acquireExpired(): Promise<void> {
    const expired = await findExpiredLeases(pool, lanes.free('fast'))
    await Promise.all(expired.map(acquire))
  }

  async function abortChanged(): Promise<void> {
    const since = performance.now() - CHANGED_CHECK_MS
    const waiting = [...active.values()].filter(
      ({ attemptBeganAt }) => attemptBeganAt !== undefined && attemptBeganAt < since,
    )
    if (!waiting.length) return
    const changed = await findChangedEndpoints(pool, waiting)
    for (const lease of waiting) if (changed.includes(lease.endpointId)) lease.endpointChanged.abort()
  }

  /** Moves endpoints that do not answer out of the fast lane. */
  function moveSlow(): void {
    const since = performance.now() - SLOW_AFTER_MS
    for (const lease of active.values())
      if (lease.lane === 'fast' && lease.attemptBeganAt !== undefined && lease.attemptBeganAt < since) {
        lease.lane = 'slow'
        lanes.moveToSlow()
      }
  }

  /** Like setInterval, but skips a run while the last one is not done. The next run repeats one that failed. */
  function every(ms: number, work: () => Promise<void>, failed: string): NodeJS.Timeout {
    let isRunning = false
    return setInterval(async () => {
      if (isRunning) return
      isRunning = true
      await work().catch((err: unknown) => log.warn({ err }, failed))
      isRunning = false
    }, ms)
  }

  const timers = [
    every(ACQUIRE_EXPIRED_MS, acquireExpired, 'expired webhook leases not acquired'),
    every(CHANGED_CHECK_MS, abortChanged, 'changes of webhook endpoints not read'),
    setInterval(moveSlow, SLOW_CHECK_MS),
  ]
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
