// The limits of keys by tier, for all keys of an account and over all processes.
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { bearer, createKey, listKeys } from './support.ts'

const settings = { RATE_LIMIT_STORE: 'postgres', RATE_LIMIT_IP_PER_MINUTE: '50', TRUST_PROXY: '1' }
const one = await startTestApi({ settings })
const other = await startTestApi({ database: one.database, settings })
const { pool } = one.database

let address = 1
/** An address that has sent no request. */
const fresh = () => ({ 'x-forwarded-for': `198.51.100.${address++}` })
/** What is left of the address' minute, or of the limit with this name. */
const left = (response: Response, name = 'ip-minute') =>
  Number(new RegExp(`"${name}";r=(\\d+)`).exec(response.headers.get('ratelimit') ?? '')?.[1])

test('each tier has its limit, and all keys of a user follow it with the next request', async () => {
  const owner = await addPerson(pool)
  const keys = [await createKey(one, owner), await createKey(one, owner)]
  for (const [tier, limit] of [
    ['free', 10],
    ['standard', 100],
    ['premium', 1_000],
    ['enterprise', 10_000],
  ] as const) {
    await pool.query('update users set tier = $2 where id = $1', [owner.id, tier])
    for (const key of keys)
      for (const api of [one, other]) {
        const response = await api.request('/api/user/favorites', { headers: bearer(key) })
        const [address, state] = tier === 'free' ? ['"ip-minute";q=50;w=60, ', '"ip-minute";r=\\d+;t=\\d+, '] : ['', '']
        expect(response.headers.get('ratelimit-policy')).toBe(`${address}"${tier}";q=${limit};w=60`)
        expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^${state}"${tier}";r=\\d+;t=\\d+$`))
      }
    for (const item of await listKeys(one, owner)) expect(item).toMatchObject({ tier, rateLimit: limit })
  }
})

test('a free key has ten requests a minute, in any process, public or not; the next is refused', async () => {
  const owner = await addPerson(pool)
  const key = await createKey(one, owner)
  const paths = ['/api/user/favorites', '/api/public/servers']
  for (let n = 0; n < 10; n++) {
    const api = n % 2 ? one : other
    const response = await api.request(paths[n % 2] ?? '', { headers: bearer(key) })
    expect([response.status, left(response, 'free')]).toEqual([200, 9 - n])
  }
  for (const api of [one, other]) {
    const response = await api.request('/api/public/servers', { headers: bearer(key) })
    expect([response.status, left(response, 'free')]).toEqual([429, 0])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const another = await createKey(one, owner)
  expect((await one.request('/api/public/servers', { headers: bearer(another) })).status).toBe(429)
})

test('a paid key’s request does not count against its address; an invalid key’s does', async () => {
  const key = await createKey(one, await addPerson(pool, { tier: 'standard' }))
  const from = fresh()
  expect(left(await one.request('/api/public/servers', { headers: from }))).toBe(49)
  for (let n = 0; n < 5; n++) await one.request('/api/public/servers', { headers: { ...from, ...bearer(key) } })
  expect(left(await one.request('/api/public/servers', { headers: from }))).toBe(48)

  const bad = bearer({ key: key.key, secret: 'x'.repeat(43) })
  const refused = await one.request('/api/public/servers', { headers: { ...from, ...bad } })
  expect([refused.status, left(refused)]).toEqual([401, 47])
  expect(refused.headers.get('ratelimit-policy')).toContain('"ip-minute";q=50;w=60')
  expect(left(await one.request('/api/public/servers', { headers: from }))).toBe(46)
})

test('guessing keys ends at the address’ limit; a paid key still works from there', async () => {
  const key = await createKey(one, await addPerson(pool, { tier: 'standard' }))
  const from = fresh()
  const guess = { ...from, ...bearer({ key: key.key, secret: 'y'.repeat(43) }) }
  const statuses: number[] = []
  for (let n = 0; n < 52; n++) statuses.push((await one.request('/api/public/servers', { headers: guess })).status)
  expect(statuses).toEqual([...Array(50).fill(401), 429, 429])
  expect((await one.request('/api/public/servers', { headers: { ...from, ...bearer(key) } })).status).toBe(200)
})
