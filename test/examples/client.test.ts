// Runs the example client as a process against a real API.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ApiError, createClient } from '../../examples/client/client.ts'
import { createMirror } from '../../examples/client/mirror.ts'
import { removeServerAndNotify } from '../../src/features/server-removal/index.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { startTestApi } from '../support/api.ts'
import { runExample } from './running.ts'

const api = await startTestApi()
const { pool } = api.database
const client = createClient({ baseUrl: api.url })

/** Lists an online server. */
async function list(name: string): Promise<string> {
  const { id } = await createServers({ pool }).add({ name, ipAddress: '192.0.2.1', gamePort: 7777, queryPort: ++port })
  await pool.query(
    `update server_status set is_online = true, current_players = 3, max_players = 20, map = 'TheIsland',
       last_polled_at = now(), fresh_until = now() + interval '1 hour' where server_id = $1`,
    [id],
  )
  await api.directory.refresh()
  return id
}
let port = 20_000

/** Forwards reads to the API, or answers them with a page of its own. */
async function startBalancer(to: string, status = 502) {
  let left = Number.POSITIVE_INFINITY
  let refusals = 0
  const server = createServer(async (req, res) => {
    if (left-- <= 0) {
      refusals++
      res.writeHead(status, { 'content-type': 'text/html', 'retry-after': '1' }).end('<h1>No server is available</h1>')
      return
    }
    const answer = await fetch(to + req.url)
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuseAfter: (requests: number) => {
      left = requests
    },
    refusals: () => refusals,
  }
}

test('the walk shows the list and a server, votes once, sees the cooldown, and follows changes', async () => {
  const id = await list('An island')
  const walk = runExample('examples/client/main.ts', ['--base-url', api.url])
  const lines = (count: number) => expect.poll(walk.lines).toHaveLength(count)
  await lines(6)
  expect(walk.lines()).toEqual([
    '1 servers are online; the first 1:',
    '  An island 3/20',
    'An island: TheIsland, 0 votes',
    expect.stringMatching(/^the first vote: .+ The next one is possible from 20\S+Z\.$/),
    expect.stringMatching(/^the second vote: .+/),
    'following 1 servers; press Ctrl-C to stop',
  ])
  await expect.poll(async () => (await client.get('/servers/{id}', { path: { id } })).totalVotes).toBe(1)
  const lastLine = () => walk.lines().at(-1)
  const other = await list('Another island')
  await expect.poll(lastLine).toMatch(/^\d changed: 2 of 2 online, 6 players$/)
  await removeServerAndNotify(pool, other)
  await expect.poll(lastLine).toMatch(/^\d changed: 1 of 1 online, 3 players$/)
  walk.child.kill('SIGINT')
  expect(await walk.ended).toBe(0)
})

test('a mirror ends with exactly the list', async () => {
  const mirror = createMirror(client)
  await mirror.catchUp()
  const gone = await list('Gone')
  for (let n = 0; n < 5; n++) await list(`Island ${n}`)
  await mirror.catchUp()
  await removeServerAndNotify(pool, gone)
  await pool.query('update server_status set current_players = 7')
  await api.directory.refresh()
  await mirror.catchUp()
  const { servers } = await client.get('/servers', { query: { limit: 100 } })
  const byId = (a: { id?: string | undefined }, b: { id?: string | undefined }) => (`${a.id}` < `${b.id}` ? -1 : 1)
  expect(mirror.servers().has(gone)).toBe(false)
  expect([...mirror.servers().values()].sort(byId)).toMatchObject(
    servers.map(({ id, name, currentPlayers }) => ({ id, name, currentPlayers })).sort(byId),
  )
  expect(await mirror.catchUp()).toBe(0)
})

test('a mirror starts again when the directory no longer knows its position', async () => {
  const balancer = await startBalancer(api.url)
  const mirror = createMirror(createClient({ baseUrl: balancer.url }))
  const gone = await list('Of an earlier time')
  await mirror.catchUp()
  const listed = mirror.servers().size
  await pool.query('delete from servers where id = $1', [gone]) // so that no change reports it
  await pool.query('vacuum full servers') // as after a restored backup: the table's file is another one
  await list('Listed afterwards')
  balancer.refuseAfter(1)
  await expect(mirror.catchUp()).rejects.toMatchObject({ name: 'ApiError', status: 502, code: 'http_502' })
  expect(mirror.servers().size).toBe(listed) // the old copy, not an empty one
  balancer.refuseAfter(Number.POSITIVE_INFINITY)
  expect(await mirror.catchUp()).toBe(listed)
  expect([...mirror.servers().values()].map(({ name }) => name)).toContain('Listed afterwards')
  expect(mirror.servers().has(gone)).toBe(false)
})

test('an error of the API has its status, code and fields', async () => {
  const missing = client.get('/servers/{id}', { path: { id: randomUUID() } })
  await expect(missing).rejects.toMatchObject({ name: 'ApiError', status: 404, code: 'not_found' })
  const id = await list('Another island')
  const vote = () => client.post('/servers/{id}/vote', { path: { id }, body: { visitorId: 'a visitor of the test' } })
  await vote()
  const again = await vote().catch((error: unknown) => error)
  expect(again).toBeInstanceOf(ApiError)
  expect(again).toMatchObject({ status: 429, code: 'vote_cooldown', fields: { cooldownRemaining: expect.any(Number) } })
})

test('a path parameter stays one segment, whatever it contains', async () => {
  await expect(client.get('/servers/{id}', { path: { id: '../user/profile?x=' } })).rejects.toMatchObject({
    status: 404,
  })
})

test('a read is repeated when a balancer has no process to ask, whose answer is no JSON', async () => {
  const balancer = await startBalancer(api.url, 503)
  balancer.refuseAfter(0)
  const reading = createClient({ baseUrl: balancer.url }).get('/public/stats')
  await expect.poll(balancer.refusals).toBe(1)
  balancer.refuseAfter(Number.POSITIVE_INFINITY)
  expect(await reading).toMatchObject({ totalServers: expect.any(Number) })
})

test('reads wait for a limit to reset, writes do not', async () => {
  const limited = await startTestApi({ database: api.database, settings: { RATE_LIMIT_IP_PER_MINUTE: '1' } })
  const withoutRetries = createClient({ baseUrl: limited.url })
  await withoutRetries.get('/public/stats')
  await expect(
    withoutRetries.post('/contact', { body: { name: 'N', email: 'n@example.com', message: 'M' } }),
  ).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
})

test('the types know paths, parameters, bodies and replies', () => {
  // Never runs: an accepted mistake fails the type check, because its expectation is unused.
  const mistakes = async () => {
    // @ts-expect-error unknown path
    await client.get('/server')
    // @ts-expect-error unknown method of the path
    await client.delete('/public/stats')
    // @ts-expect-error missing id
    await client.get('/servers/{id}')
    // @ts-expect-error missing visitorId
    await client.post('/servers/{id}/vote', { path: { id: 'x' }, body: {} })
    // @ts-expect-error unknown order
    await client.get('/servers', { query: { sortBy: 'colour' } })
    const { pagination } = await client.get('/servers')
    // @ts-expect-error unknown field
    return pagination.pages
  }
  expect(mistakes).toBeTypeOf('function')
})
