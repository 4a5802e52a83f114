// Request limits: counting, the RateLimit headers, and what happens while the store is down or slow.
import pTimeout, { TimeoutError } from 'p-timeout'
import type { Log } from '../observability/log.ts'
import { ApiError, unavailable } from './errors.ts'
import { memoryStore } from './fast-path/memory-limits.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import type { Hit, LimitPolicy, LimitStore, SharedLimitStore } from './limit-policy.ts'

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
  const failed = createPause(clock)
  const slow = createPause(clock) // for reads only

  function storeFailed(err: unknown): void {
    if (failed.begin()) log.warn({ err }, 'limit store is down: reads are counted in memory, writes are refused')
  }

  function storeAnswered(inTime: boolean): void {
    if (failed.end()) log.info('limit store is back')
    if (inTime && slow.end()) log.info('limit store is fast again')
  }

  function takeWithoutStore(subject: LimitSubject, safe: boolean, headers: FlatHeaders, cause?: unknown) {
    if (!safe) throw unavailable('Requests can’t be counted at the moment, so nothing was changed.', 5, cause)
    return count(fallback, subject, headers)
  }

  return {
    /**
     * Counts one request; synchronously if the count is in memory. A request that one window refuses is not counted in
     * the windows after it.
     * @param safe whether the method only reads: while the store is down or slow, reads are counted in memory
     * @param headers gets `RateLimit-Policy` and `RateLimit`, also if the request is refused, appended to the entries of
     * limits counted before. A feature's own limits pass none.
     * @throws ApiError 429 rate_limited; 503 unavailable if the store is down and the request writes
     */
    take(subject: LimitSubject, safe = false, headers: FlatHeaders = []): void | Promise<void> {
      if (subject.policies.length === 0) return
      if (!('hitAll' in store)) return count(store, subject, headers)
      const hits = store.hitAtOnce?.(subject.policies, subject.key)
      if (hits) {
        announce(subject.policies, headers)
        return noteAll(subject, hits, headers)
      }
      if (failed.holds() || (safe && slow.holds())) return takeWithoutStore(subject, safe, headers)
      const own = [...headers] // a count that ends late must not change the headers of a reply
      const announceOwn = () => headers.splice(0, headers.length, ...own)
      const counting = count(store, subject, own) as Promise<void>
      const counted = safe && store.readsWaitMs ? pTimeout(counting, { milliseconds: store.readsWaitMs }) : counting
      return counted.then(
        () => {
          announceOwn()
          storeAnswered(safe)
        },
        (error: unknown) => {
          if (error instanceof ApiError) {
            announceOwn()
            throw error
          }
          if (!(error instanceof TimeoutError)) storeFailed(error)
          else if (slow.begin()) log.warn('limit store is slow: reads are counted in memory, writes wait')
          return takeWithoutStore(subject, safe, headers, error)
        },
      )
    },
    /** Takes back a request that `take` has counted. If the store is down, the request stays counted. */
    async refund({ key, policies }: LimitSubject): Promise<void> {
      try {
        for (const policy of policies) await store.refund(policy, key)
      } catch (error) {
        storeFailed(error)
      }
    },
    stop: () => store.stop(),
  }
}

/** Keeps requests away from the store, but for one every two seconds that tries it for all. */
function createPause(clock: () => number) {
  let until: number | undefined
  return {
    holds(): boolean {
      if (until === undefined) return false
      if (clock() < until) return true
      until = clock() + STORE_PAUSE_MS
      return false
    },
    /** @returns whether there was none */
    begin(): boolean {
      const isNew = until === undefined
      until = clock() + STORE_PAUSE_MS
      return isNew
    },
    /** @returns whether there was one */
    end(): boolean {
      const was = until !== undefined
      until = undefined
      return was
    },
  }
}

/** Counts in the windows one after the other; synchronously if the store is. */
function count(
  store: LimitStore | SharedLimitStore,
  subject: LimitSubject,
  headers: FlatHeaders,
): undefined | Promise<void> {
  const { key, policies } = subject
  announce(policies, headers)
  if ('hitAll' in store) return store.hitAll(policies, key).then((hits) => noteAll(subject, hits, headers))
  for (const policy of policies) note(subject, policy, store.hit(policy, key), headers)
}

/** Appends the policies to the `RateLimit-Policy` header, which is the first entry if there is one. */
function announce(policies: readonly LimitPolicy[], headers: FlatHeaders): void {
  const described = describePolicies(policies)
  if (headers.length === 0) headers.push('RateLimit-Policy', described, 'RateLimit', '')
  else headers[1] = `${headers[1]}, ${described}`
}

function noteAll(subject: LimitSubject, hits: Hit[], headers: FlatHeaders): void {
  for (const [n, hit] of hits.entries()) note(subject, subject.policies[n] as LimitPolicy, hit, headers)
}

/** Appends a window's state to the `RateLimit` header, which is the last entry. */
function note(
  subject: LimitSubject,
  policy: LimitPolicy,
  { remaining, msLeft, refused }: Hit,
  headers: FlatHeaders,
): void {
  const seconds = Math.max(Math.ceil(msLeft / 1000), refused ? 1 : 0)
  const before = headers[headers.length - 1]
  headers[headers.length - 1] = `${before && `${before}, `}"${policy.name}";r=${remaining};t=${seconds}`
  if (!refused) return
  const message =
    subject.refusal?.(seconds) ??
    `More than ${policy.limit} requests in ${policy.windowSeconds} seconds. Try again in ${seconds} seconds.`
  throw new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': String(seconds) } })
}

const descriptions = new WeakMap<readonly LimitPolicy[], string>()

function describePolicies(policies: readonly LimitPolicy[]): string {
  let text = descriptions.get(policies)
  if (text === undefined) {
    text = policies.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`).join(', ')
    descriptions.set(policies, text)
  }
  return text
}
