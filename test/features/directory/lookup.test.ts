// Looking up a thousand servers at once by id or address, and their ranks.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus, putVotes, setDeleted } from './rows-in-database.ts'

const api = await startTestApi()
const { pool } = api.database

interface Body {
  servers: { id: string; rank: number }[]
  missing: string[]
  details: { path: string }[]
}
const getJson = async (path: string) => (await (await api.request(path)).json()) as Body & { rank: number }

async function lookUp(body: unknown, path = '/api/v1/servers/lookup') {
  const response = await api.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}

async function addAt(address: string, gamePort: number, queryPort: number): Promise<string> {
  const id = await insertServer(pool, { name: `${address} ${gamePort}` })
  await pool.query('update servers set ip_address = $2, game_port = $3, query_port = $4 where id = $1', [
    id,
    address,
    gamePort,
    queryPort,
  ])
  return id
}

it('finds by id and by address with game or query port, each once, in the requested order, and names the missing ones', async () => {
  const one = await addAt('203.0.113.7', 7777, 27015)
  const two = await addAt('203.0.113.7', 7779, 27016)
  const named = await addAt('play.example.com', 7777, 27015)
  const gone = await addAt('203.0.113.8', 7777, 27015)
  await setDeleted(pool, gone, true)
  await putStatus(pool, two, { currentPlayers: 5, map: 'TheIsland' })
  await api.directory.refresh()
  const unknown = randomUUID()
  const { status, headers, body } = await lookUp({
    ids: [two.toUpperCase(), unknown, 'no id', gone, two],
    addresses: ['203.0.113.7:27015', '203.0.113.7:7779', 'Play.Example.com:7777', '203.0.113.7:1', '203.0.113.8:7777'],
  })
  expect(status).toBe(200)
  expect(body.servers.map(({ id }) => id)).toEqual([two, one, named])
  expect(body.missing).toEqual([unknown, 'no id', gone, '203.0.113.7:1', '203.0.113.8:7777'])
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('etag')).toBeNull()

  // The same items as the list's, except for rank and score.
  await putVotes(pool, one, 3)
  await api.directory.refresh()
  const [found] = (await getJson('/api/servers?search=203.0.113.7%207777')).servers
  const { rank, score: _score, ...item } = (found ?? {}) as Body['servers'][number] & { score: number }
  expect((await lookUp({ ids: [one] }, '/api/servers/lookup')).body).toEqual({
    servers: [item],
    missing: [],
    remaining: [],
  })
  expect(rank).toBe(1)
})

it('a moved server is found at its new address only, and one that shares its slot with a former one as itself', async () => {
  const id = await addAt('203.0.113.20', 7777, 27015)
  await api.directory.refresh()
  await pool.query(`update servers set ip_address = '203.0.113.21' where id = $1`, [id])
  await api.directory.refresh()
  const moved = await lookUp({ addresses: ['203.0.113.20:7777', '203.0.113.21:7777'] })
  expect(moved.body).toMatchObject({ servers: [{ id }], missing: ['203.0.113.20:7777'] })
  await setDeleted(pool, id, true)
  await api.directory.refresh()
  const next = await addAt('203.0.113.22', 7777, 27015)
  await api.directory.refresh()
  const reused = await lookUp({ addresses: ['203.0.113.21:7777', '203.0.113.22:7777'] })
  expect(reused.body).toMatchObject({ servers: [{ id: next }], missing: ['203.0.113.21:7777'] })
})

it.each([
  [{}, 'body'],
  [{ ids: 'x' }, 'body.ids'],
  [{ addresses: ['203.0.113.7'] }, 'body.addresses.0'],
  [{ addresses: ['203.0.113.7:'] }, 'body.addresses.0'],
  [{ addresses: ['::1:80'] }, 'body.addresses.0'],
  [{ ids: Array(600).fill('a'), addresses: Array(401).fill('1.1.1.1:1') }, 'body'],
])('refuses %o', async (body, path) => {
  const refused = await lookUp(body)
  expect(refused).toMatchObject({ status: 400, body: { error: 'validation_failed' } })
  expect(refused.body.details.map((detail) => detail.path)).toContain(path)
})

it('finds a thousand at once', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => insertServer(pool)))
  await api.directory.refresh()
  const asked = Array.from({ length: 1000 }, (_, n) => ids[n] ?? randomUUID())
  const { status, body } = await lookUp({ ids: asked })
  expect([status, body.servers.length, body.missing.length]).toEqual([200, 20, 980])
})

it('a server’s rank is its place by votes among all, in the list under any filter and in its details', async () => {
  const [low, high] = [await insertServer(pool, { name: 'Rank low' }), await insertServer(pool, { name: 'Rank high' })]
  await putVotes(pool, low, 500)
  await putVotes(pool, high, 900)
  await api.directory.refresh()
  const rankOf = async (id: string) => (await getJson(`/api/servers/${id}`)).rank
  expect([await rankOf(high), await rankOf(low)]).toEqual([1, 2])
  expect((await getJson('/api/servers?search=rank%20&sortBy=totalVotes&sortOrder=asc')).servers).toMatchObject([
    { id: low, rank: 2 },
    { id: high, rank: 1 },
  ])
  // Other servers’ votes change its rank, and its details’ ETag.
  const before = (await api.request(`/api/servers/${low}`)).headers.get('etag')
  await putVotes(pool, high, 100)
  await api.directory.refresh()
  expect([await rankOf(high), await rankOf(low)]).toEqual([2, 1])
  expect((await api.request(`/api/servers/${low}`)).headers.get('etag')).not.toBe(before)
  const publicItem = await getJson(`/api/public/servers/${low}`)
  expect(publicItem).not.toHaveProperty('rank')
})

it('finds an IPv6 address in brackets, in any form', async () => {
  const id = await addAt('2001:db8::7', 7777, 27015)
  await api.directory.refresh()
  const { body } = await lookUp({ addresses: ['[2001:DB8:0:0::7]:27015', '[2001:db8::8]:27015'] })
  expect(body.servers.map((server) => server.id)).toEqual([id])
  expect(body.missing).toEqual(['[2001:db8::8]:27015'])
  expect((await lookUp({ addresses: ['2001:db8::7:27015'] })).status).toBe(400)
})
