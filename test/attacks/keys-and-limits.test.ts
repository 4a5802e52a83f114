// API keys to evade an address' limits: many keys of one account, floods of unknown keys, and guessing passwords.
import { expect, test } from 'vitest'
import { type Client, createClient } from '../support/product-client.ts'
import { openDatabaseOf, type Person, registerAt, startProduct } from '../support/started-product.ts'

interface Key {
  id: string
  key: string
  secret: string
}

const product = await startProduct()
const database = await openDatabaseOf(product)

const PAGE = '/api/public/stats'
const OF_AN_ADDRESS = 100
const OF_A_FREE_ACCOUNT = 10
/** Key look-ups a minute for an address over its limit that has no paid key. */
const LOOK_UPS_BEYOND = 10

async function newKey({ client }: Person): Promise<Key> {
  const { status, body } = await client.post<Key & Record<string, unknown>>('/api/user/api-keys', {
    name: 'One of many',
  })
  expect(status).toBe(201)
  return body
}

/** A client that sends a key from this address. */
function withKey({ key, secret }: Omit<Key, 'id'>, { address }: Client): Client {
  return createClient(product, { authorization: `Bearer ${key}.${secret}`, 'x-forwarded-for': address })
}

const letters = 'abcdefghijklmnopqrstuvwx'
let made = 0
const unknownKey = () => ({
  key: `sd_${letters.slice(0, 18)}${String(++made).padStart(6, '0')}`,
  secret: 'A'.repeat(43),
})

/** @returns the number of responses by status */
async function tally(requests: (() => Promise<{ status: number }>)[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let next = requests.pop(); next; next = requests.pop()) {
        const { status } = await next()
        counts[status] = (counts[status] ?? 0) + 1
      }
    }),
  )
  return counts
}

/** The minutes that have begun since, for a machine on which the attack takes longer than one. */
const minutesSince = (startedAt: number) => 1 + Math.floor((Date.now() - startedAt) / 60_000)

test('fifty free keys of one account get from one address what one key gets', async () => {
  const owner = await registerAt(product)
  const attacker = createClient(product)
  const startedAt = Date.now()
  let passed = 0
  for (const _round of [1, 2]) {
    const keys: Key[] = []
    for (let n = 0; n < 25; n++) keys.push(await newKey(owner))
    const clients = keys.map((key) => withKey(key, attacker))
    const counts = await tally(clients.flatMap((client) => Array.from({ length: 10 }, () => () => client.get(PAGE))))
    passed += counts[200] ?? 0
    expect((counts[200] ?? 0) + (counts[429] ?? 0)).toBe(250)
    // From another address, since the session's requests count, too.
    const headers = { 'x-forwarded-for': createClient(product).address }
    for (const { id } of keys)
      expect((await owner.client.send('DELETE', `/api/user/api-keys/${id}`, { headers })).status).toBe(200)
  }
  expect(passed).toBeGreaterThanOrEqual(OF_A_FREE_ACCOUNT)
  expect(passed).toBeLessThanOrEqual(OF_A_FREE_ACCOUNT * minutesSince(startedAt))
})

test('a thousand free accounts at one address get what one visitor gets', async () => {
  const attacker = createClient(product)
  const keys = await Promise.all(Array.from({ length: 15 }, async () => newKey(await registerAt(product))))
  const startedAt = Date.now()
  const counts = await tally(
    keys.flatMap((key) => Array.from({ length: 10 }, () => () => withKey(key, attacker).get(PAGE))),
  )
  expect(counts[200]).toBeLessThanOrEqual(OF_AN_ADDRESS * minutesSince(startedAt))
  expect(counts[429]).toBeGreaterThan(0)
})

test('a flood of unknown keys is refused without look-ups, and does not lock out a subscriber at the address', async () => {
  const subscriber = await registerAt(product)
  await database.query(`update users set tier = 'standard' where id = $1`, [subscriber.id])
  const attacker = createClient(product)
  const paid = withKey(await newKey(subscriber), attacker)
  expect((await paid.get(PAGE)).status).toBe(200)

  const repeated = withKey(unknownKey(), createClient(product))
  expect((await repeated.get(PAGE)).status).toBe(401)
  const flood = (length: number) => tally(Array.from({ length }, () => () => withKey(unknownKey(), attacker).get(PAGE)))
  expect(await flood(OF_AN_ADDRESS + 2 * LOOK_UPS_BEYOND)).toEqual({ 401: OF_AN_ADDRESS, 429: 2 * LOOK_UPS_BEYOND })

  // A look-up now would wait for this lock.
  const client = await database.connect()
  try {
    await client.query('begin')
    await client.query('lock table api_keys in access exclusive mode')
    expect(await flood(300)).toEqual({ 429: 300 })
    expect((await repeated.get(PAGE)).status).toBe(401)
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect((await paid.get(PAGE)).status).toBe(200)
})

test('no key, whatever its limit, guesses passwords or opens streams beyond its account’s limit', async () => {
  const subscriber = await registerAt(product)
  await database.query(`update users set tier = 'enterprise' where id = $1`, [subscriber.id])
  const keys = [await newKey(subscriber), await newKey(subscriber)]
  const guess = { email: subscriber.email, password: 'a wrong guess' }
  for (const key of keys) {
    const client = withKey(key, createClient(product))
    expect(await client.post('/api/auth/login', guess)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  }

  const abort = new AbortController()
  const open: Response[] = [] // a response that is collected as garbage ends its stream
  async function openStream({ key, secret }: Key, address: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}.${secret}`, 'x-forwarded-for': address }
    const response = await fetch(`${product.url}/api/v1/servers/stream`, { headers, signal: abort.signal })
    open.push(response)
    return response.status
  }
  const statuses: number[] = []
  for (let n = 0; n < 24; n++) statuses.push(await openStream(keys[n % 2] as Key, `198.51.100.${n}`))
  abort.abort()
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(4).fill(429)])
})
