// Request limits: who has how many left, the headers that say so, and what happens when the store does not answer.
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '../observability/log.ts'
import { ApiError, unavailable } from './errors.ts'
import { type LimitPolicy, type LimitStore, memoryStore } from './limit-stores.ts'
import type { FlatHeaders } from './security-headers.ts'

/** Who is counted and by which rules: an address by the IP rules, an API key by its tier's. */
export interface LimitSubject {
  key: string
  policies: readonly LimitPolicy[]
}

export interface Limits {
  /**
   * Counts one request. A request that one window refuses is not counted in the windows after it.
   * @param safe whether the method only reads: then a store that is down is replaced by this process' own count
   * @param headers gets `RateLimit-Policy` and `RateLimit`, also when the request is refused
   * @throws ApiError 429 rate_limited; 503 unavailable when the store is down and the request would write
   */
  take(subject: LimitSubject, safe: boolean, headers: FlatHeaders): Promise<void>
  /** Takes one request back that `take` has counted. A store that does not answer is left with one too many. */
  giveBack(subject: LimitSubject): Promise<void>
  stop(): Promise<void>
}

/** After a failure the store is left alone for so long: a frozen one would cost every request its timeout. */
const STORE_PAUSE_MS = 2_000

/** Interface.md §8 "Requests per IP"; a limit of 0 is off. */
export function ipPolicies(settings: {
  RATE_LIMIT_IP_PER_MINUTE: number
  RATE_LIMIT_IP_PER_HOUR: number
}): LimitPolicy[] {
  return [
    { name: 'ip-minute', limit: settings.RATE_LIMIT_IP_PER_MINUTE, windowSeconds: 60 },
    { name: 'ip-hour', limit: settings.RATE_LIMIT_IP_PER_HOUR, windowSeconds: 3600 },
  ].filter(({ limit }) => limit > 0)
}

export function createLimits(options: { store: LimitStore; log: Log; clock: () => number }): Limits {
  const { store, log, clock } = options
  const fallback = memoryStore()
  let isDown = false
  let pausedUntil = 0

  function storeFailed(err: unknown): void {
    if (!isDown) log.warn({ err }, 'limit store is down: reads are counted in memory, writes refused')
    isDown = true
    pausedUntil = clock() + STORE_PAUSE_MS
  }

  function storeAnswered(): void {
    if (isDown) log.info('limit store is back')
    isDown = false
    pausedUntil = 0
  }

  return {
    async take(subject, safe, headers) {
      if (subject.policies.length === 0) return
      let cause: unknown
      if (clock() >= pausedUntil) {
        if (isDown) pausedUntil = clock() + STORE_PAUSE_MS // this request asks for all
        try {
          await count(store, subject, headers)
          storeAnswered()
          return
        } catch (error) {
          if (error instanceof ApiError) {
            storeAnswered()
            throw error
          }
          storeFailed(error)
          cause = error
          headers.length = 0
        }
      }
      if (!safe) throw unavailable('Requests can’t be counted at the moment, so nothing was changed.', 5, cause)
      await count(fallback, subject, headers)
    },
    async giveBack({ key, policies }) {
      try {
        for (const policy of policies) await store.counterFor(policy).reward(key)
      } catch (error) {
        storeFailed(error)
      }
    },
    stop: () => store.stop(),
  }
}

async function count(store: LimitStore, { key, policies }: LimitSubject, headers: FlatHeaders): Promise<void> {
  headers.push('RateLimit-Policy', describePolicies(policies))
  let state = ''
  for (const policy of policies) {
    let result: RateLimiterRes
    let refused = false
    try {
      result = await store.counterFor(policy).consume(key)
    } catch (error) {
      // The library rejects with its result when the limit is reached, with an Error when the store failed.
      if (!(error instanceof RateLimiterRes)) throw error
      result = error
      refused = true
    }
    const seconds = Math.max(Math.ceil(result.msBeforeNext / 1000), refused ? 1 : 0)
    state += `${state && ', '}"${policy.name}";r=${result.remainingPoints};t=${seconds}`
    if (refused) {
      headers.push('RateLimit', state)
      throw new ApiError(
        429,
        'rate_limited',
        `More than ${policy.limit} requests in ${policy.windowSeconds} seconds. Try again in ${seconds} seconds.`,
        { headers: { 'Retry-After': String(seconds) } },
      )
    }
  }
  headers.push('RateLimit', state)
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
