// Comparing up to five servers, with their peaks.
import { beforeAll, expect, it } from 'vitest'
import { rollUpHours } from '../../../src/features/history/index.ts'
import { startTestApi } from '../../support/api.ts'
import { insertSamples } from '../../support/stored-samples.ts'
import { insertServer, putStatus, putUptime, putVotes, setDeleted } from './rows-in-database.ts'

const api = await startTestApi()
const { pool } = api.database
const [a = '', b = '', c = '', d = '', e = '', f = '', gone = ''] = await Promise.all(
  Array.from({ length: 7 }, (_, n) => insertServer(pool, { name: `Server ${n}` })),
)

const sample = (id: string, hoursAgo: number, players: number | null) =>
  insertSamples(pool, {
    serverIds: [id],
    polledAt: new Date(Date.now() - hoursAgo * 3_600_000),
    players: [players],
    maxPlayers: [70],
  })

beforeAll(async () => {
  await sample(a, 23.9, 31)
  await sample(a, 5, 12)
  await sample(a, 1, null)
  await sample(a, 24.1, 60)
  await sample(b, 2, null)
  await sample(c, 2, 0)
  await putStatus(pool, a, { currentPlayers: 12, map: 'TheIsland' })
  await putVotes(pool, c, 7)
  await putUptime(pool, a, 1, 0.99, null)
  await setDeleted(pool, gone, true)
  await api.directory.refresh()
})

const compare = (id: string, query: string, base = '/api') => api.request(`${base}/servers/${id}/compare${query}`)
interface Compared {
  id: string
  peak24h: number | null
}
const compared = async (id: string, others: string[]) => {
  const response = await compare(id, `?with=${others.join(',')}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { servers: Compared[] }).servers
}

it('shows each server’s details and its peak of the last day, in the requested order', async () => {
  const servers = await compared(c, [a, b])
  expect(servers.map(({ id, peak24h }) => [id, peak24h])).toEqual([
    [c, 0],
    [a, 31],
    [b, null],
  ])
  for (const { peak24h, ...detail } of servers)
    expect(detail).toEqual(await (await api.request(`/api/servers/${detail.id}`)).json())
})

it('shows the same peaks when the hours are rolled up', async () => {
  const before = await compared(c, [a, b])
  expect(await rollUpHours(pool, new Date())).not.toEqual([])
  expect(await compared(c, [a, b])).toEqual(before)
})

it('compares with one and with four, ignoring the case of ids, below both base paths', async () => {
  expect((await compared(a, [b])).map(({ id }) => id)).toEqual([a, b])
  expect((await compared(a, [f, e, d, c])).map(({ id }) => id)).toEqual([a, f, e, d, c])
  const upper = await compare(a.toUpperCase(), `?with=%20${b.toUpperCase()}%20`, '/api/v1')
  expect((await upper.json()) as object).toMatchObject({ servers: [{ id: a }, { id: b }] })
})

it.each([
  ['none', ''],
  ['an empty one', '?with='],
  ['an empty one among others', `?with=${b},,${c}`],
  ['five', `?with=${[b, c, d, e, f]}`],
  ['one twice', `?with=${b},${b.toUpperCase()}`],
  ['the server itself', `?with=${b},${a}`],
  ['two lists', `?with=${b}&with=${c}`],
])('refuses %s', async (_what, query) => {
  const response = await compare(a, query)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'validation_failed', details: [{ path: 'with' }] })
})

it.each([
  [a, `${b},${gone}`, gone],
  [a, 'no-id', 'no-id'],
  [gone, a, gone],
])('names the unlisted server', async (id, others, missing) => {
  const response = await compare(id, `?with=${others}`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: 'not_found', message: expect.stringContaining(missing) })
})

it('answers 304 for an unchanged result', async () => {
  const first = await compare(e, `?with=${f}`)
  const again = await api.request(`/api/servers/${e}/compare?with=${f}`, {
    headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})

it('answers 503 when the samples can’t be read', async () => {
  await pool.query('alter table player_history_recent rename to player_history_away')
  try {
    const response = await compare(a, `?with=${b}`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'unavailable' })
  } finally {
    await pool.query('alter table player_history_away rename to player_history_recent')
  }
})
