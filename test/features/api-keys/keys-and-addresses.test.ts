// Keys and client addresses: what counts against which limit, in each store, and what a refusal costs.
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { createKeyCache } from '../../../src/features/api-keys/key-cache.ts'
import { RATE_LIMITS } from '../../../src/features/api-keys/tiers.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { isMissing } from '../../support/installed.ts'
import { addPerson } from '../../support/people.ts'
import { startRedis } from '../../support/redis.ts'
import { bearer, type Created, createKey, patchKey, revokeKey } from './support.ts'

const PAGE = '/api/public/stats'
const PER_ADDRESS = 20
const LIMITS = { RATE_LIMIT_IP_PER_MINUTE: String(PER_ADDRESS), TRUST_PROXY: '1' }
/** The rule of docs/decisions/0015. */
const LOOK_UPS_BEYOND = 10

type Credential = Pick<Created, 'key' | 'secret'>
let addresses = 0
/** The header of an address that has sent no request. */
const fresh = () => ({ 'x-forwarded-for': `198.18.${++addresses >> 8}.${addresses & 255}` })
type Address = ReturnType<typeof fresh>
let names = 0
const unknownKey = (): Credential => ({
  key: `sd_${String(++names).padStart(24, '0')}`,
  secret: 'x'.repeat(43),
})

function asking(api: TestApi) {
  const ask = (address: Address, key?: Credential) =>
    api.request(PAGE, { headers: { ...address, ...(key ? bearer(key) : {}) } })
  return {
    ask,
    statusOf: async (address: Address, key?: Credential) => (await ask(address, key)).status,
    /** What is left of the address' limit of the minute after this request. */
    async left(address: Address): Promise<number> {
      const { headers } = await ask(address)
      return Number(/"ip-minute";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    },
    async exhaust(address: Address): Promise<void> {
      for (let n = 0; n < PER_ADDRESS; n++) expect((await ask(address)).status).toBe(200)
      expect((await ask(address)).status).toBe(429)
    },
  }
}

const STORES = ['memory', 'postgres', 'redis'] as const

describe.each(STORES)('counted in %s', (kind) => {
  const isSkipped = kind === 'redis' && isMissing('redis-server')

  async function start() {
    const redis = kind === 'redis' ? await startRedis() : undefined
    if (redis) onTestFinished(redis.stop)
    const settings = { ...LIMITS, RATE_LIMIT_STORE: redis?.url ?? kind }
    const api = await startTestApi({ settings })
    onTestFinished(api.stop)
    return { api, ...asking(api) }
  }

  it.skipIf(isSkipped)('all keys of an account share the limit of its tier', async () => {
    const { api, statusOf } = await start()
    const owner = await addPerson(api.database.pool)
    const keys = await Promise.all(Array.from({ length: 12 }, () => createKey(api, owner)))
    const statuses = await Promise.all(keys.map((key) => statusOf(fresh(), key)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMITS.free)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    const [one, ...others] = keys as [Created, ...Created[]]
    await revokeKey(api, owner, one.id)
    expect(await statusOf(fresh(), await createKey(api, owner))).toBe(429)
    const stranger = await createKey(api, await addPerson(api.database.pool))
    expect(await statusOf(fresh(), stranger)).toBe(200)
    await api.database.pool.query(`update users set tier = 'standard' where id = $1`, [owner.id])
    // A key that was refused a moment ago is looked up again after two seconds.
    for (const key of others) await expect.poll(() => statusOf(fresh(), key)).toBe(200)
  })

  it.skipIf(isSkipped)('a free key counts against its address, too, and the headers say so', async () => {
    const { api, ask, left } = await start()
    const [from, key] = [fresh(), await createKey(api, await addPerson(api.database.pool))]
    for (let n = 0; n < 3; n++) {
      const { headers } = await ask(from, key)
      expect(headers.get('ratelimit-policy')).toBe(`"ip-minute";q=${PER_ADDRESS};w=60, "free";q=10;w=60`)
      expect(headers.get('ratelimit')).toMatch(
        new RegExp(`^"ip-minute";r=${PER_ADDRESS - 1 - n};t=\\d+, "free";r=${9 - n};t=\\d+$`),
      )
    }
    expect(await left(from)).toBe(PER_ADDRESS - 4)
  })

  it.skipIf(isSkipped)(
    'a paid key does not count against its address, not even in a burst of first requests',
    async () => {
      const { api, statusOf, left } = await start()
      const owner = await addPerson(api.database.pool, { tier: 'standard' })
      const [from, key] = [fresh(), await createKey(api, owner)]
      const statuses = await Promise.all(Array.from({ length: 90 }, () => statusOf(from, key)))
      expect(statuses.filter((status) => status !== 200)).toEqual([])
      expect(await left(from)).toBe(PER_ADDRESS - 1)
    },
  )

  it.skipIf(isSkipped)(
    'behind an address over its limit a paid key passes, a free or unknown one does not',
    async () => {
      const { api, ask, statusOf, exhaust } = await start()
      const { pool } = api.database
      const [paid, free] = [
        await createKey(api, await addPerson(pool, { tier: 'premium' })),
        await createKey(api, await addPerson(pool)),
      ]
      const from = fresh()
      await exhaust(from)
      const passed = await ask(from, paid)
      expect([passed.status, passed.headers.get('ratelimit-policy')]).toEqual([200, '"premium";q=1000;w=60'])
      const refused = await ask(from, free)
      expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([
        429,
        `"ip-minute";q=${PER_ADDRESS};w=60`,
      ])
      // A key that was seen before still passes, however many unknown keys the address sends.
      for (let n = 0; n < LOOK_UPS_BEYOND + 5; n++) expect(await statusOf(from, unknownKey())).toBe(429)
      for (let n = 0; n < 30; n++) expect(await statusOf(from, paid)).toBe(200)
      // Refusals of the address did not count against the free key's account.
      expect((await ask(fresh(), free)).headers.get('ratelimit')).toMatch(/"free";r=9;/)
    },
  )

  it.skipIf(isSkipped)('unknown keys count against the address, each time', async () => {
    const { statusOf, left } = await start()
    const from = fresh()
    const key = unknownKey()
    for (let n = 0; n < 3; n++) expect(await statusOf(from, key)).toBe(401)
    for (let n = 0; n < 3; n++) expect(await statusOf(from, unknownKey())).toBe(401)
    expect(await left(from)).toBe(PER_ADDRESS - 7)
    for (let n = 0; n < PER_ADDRESS - 7; n++) expect(await statusOf(from, n % 2 ? key : unknownKey())).toBe(401)
    expect(await statusOf(from, key)).toBe(429)
    expect(await statusOf(from, unknownKey())).toBe(429)
  })
})

/** Look-ups of keys wait until they time out while `during` runs. */
async function whileLocked<T>(api: TestApi, look: () => Promise<T>): Promise<T> {
  const client = await api.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table api_keys in access exclusive mode')
    return await look()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('a refusal without a look-up', async () => {
  const api = await startTestApi({ settings: LIMITS })
  const { statusOf, exhaust } = asking(api)

  test('of an unknown key that was looked up a moment ago, from any address', async () => {
    const key = unknownKey()
    expect(await statusOf(fresh(), key)).toBe(401)
    await whileLocked(api, async () => {
      for (let n = 0; n < 5; n++) expect(await statusOf(fresh(), key)).toBe(401)
    })
  })

  test('of a wrong secret that was compared a moment ago; the right one is not affected', async () => {
    const key = await createKey(api, await addPerson(api.database.pool))
    const wrong = { ...key, secret: 'w'.repeat(43) }
    expect(await statusOf(fresh(), wrong)).toBe(401)
    await whileLocked(api, async () => {
      for (let n = 0; n < 5; n++) expect(await statusOf(fresh(), wrong)).toBe(401)
    })
    expect(await statusOf(fresh(), key)).toBe(200)
  })

  test.each(['free', 'standard'] as const)('of a %s key whose account is over its limit', async (tier) => {
    const { ask } = asking(api)
    const owner = await addPerson(api.database.pool, { tier })
    const key = await createKey(api, owner)
    for (let n = 0; n < RATE_LIMITS[tier]; n++) expect(await statusOf(fresh(), key)).toBe(200)
    const refused = await ask(fresh(), key)
    expect(refused.status).toBe(429)
    await whileLocked(api, async () => {
      for (let n = 0; n < 50; n++) {
        const again = await ask(fresh(), key)
        expect([again.status, again.headers.get('ratelimit-policy')]).toEqual([
          429,
          refused.headers.get('ratelimit-policy'),
        ])
      }
    })
    // The refusal does not outlive a revocation by more than two seconds.
    await revokeKey(api, owner, key.id)
    await expect.poll(() => statusOf(fresh(), key)).toBe(401)
  })

  test('of an address over its limit, after ten failed look-ups', async () => {
    const from = fresh()
    await exhaust(from)
    const free = await createKey(api, await addPerson(api.database.pool))
    expect(await statusOf(fresh(), free)).toBe(200)
    expect(await statusOf(from, free)).toBe(429)
    for (let n = 1; n < LOOK_UPS_BEYOND; n++) expect(await statusOf(from, unknownKey())).toBe(429)
    await whileLocked(api, async () => {
      for (let n = 0; n < 50; n++) expect(await statusOf(from, n % 2 ? free : unknownKey())).toBe(429)
    })
  })
})

describe('the cache ends with every change', async () => {
  const one = await startTestApi({ settings: LIMITS })
  const other = await startTestApi({ database: one.database, settings: LIMITS })
  const { pool } = one.database
  const statuses = async (key: Credential) => [
    await asking(one).statusOf(fresh(), key),
    await asking(other).statusOf(fresh(), key),
  ]

  test('a new key works at once in every process, despite earlier unknown keys', async () => {
    const owner = await addPerson(pool, { tier: 'enterprise' })
    for (let n = 0; n < 10; n++) {
      expect(await statuses(unknownKey())).toEqual([401, 401])
      const key = await createKey(one, owner)
      expect(await statuses({ ...key, secret: 'w'.repeat(43) })).toEqual([401, 401])
      expect(await statuses(key)).toEqual([200, 200])
    }
  })

  test.each(['free', 'standard'] as const)(
    'a %s key follows deactivation, activation, a ban, and its expiry',
    async (tier) => {
      const owner = await addPerson(pool, { tier })
      const key = await createKey(one, owner)
      expect(await statuses(key)).toEqual([200, 200])
      await patchKey(one, owner, key.id, { isActive: false })
      expect(await statuses(key)).toEqual([401, 401])
      await patchKey(one, owner, key.id, { isActive: true })
      expect(await statuses(key)).toEqual([200, 200])
      await pool.query('update users set banned_at = now() where id = $1', [owner.id])
      expect(await statuses(key)).toEqual([401, 401])
      await pool.query('update users set banned_at = null where id = $1', [owner.id])
      expect(await statuses(key)).toEqual([200, 200])
      await revokeKey(other, owner, key.id)
      expect(await statuses(key)).toEqual([401, 401])
    },
  )

  test('a subscription exempts a known key from its address’ limit at the next request, and its end reverts that', async () => {
    const { statusOf, left, exhaust } = asking(one)
    const owner = await addPerson(pool)
    const key = await createKey(one, owner)
    const from = fresh()
    expect(await statusOf(from, key)).toBe(200)
    expect(await left(from)).toBe(PER_ADDRESS - 2)
    await pool.query(`update users set tier = 'standard' where id = $1`, [owner.id])
    expect(await statusOf(from, key)).toBe(200)
    expect(await left(from)).toBe(PER_ADDRESS - 3)
    const busy = fresh()
    await exhaust(busy)
    expect(await statusOf(busy, key)).toBe(200)
    await pool.query(`update users set tier = 'free' where id = $1`, [owner.id])
    expect(await statusOf(busy, key)).toBe(429)
    expect(await statusOf(from, key)).toBe(200)
    expect(await left(from)).toBe(PER_ADDRESS - 5)
    await pool.query(`update users set tier = 'standard' where id = $1`, [owner.id])
    expect(await statusOf(busy, key)).toBe(200)
  })
})

test('a flood of credentials does not grow the process: the least recently used are evicted', async () => {
  const cache = createKeyCache()
  const valid = unknownKey()
  cache.addValid(valid, 'paid')
  const flood = Array.from({ length: 10_001 }, unknownKey)
  for (const credential of flood) cache.addUnknown(credential)
  expect(cache.statusOf(flood[0] as Credential)).toBe('new')
  expect(cache.statusOf(flood.at(-1) as Credential)).toBe('unknown')
  expect(cache.statusOf(valid)).toBe('paid')
  cache.remove(valid)
  expect(cache.statusOf(valid)).toBe('new')
})

test('keys are refused on every login operation, and the document says so', async () => {
  const api = await startTestApi({ database: await createTestDatabase() })
  const key = await createKey(api, await addPerson(api.database.pool, { tier: 'enterprise' }))
  const { paths } = api.app.describe() as { paths: Record<string, Record<string, { security: object[] }>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/auth/')
      ? Object.entries(methods).map(([method, { security }]) => ({ path, method, security }))
      : [],
  )
  expect(operations.length).toBeGreaterThan(8)
  for (const { path, method, security } of operations) {
    const { status } = await api.request(`/api${path}`, { method: method.toUpperCase(), headers: bearer(key) })
    expect([path, status]).toEqual([path, 403])
    expect(
      security.filter((way) => 'apiKey' in way),
      path,
    ).toEqual([])
  }
})
