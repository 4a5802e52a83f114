// Request limits: counting, and what happens while the store is down or slow.
import pTimeout, { TimeoutError } from 'p-timeout'
import type { Log } from '../observability/log.ts'
import { ApiError, unavailable } from './errors.ts'
import { memoryStore } from './fast-path/memory-limits.ts'
import { secondsLeft } from './limit-headers.ts'
import type { LimitCount, LimitPolicy, LimitStore, SharedLimitStore, WindowState } from './limit-policy.ts'

/** What is counted, and by which rules: an address by the IP limits, an account's API keys by its tier's limits. */
export interface LimitSubject {
  key: string
  policies: readonly LimitPolicy[]
  /**
   * Builds the error of a refused request where the standard message is not enough.
   * @param seconds until a retry may succeed
   */
  refusal?(seconds: number): string
}

export interface ConsumeOptions {
  /** Whether the method only reads: while the store is down or slow, reads are counted in memory. */
  isRead?: boolean
  /**
   * Gets what was counted, also if the request is refused, for `rateLimitHeaders`. A feature's own limits pass none.
   */
  counts?: LimitCount[]
}

export type Limits = ReturnType<typeof createLimits>

/** How long a failed or slow store is not asked: it would cost every request its timeout. */
const STORE_PAUSE_MS = 2_000

/** The limits per client address; a limit of 0 is off. */
export function ipPolicies(settings: {
  RATE_LIMIT_IP_PER_MINUTE: number
  RATE_LIMIT_IP_PER_HOUR: number
}): LimitPolicy[] {
  return [
    { name: 'ip-minute', limit: settings.RATE_LIMIT_IP_PER_MINUTE, windowSeconds: 60 },
    { name: 'ip-hour', limit: settings.RATE_LIMIT_IP_PER_HOUR, windowSeconds: 3600 },
  ].filter(({ limit }) => limit > 0)
}

/** @param options.clock in ms, for pauses: never set back, unless a test replaces it */
export function createLimits(options: { store: LimitStore | SharedLimitStore; log: Log; clock?: () => number }) {
  const { store, log, clock = () => performance.now() } = options
  const fallback = memoryStore()
  const failures = createCircuitBreaker(clock)
  const slowness = createCircuitBreaker(clock) // for reads only

  function storeFailed(err: unknown): void {
    if (failures.open()) log.warn({ err }, 'limit store is down: reads are counted in memory, writes are refused')
  }

  function storeIsSlow(): void {
    if (slowness.open()) log.warn('limit store is slow: reads are counted in memory, writes wait')
  }

  /** @param isRead only a read shows that the store is fast: a write waits as long as it takes */
  function storeAnswered(isRead: boolean): void {
    if (failures.close()) log.info('limit store is back')
    if (isRead && slowness.close()) log.info('limit store is fast again')
  }

  function consumeWithoutStore(subject: LimitSubject, isRead: boolean, counts: LimitCount[], cause?: unknown): void {
    if (!isRead) throw unavailable('Requests can’t be counted at the moment, so nothing was changed.', 5, cause)
    enforce(subject, hitInMemory(fallback, subject), counts)
  }

  return {
    /**
     * Counts one request; synchronously if the count is in memory. A request that one window refuses is not counted in
     * the windows after it.
     * @throws ApiError 429 rate_limited; 503 unavailable if the store is down and the request writes
     */
    consume(subject: LimitSubject, options: ConsumeOptions = {}): void | Promise<void> {
      const { isRead = false, counts = [] } = options
      const { key, policies } = subject
      if (policies.length === 0) return
      if (!isShared(store)) return enforce(subject, hitInMemory(store, subject), counts)
      const hitsAtOnce = store.hitAtOnce?.(policies, key)
      if (hitsAtOnce) return enforce(subject, hitsAtOnce, counts)
      if (failures.mustSkip() || (isRead && slowness.mustSkip())) return consumeWithoutStore(subject, isRead, counts)
      const counting = store.hitAll(policies, key)
      const counted = isRead && store.readsWaitMs ? pTimeout(counting, { milliseconds: store.readsWaitMs }) : counting
      return counted.then(
        (hits) => {
          enforce(subject, hits, counts)
          storeAnswered(isRead) // not of a refusal, which the store's client may remember
        },
        (error: unknown) => {
          if (!(error instanceof TimeoutError)) storeFailed(error)
          else storeIsSlow()
          return consumeWithoutStore(subject, isRead, counts, error)
        },
      )
    },
    /**
     * Returns a request that `consume` has counted. If the store is down, the request stays counted, and so does a read
     * if the store is slow.
     */
    async refund(
      { key, policies }: LimitSubject,
      { isRead = false }: Pick<ConsumeOptions, 'isRead'> = {},
    ): Promise<void> {
      if (failures.isOpen() || (isRead && slowness.isOpen())) return
      const refundAll = async () => {
        for (const policy of policies) await store.refund(policy, key)
      }
      try {
        if (isRead && isShared(store) && store.readsWaitMs)
          await pTimeout(refundAll(), { milliseconds: store.readsWaitMs })
        else await refundAll()
      } catch (error) {
        if (!(error instanceof TimeoutError)) storeFailed(error)
        else storeIsSlow()
      }
    },
    stop: () => store.stop(),
  }
}

/** While it is open, requests skip the store, but for one every two seconds that tries it for all. */
function createCircuitBreaker(clock: () => number) {
  /** Undefined while it is closed. */
  let retryAt: number | undefined
  return {
    /** When a retry is due, the first request that asks makes it. */
    mustSkip(): boolean {
      if (retryAt === undefined) return false
      if (clock() < retryAt) return true
      retryAt = clock() + STORE_PAUSE_MS
      return false
    },
    isOpen: () => retryAt !== undefined,
    /** @returns whether it was closed */
    open(): boolean {
      const wasClosed = retryAt === undefined
      retryAt = clock() + STORE_PAUSE_MS
      return wasClosed
    },
    /** @returns whether it was open */
    close(): boolean {
      const wasOpen = retryAt !== undefined
      retryAt = undefined
      return wasOpen
    },
  }
}

const isShared = (store: LimitStore | SharedLimitStore): store is SharedLimitStore => 'hitAll' in store

/** `hitUntilRefused` without a promise, which would delay every request that is counted in memory. */
function hitInMemory(store: LimitStore, { key, policies }: LimitSubject): WindowState[] {
  const hits: WindowState[] = []
  for (const policy of policies) {
    const hit = store.hit(policy, key)
    hits.push(hit)
    if (hit.refused) break
  }
  return hits
}

/**
 * Adds what was counted to `counts`.
 * @param hits of the subject's first policies, in their order; only the last can have refused the request
 * @throws ApiError 429 rate_limited if a window refused the request
 */
function enforce(subject: LimitSubject, hits: readonly WindowState[], counts: LimitCount[]): void {
  const { policies } = subject
  counts.push({ policies, hits })
  const last = hits.at(-1)
  if (!last?.refused) return
  const { limit, windowSeconds } = policies[hits.length - 1] as LimitPolicy
  const seconds = secondsLeft(last)
  const message =
    subject.refusal?.(seconds) ??
    `More than ${limit} requests in ${windowSeconds} seconds. Try again in ${seconds} seconds.`
  throw new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': String(seconds) } })
}
