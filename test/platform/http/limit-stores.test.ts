// Request limits that several processes share in PostgreSQL or Redis, also during an outage of the store.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLimitStore } from '../../../src/platform/http/limit-stores.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { countLockWaits, createTestDatabase, testLog } from '../../support/database.ts'
import { isMissing } from '../../support/installed.ts'
import { startRedis } from '../../support/redis.ts'
import { sampleRoutes } from './sample-routes.ts'

const LIMITS = { RATE_LIMIT_IP_PER_MINUTE: '100', RATE_LIMIT_IP_PER_HOUR: '1000' }
const write: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"a","size":1}',
}

/** Starts two API apps that share one store. */
async function startTwo(settings: Record<string, string>): Promise<[TestApi, TestApi]> {
  const database = await createTestDatabase()
  const start = () => startTestApi({ database, settings: { ...LIMITS, ...settings }, routes: sampleRoutes() })
  return [await start(), await start()]
}

/** 200 parallel hits over two processes' stores. A busy machine may answer late, so the timeout is long. */
async function expectExactCount(options: { store: string; url: string }): Promise<void> {
  const open = async () => {
    const store = await openLimitStore({ ...options, log: testLog, timeoutMs: 60_000 })
    if (!('hitAll' in store)) throw new Error('not shared')
    return store
  }
  const stores = [await open(), await open()] as const
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.stop()))
  })
  const policy = { name: 'ip-hour', limit: 100, windowSeconds: 3600 }
  const hits = await Promise.all(
    Array.from({ length: 200 }, (_, i) => stores[i % 2 ? 0 : 1].hitAll([policy], 'a client')),
  )
  const passed = hits
    .flat()
    .filter(({ refused }) => !refused)
    .map(({ remaining }) => remaining)
  expect(passed.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i))
}

/** Each process serves and counts reads by itself, and refuses writes. */
async function withoutStore(api: TestApi): Promise<void> {
  expect((await api.request('/api/samples/page')).status).toBe(200)
  const refused = await api.request('/api/samples', write)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ error: 'unavailable' })
  expect(refused.headers.get('retry-after')).toBe('5')
  for (let i = 0; i < 100; i++) await api.request('/api/samples/page')
  expect((await api.request('/api/samples/page')).status).toBe(429)
}

/** Lets no request be counted until it is released, or the test ends. */
async function lockCounts({ database: { pool } }: TestApi) {
  const session = await pool.openSession()
  onTestFinished(() => session.end())
  await session.query('begin')
  await session.query('lock table rate_limits')
  return {
    waiting: () => countLockWaits(pool),
    release: () => session.query('commit'),
  }
}

describe('counting in PostgreSQL', () => {
  it('is exact when two processes count 200 parallel requests', async () => {
    const { url } = await createTestDatabase()
    await expectExactCount({ store: 'postgres', url })
  })

  it('gives two API processes one limit', async () => {
    const [one, other] = await startTwo({ RATE_LIMIT_STORE: 'postgres', RATE_LIMIT_IP_PER_MINUTE: '2' })
    expect((await one.request('/api/samples/page')).status).toBe(200)
    expect((await other.request('/api/samples/page')).status).toBe(200)
    for (const api of [one, other]) expect((await api.request('/api/samples/page')).status).toBe(429)
  })

  it('keeps no address', async () => {
    const [api] = await startTwo({ RATE_LIMIT_STORE: 'postgres', TRUST_PROXY: '1' })
    await api.request('/api/samples/page', { headers: { 'x-forwarded-for': '192.0.2.77' } })
    const { rows } = await api.database.pool.query<{ key: string }>('select key from rate_limits order by key')
    expect(rows.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^limit:ip-hour:[\w-]{22}$/),
      expect.stringMatching(/^limit:ip-minute:[\w-]{22}$/),
    ])
  })

  it('in a failed store serves reads and refuses writes until the store is back', async () => {
    const [api] = await startTwo({ RATE_LIMIT_STORE: 'postgres' })
    await api.database.pool.query('alter table rate_limits rename to rate_limits_away')
    await withoutStore(api)
    await api.database.pool.query('alter table rate_limits_away rename to rate_limits')
    await vi.waitFor(async () => expect((await api.request('/api/samples', write)).status).toBe(201), {
      timeout: 20_000,
      interval: 200,
    })
    expect((await api.request('/api/samples/page')).status).toBe(200)
  })

  it('in a slow store delays one read, not each, and writes wait for it', async () => {
    const [api] = await startTwo({ RATE_LIMIT_STORE: 'postgres' })
    const counts = await lockCounts(api)
    expect((await api.request('/api/samples/page')).headers.get('ratelimit')).toMatch(
      /^"ip-minute";r=\d+;t=60, "ip-hour";/,
    )
    const started = performance.now()
    for (let i = 0; i < 20; i++) expect((await api.request('/api/samples/page')).status).toBe(200)
    // Without the pause each read would wait a second.
    expect(performance.now() - started).toBeLessThan(10_000)
    const late = await counts.waiting()
    const written = api.request('/api/samples', write)
    await vi.waitFor(async () => expect(await counts.waiting()).toBeGreaterThan(late), { interval: 20 })
    await counts.release()
    expect((await written).status).toBe(201)
  })

  it('in a store that hangs refuses writes', async () => {
    const [api] = await startTwo({ RATE_LIMIT_STORE: 'postgres' })
    await lockCounts(api)
    const { status, headers } = await api.request('/api/samples', write)
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  })
})

describe('counting in Redis', () => {
  const redisIsMissing = isMissing('redis-server')

  it.skipIf(redisIsMissing)('is exact when two processes count 200 parallel requests', async () => {
    const redis = await startRedis()
    onTestFinished(redis.stop)
    await expectExactCount({ store: redis.url, url: '' })
  })

  it.skipIf(redisIsMissing)('in a stopped store serves reads and refuses writes until the store is back', async () => {
    const redis = await startRedis()
    const [api] = await startTwo({ RATE_LIMIT_STORE: redis.url })
    expect((await api.request('/api/samples', write)).status).toBe(201)
    await redis.stop()
    await withoutStore(api)
    const again = await startRedis(Number(new URL(redis.url).port))
    onTestFinished(again.stop)
    await vi.waitFor(async () => expect((await api.request('/api/samples', write)).status).toBe(201), {
      timeout: 20_000,
      interval: 200,
    })
  })

  it.skipIf(redisIsMissing)('in a store that is down does not prevent the start', async () => {
    const redis = await startRedis()
    await redis.stop()
    const [api] = await startTwo({ RATE_LIMIT_STORE: redis.url })
    expect((await api.request('/api/samples/page')).status).toBe(200)
  })
})
