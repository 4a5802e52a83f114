// Request counts that several processes share, in PostgreSQL or Redis. A module of its own, because most installations
// count in memory and should not load the library.
import pTimeout from 'p-timeout'
import pg from 'pg'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { type DatabaseAddress, poolConfig } from '../db/pool.ts'
import type { Log } from '../observability/log.ts'
import { hitUntilRefused, type LimitPolicy, type SharedLimitStore, type WindowState } from './limit-policy.ts'

/** A store that has not answered by then counts as down. Writes wait until then, as they do for their own queries. */
const STORE_TIMEOUT_MS = 5_000
/** A slower store must not delay pages that are served from memory. */
const READS_WAIT_MS = 1_000

export interface SharedStoreOptions extends DatabaseAddress {
  /** The setting RATE_LIMIT_STORE: `memory`, `postgres` or a `redis://` address. */
  store: string
  log: Log
  /** 5 seconds unless given. */
  timeoutMs?: number
}

export function openPostgresStore({
  url,
  directUrl,
  log,
  timeoutMs = STORE_TIMEOUT_MS,
}: SharedStoreOptions): SharedLimitStore {
  // A separate pool with short timeouts: counting must neither wait behind the features' queries nor hold them up.
  const pool = new pg.Pool({
    ...poolConfig({ url, directUrl }, 'limits'),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    max: 4,
  })
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'idle connection of the limits lost'))
  return {
    ...countedBy(
      (policy) =>
        new RateLimiterPostgres({
          ...optionsOf(policy),
          storeClient: pool,
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
        }),
    ),
    stop: () => pool.end(),
    readsWaitMs: READS_WAIT_MS,
  }
}

export async function openRedisStore({
  store,
  log,
  timeoutMs = STORE_TIMEOUT_MS,
}: SharedStoreOptions): Promise<SharedLimitStore> {
  const { Redis } = await import('ioredis')
  const client = new Redis(store, {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  })
  client.on('error', (err) => log.warn({ err }, 'redis error')) // without a listener an error event ends the process
  // Waits for the connection, so that the first requests are counted together too. A store that does not answer counts
  // as down.
  const ready = new Promise((resolve) => client.once('ready', resolve))
  await pTimeout(ready, { milliseconds: READS_WAIT_MS, fallback: () => undefined })
  return {
    ...countedBy(
      (policy) =>
        new RateLimiterRedis({
          ...optionsOf(policy),
          storeClient: client,
          rejectIfRedisNotReady: true,
        }),
    ),
    stop: async () => client.disconnect(),
    readsWaitMs: READS_WAIT_MS,
  }
}

const optionsOf = ({ name, limit, windowSeconds }: LimitPolicy) => ({
  keyPrefix: `limit:${name}`,
  points: limit,
  duration: windowSeconds,
  // A caller known to be over the limit is refused from memory, so that a flood does not reach the store.
  inMemoryBlockOnConsumed: limit + 1,
})

/** One counter per policy, created at its first request. */
function countedBy(create: (policy: LimitPolicy) => RateLimiterAbstract): Pick<SharedLimitStore, 'hitAll' | 'refund'> {
  const counters = new Map<string, RateLimiterAbstract>()
  const counterOf = (policy: LimitPolicy): RateLimiterAbstract => {
    const counter = counters.get(policy.name) ?? create(policy)
    counters.set(policy.name, counter)
    return counter
  }
  async function hit(policy: LimitPolicy, key: string): Promise<WindowState> {
    try {
      return asHit(await counterOf(policy).consume(key), false)
    } catch (error) {
      // The library rejects with its result if the limit is reached, and with an Error if the store failed.
      if (error instanceof RateLimiterRes) return asHit(error, true)
      throw error
    }
  }
  return {
    hitAll: (policies, key) => hitUntilRefused(policies, (policy) => hit(policy, key)),
    async refund(policy, key) {
      await counterOf(policy).reward(key)
    },
  }
}

const asHit = ({ remainingPoints, msBeforeNext }: RateLimiterRes, refused: boolean): WindowState => ({
  remaining: remainingPoints,
  msLeft: msBeforeNext,
  refused,
})
