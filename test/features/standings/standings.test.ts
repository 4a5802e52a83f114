// Standings of months: places that ties share, the month before, and finished months that nothing but
// their votes changes.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { rankVoteMonths } from '../../../src/features/votes/index.ts'
import { archiveVoteMonths } from '../../../src/features/votes/upkeep.service.ts'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus, putVotes, setDeleted } from '../directory/rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const MINUTE = 60_000
let now = NOW
const api = await startTestApi({ clock: () => now })
const { pool } = api.database

interface Reply {
  month: string
  isRunning: boolean
  standings: { place: number; previousPlace: number | null; votes: number; server: { name: string } | null }[]
  pagination: { total: number }
}
const read = async (query = '') => {
  // Pages of finished months are kept for a minute.
  now += 2 * MINUTE
  await api.directory.refresh()
  const response = await api.request(`/api/standings${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Reply
}
const lines = ({ standings }: Reply) =>
  standings.map(({ place, previousPlace, votes, server }) => `${place} (${previousPlace}) ${server?.name} ${votes}`)

const ids: Record<string, string> = {}
const archive = (name: string, month: string, votes: number) =>
  pool.query(
    `insert into server_vote_months (server_id, month, votes) values ($1, $2, $3)
     on conflict (server_id, month) do update set votes = server_vote_months.votes + excluded.votes`,
    [ids[name], month, votes],
  )
const rank = () => rankVoteMonths(pool, new Date(NOW))

beforeAll(async () => {
  for (const [day, name] of ['Anna', 'Bert', 'Cleo', 'Dora'].entries()) {
    const createdAt = new Date(Date.UTC(2026, 0, 1 + day))
    ids[name] = await insertServer(pool, { name, game: name === 'Cleo' ? 'rust' : 'ase', createdAt })
    await putStatus(pool, ids[name], { isOnline: true })
  }
  await putVotes(pool, ids.Anna ?? '', 30, 5)
  await putVotes(pool, ids.Bert ?? '', 20, 9)
  await putVotes(pool, ids.Cleo ?? '', 20, 5)
  await putVotes(pool, ids.Dora ?? '', 20, 0)
  await archive('Anna', '2026-10-01', 40)
  await archive('Bert', '2026-10-01', 7)
  await archive('Cleo', '2026-10-01', 7)
  await archive('Dora', '2026-10-01', 3)
  await archive('Cleo', '2026-09-01', 2)
  await rank()
})

describe('the running month', () => {
  it('is in the order of its votes, where ties share a place, against the month before', async () => {
    const reply = await read()
    expect(reply).toMatchObject({ month: '2026-11', isRunning: true, pagination: { total: 3 } })
    expect(lines(reply)).toEqual(['1 (2) Bert 9', '2 (1) Anna 5', '2 (2) Cleo 5'])
    expect(lines(await read('?game=ase'))).toEqual(['1 (2) Bert 9', '2 (1) Anna 5'])
    expect(lines(await read('?game=rust&month=2026-11'))).toEqual(['1 (1) Cleo 5'])
    expect(lines(await read('?limit=1&page=3'))).toEqual(['2 (2) Cleo 5'])
  })
})

/** @returns `name: place (place in the month before)` */
const placesIn = async (query: string) => {
  now += 2 * MINUTE // a month without places is looked for once a minute
  await api.directory.refresh()
  const response = await api.request(`/api/servers?fields=name,standing&sortBy=name${query}`)
  const { servers } = (await response.json()) as {
    servers: { name: string; standing: { month: string; place: number | null; previousPlace: number | null } }[]
  }
  return servers.map(({ name, standing }) => `${name}: ${standing.place} (${standing.previousPlace})`)
}

describe('a list of servers', () => {
  it('has the places of the running month and of the one before, among all or those of the one game it is of', async () => {
    await expect.poll(() => placesIn('')).toEqual(['Anna: 2 (1)', 'Bert: 1 (2)', 'Cleo: 2 (2)', 'Dora: null (4)'])
    expect(await placesIn('&game=ase')).toEqual(['Anna: 2 (1)', 'Bert: 1 (2)', 'Dora: null (3)'])
    expect(await placesIn('&game=rust')).toEqual(['Cleo: 1 (1)'])
    expect(await placesIn('&game=rust,ase&limit=1&page=3')).toEqual(['Cleo: 2 (2)'])
  })

  it('has no places unless they are selected', async () => {
    const { servers } = (await (await api.request('/api/servers')).json()) as { servers: object[] }
    for (const server of servers) expect(server).not.toHaveProperty('standing')
  })

  it('shows the month’s votes, the place and its change in each row of the site', async () => {
    const page = await (await fetch(`${api.url}/?game=ase`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('9 votes in November 2026, place 1, 1 place up')
    expect(page).toContain('5 votes in November 2026, place 2, 1 place down')
    expect(page).not.toContain('0 votes in November')
  })
})

describe('a finished month', () => {
  it('has places that ties share, among all servers and those of a game', async () => {
    const reply = await read('?month=2026-10')
    expect(reply.isRunning).toBe(false)
    expect(lines(reply).sort()).toEqual(['1 (null) Anna 40', '2 (1) Cleo 7', '2 (null) Bert 7', '4 (null) Dora 3'])
    expect(lines(await read('?month=2026-10&game=ase'))).toEqual([
      '1 (null) Anna 40',
      '2 (null) Bert 7',
      '3 (null) Dora 3',
    ])
    expect(lines(await read('?month=2026-10&limit=2&page=2')).at(-1)).toBe('4 (null) Dora 3')
  })

  it('stays when a server changes its game, gets votes, or leaves the directory', async () => {
    await pool.query(`update servers set game = 'rust' where id = $1`, [ids.Bert])
    await putVotes(pool, ids.Dora ?? '', 999, 999)
    await setDeleted(pool, ids.Anna ?? '', true)
    expect(await rank()).toEqual([])
    expect(lines(await read('?month=2026-10&game=ase'))).toEqual([
      '1 (null) undefined 40',
      '2 (null) Bert 7',
      '3 (null) Dora 3',
    ])
    await pool.query(`update servers set game = 'ase' where id = $1`, [ids.Bert])
    await setDeleted(pool, ids.Anna ?? '', false)
  })

  it('is ranked again when its own votes change, and only then', async () => {
    await archive('Dora', '2026-10-01', 10)
    expect(await rank()).toEqual(['2026-10-01'])
    expect(lines(await read('?month=2026-10')).slice(0, 2)).toEqual(['1 (null) Anna 40', '2 (null) Dora 13'])
    expect(await rank()).toEqual([])
  })

  it('leaves out a server whose votes were all voided, before and after it is ranked again', async () => {
    const change = (votes: number) =>
      pool.query(`update server_vote_months set votes = $2 where server_id = $1 and month = '2026-10-01'`, [
        ids.Anna,
        votes,
      ])
    for (const isKnownAsRanked of [true, false]) {
      if (isKnownAsRanked) await read('?month=2026-10')
      await change(0)
      if (isKnownAsRanked) now -= 2 * MINUTE
      const reply = await read('?month=2026-10&limit=99')
      expect(lines(reply)[0]).toBe(`${isKnownAsRanked ? 2 : 1} (null) Dora 13`)
      expect(reply.pagination.total).toBe(3)
      await change(40)
      await rank()
    }
    await change(0)
    await rank()
    expect(lines(await read('?month=2026-10'))[0]).toBe('1 (null) Dora 13')
    await change(40)
    await rank()
  })

  it('follows from the counters when it ends, once for any number of workers, with the games of its end', async () => {
    const end = new Date('2026-12-01T00:00:05Z')
    await putVotes(pool, ids.Dora ?? '', 20, 0)
    await Promise.all([1, 2, 3].map(() => archiveVoteMonths(pool, { now: end })))
    await Promise.all([1, 2, 3].map(() => rankVoteMonths(pool, end)))
    const { rows } = await pool.query(
      `select name, votes, place, place_in_game, server_vote_months.game from server_vote_months join servers on id = server_id
       where month = '2026-11-01' order by place, name`,
    )
    expect(
      rows.map(({ name, votes, place, place_in_game, game }) => [name, votes, place, place_in_game, game]),
    ).toEqual([
      ['Bert', 9, 1, 1, 'ase'],
      ['Anna', 5, 2, 2, 'ase'],
      ['Cleo', 5, 2, 1, 'rust'],
    ])
  })
})

it('a server shows its best places first', async () => {
  const response = await api.request(`/api/servers/${ids.Cleo}/standings`)
  const { standings } = (await response.json()) as { standings: object[] }
  expect(standings).toEqual([
    { month: '2026-09', votes: 2, place: 1, placeInGame: 1 },
    { month: '2026-11', votes: 5, place: 2, placeInGame: 1 },
    { month: '2026-10', votes: 7, place: 3, placeInGame: 1 },
  ])
  expect((await api.request('/api/servers/nonsense/standings')).status).toBe(404)
})

it('a month that is none, and a game that is none, are refused; a month to come is empty', async () => {
  for (const query of ['?month=2026-13', '?month=November', '?game=chess'])
    expect((await api.request(`/api/standings${query}`)).status).toBe(400)
  expect(lines(await read('?month=2099-01'))).toEqual([])
  expect(lines(await read('?month=0001-01'))).toEqual([])
})

it('any number of finished months cost one reading of all counters a minute', async () => {
  now += 2 * MINUTE
  await api.directory.refresh()
  const query = vi.spyOn(api.deps.pool, 'query')
  for (let year = 2001; year < 2006; year++) await api.request(`/api/standings?month=${year}-01`)
  const texts = query.mock.calls.map(([statement]) => (typeof statement === 'string' ? statement : statement.text))
  query.mockRestore()
  expect(texts.filter((text) => text.includes('server_counters'))).toHaveLength(1)
})

it('a server of two editions has its places under its own game only', async () => {
  ids.Eddi = await insertServer(pool, { name: 'Eddi', game: 'minecraft' })
  await pool.query(`update servers set bedrock_address = 'b.example', bedrock_port = 19132 where id = $1`, [ids.Eddi])
  await putStatus(pool, ids.Eddi)
  await putVotes(pool, ids.Eddi, 1, 1)
  await archive('Eddi', '2026-10-01', 1)
  await rank()
  now += 60 * MINUTE // places of the month before are read once an hour
  await expect.poll(() => placesIn('&game=minecraft')).toEqual(['Eddi: 1 (1)'])
  expect(await placesIn('&game=mbe')).toEqual(['Eddi: null (null)'])
})

describe('the pages', () => {
  const text = async (path: string, language = 'en') => {
    const reply = await fetch(api.url + path, { headers: { accept: 'text/html', 'accept-language': language } })
    return `${reply.status} ${await reply.text()}`
  }

  it('show a month of all games and of one, in the visitor’s language, with links to the months around it', async () => {
    const page = await text('/top/2026-10')
    expect(page).toContain('<h1>Best of October 2026</h1>')
    expect(page).toContain('href="/top/2026-09"')
    expect(page).toMatch(/<a href="\/servers\/anna-[0-9a-f]{12}" dir="auto">Anna<\/a>/)
    expect(await text('/games/rust/top/2026-10', 'de')).toContain('<h1>Rust: die Besten im Oktober 2026</h1>')
    expect(await text('/games/rust/top/2026-10')).not.toContain('>Anna<')
  })

  it('are 404 for what is no month or game', async () => {
    expect(await text('/top/2000-01')).not.toContain('/top/1999-12')
    for (const path of ['/top/2026-13', '/top/now', '/games/chess/top/2026-10', '/top/2099-01'])
      expect((await text(path)).slice(0, 3)).toBe('404')
  })
})
