// The lists, a server's details and the statistics over HTTP: fields, filters, orders, ETags, and 503 when out of date.
import { request as httpRequest } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { type GivenServer, type GivenStatus, insertServer, putStatus, putUptime, putVotes } from './rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
let now = NOW
const api = await startTestApi({ clock: () => now })
const { pool } = api.database

const ids = new Map<string, string>()
async function add(name: string, given: GivenServer, status?: GivenStatus, votes?: [total: number, monthly: number]) {
  const id = await insertServer(pool, { name, ...given })
  if (status) await putStatus(pool, id, status)
  if (votes) await putVotes(pool, id, ...votes)
  ids.set(name, id)
}
const idOf = (name: string) => ids.get(name) ?? ''
const days = (n: number) => new Date(NOW - n * 86_400_000)

beforeAll(async () => {
  await add(
    'Alpha Island',
    {
      gameMode: 'PvP',
      region: 'EU',
      tags: ['pvp', 'Weekly'],
      rates: 'xp:5, taming:10,harvest:3',
      lastWipeAt: days(6),
      createdAt: days(30),
      description: 'The "first"\nof all',
      isVerified: true,
      isFeatured: true,
      mods: 'one,two',
      website: 'https://alpha.example/',
      chatUrl: 'https://chat.example/alpha',
      bannerUrl: 'https://alpha.example/banner.png',
    },
    {
      currentPlayers: 12,
      map: 'TheIsland',
      version: '358.24',
      consecutiveFailures: 0,
      lastPolledAt: new Date(NOW - 10_000),
      queryMs: 41,
      freshUntil: new Date(NOW + 60_000),
    },
    [100, 5],
  )
  await add(
    'Beta Öde',
    { gameMode: 'PvE', region: 'EU', tags: ['pvp'], rates: 'XP:2', lastWipeAt: days(8), createdAt: days(20) },
    {
      currentPlayers: 40,
      map: 'Ragnarok',
      country: 'DE',
      lastPolledAt: new Date(NOW - 400_000),
      freshUntil: new Date(NOW - 300_000),
    },
    [50, 9],
  )
  await add(
    'Gamma island',
    { gameMode: 'PvPvE', region: 'Asia', tags: ['weekly'], rates: 'harvest:20', createdAt: days(10) },
    { isOnline: false, map: 'TheIsland', country: 'JP', consecutiveFailures: 3 },
    [50, 0],
  )
  await add('Delta', { game: 'rust', createdAt: days(5) }, { isOnline: false, maxPlayers: 0, country: 'AT' })
  await putUptime(pool, idOf('Alpha Island'), 1, 0.9983, null)
  await putUptime(pool, idOf('Beta Öde'), 1, 1, 0.95)
  await pool.query(
    `insert into vote_cooldowns (server_id, visitor_id, last_voted_at) values ($1, 'visitor-of-the-test', now())`,
    [idOf('Gamma island')],
  )
  await api.directory.refresh()
})

interface Page {
  servers: Record<string, unknown>[]
  pagination: Record<string, number>
}
const getPage = async (query: string): Promise<Page> =>
  (await api.request(`/api/servers${query}`)).json() as Promise<Page>
const names = async (query: string) => (await getPage(query)).servers.map(({ name }) => name)

describe('GET /api/public/servers', () => {
  it('lists summaries, most votes first, the oldest of equal ones first', async () => {
    const response = await api.request('/api/public/servers')
    const { servers, pagination } = (await response.json()) as Page
    expect(servers.map(({ name }) => name)).toEqual(['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta'])
    expect(pagination).toEqual({ page: 1, limit: 20, total: 4, totalPages: 1 })
    expect(servers[0]).toEqual({
      id: idOf('Alpha Island'),
      name: 'Alpha Island',
      ipAddress: expect.stringMatching(/^198\.18\./),
      gamePort: 7777,
      currentPlayers: 12,
      maxPlayers: 70,
      isOnline: true,
      map: 'TheIsland',
      description: 'The "first"\nof all',
      totalVotes: 100,
      createdAt: '2026-10-21T12:00:00.000Z',
    })
    expect(servers[3]).toMatchObject({
      name: 'Delta',
      currentPlayers: 0,
      maxPlayers: 0,
      isOnline: false,
      map: '',
      totalVotes: 0,
    })
  })

  it('finds by part of the name and by map, ignoring case', async () => {
    const found = async (query: string) => {
      const { servers } = (await (await api.request(`/api/public/servers?${query}`)).json()) as Page
      return servers.map(({ name }) => name)
    }
    expect(await found('search=ISLAND')).toEqual(['Alpha Island', 'Gamma island'])
    expect(await found(`search=${encodeURIComponent('öDE')}`)).toEqual(['Beta Öde'])
    expect(await found('map=theisland')).toEqual(['Alpha Island', 'Gamma island'])
    expect(await found('map=Island')).toEqual([])
    expect(await found('search=island&map=theisland&limit=1&page=2')).toEqual(['Gamma island'])
    expect(await found('search=&map=')).toHaveLength(4)
    expect(await found('search=%25')).toEqual([])
  })
})

describe('GET /api/servers', () => {
  it('has the fields of the full list', async () => {
    const { servers } = await getPage('')
    expect(servers[0]).toEqual({
      id: idOf('Alpha Island'),
      name: 'Alpha Island',
      ipAddress: expect.any(String),
      gamePort: 7777,
      currentPlayers: 12,
      maxPlayers: 70,
      isOnline: true,
      map: 'TheIsland',
      description: 'The "first"\nof all',
      totalVotes: 100,
      createdAt: '2026-10-21T12:00:00.000Z',
      game: 'ase',
      gameName: 'Ark: Survival Evolved',
      gameMode: 'PvP',
      country: '',
      region: 'EU',
      isRegionDerived: false,
      tags: 'pvp,Weekly',
      rates: 'xp:5, taming:10,harvest:3',
      monthlyVotes: 5,
      lastWipeAt: '2026-11-14T12:00:00.000Z',
      nextWipeAt: null,
      isFeatured: true,
      isVerified: true,
      isClaimed: false,
      source: 'import',
      bannerUrl: 'https://alpha.example/banner.png',
      motd: '',
      score: expect.any(Number),
      lastPolledAt: '2026-11-20T11:59:50.000Z',
      isStale: false,
      queryMs: 41,
      connectAddress: expect.stringMatching(/^[\d.]+:7777$/),
      joinUrl: expect.stringMatching(/^steam:/),
      iconUrl: null,
      logoUrl: null,
      currentBots: 0,
      hasPassword: null,
      rank: 1,
    })
    expect(servers[1]).toMatchObject({ name: 'Beta Öde', isStale: true })
    expect(servers[3]).toMatchObject({
      gameMode: '',
      country: 'AT',
      region: 'Europe',
      isRegionDerived: true,
      tags: '',
      rates: '',
      monthlyVotes: 0,
      lastWipeAt: null,
      nextWipeAt: null,
    })
    expect(servers[3]).toMatchObject({ lastPolledAt: null, isStale: true, isFeatured: false, isVerified: false })
  })

  // One row for each filter and sort field.
  it.each([
    ['game=rust', ['Delta']],
    ['game=minecraft,rust,rust', ['Delta']],
    ['game=ase,rust&limit=3', ['Alpha Island', 'Beta Öde', 'Gamma island']],
    ['game=', ['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta']],
    ['country=DE,AT', ['Beta Öde', 'Delta']],
    ['country=jp', ['Gamma island']],
    ['country=US', []],
    ['region=EUROPE', ['Delta']],
    ['gameMode=PvE', ['Beta Öde']],
    ['gameMode=PvPvE', ['Gamma island']],
    ['map=THEISLAND', ['Alpha Island', 'Gamma island']],
    ['region=eu', ['Alpha Island', 'Beta Öde']],
    ['tags=PVP', ['Alpha Island', 'Beta Öde']],
    ['tags=pvp,%20weekly', ['Alpha Island']],
    ['tags=pvp,missing', []],
    ['tags=,', ['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta']],
    ['onlineOnly=true', ['Alpha Island', 'Beta Öde']],
    ['onlineOnly=false', ['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta']],
    ['justWiped=true', ['Alpha Island']],
    ['justWiped=false', ['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta']],
    ['minMultiplier=6', ['Alpha Island', 'Gamma island']],
    ['maxMultiplier=2', ['Beta Öde']],
    ['minMultiplier=3&maxMultiplier=4.5', ['Alpha Island']],
    ['minMultiplier=11&maxMultiplier=19.9', []],
    ['minMultiplier=0.30000000000000004&maxMultiplier=2', ['Beta Öde']],
    ['sortBy=totalVotes&sortOrder=asc', ['Delta', 'Beta Öde', 'Gamma island', 'Alpha Island']],
    ['sortBy=monthlyVotes', ['Beta Öde', 'Alpha Island', 'Gamma island', 'Delta']],
    ['sortBy=currentPlayers&sortOrder=desc', ['Beta Öde', 'Alpha Island', 'Gamma island', 'Delta']],
    ['sortBy=createdAt', ['Delta', 'Gamma island', 'Beta Öde', 'Alpha Island']],
    ['sortBy=createdAt&sortOrder=asc', ['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta']],
    ['minPlayers=12', ['Alpha Island', 'Beta Öde']],
    ['minPlayers=1&maxPlayers=12', ['Alpha Island']],
    ['maxPlayers=0', ['Gamma island', 'Delta']],
    ['hasFreeSlots=true', ['Alpha Island', 'Beta Öde']],
    ['notEmpty=true', ['Alpha Island', 'Beta Öde']],
    ['notEmpty=false&isVerified=false&hasFreeSlots=false&limit=1', ['Alpha Island']],
    ['isVerified=true', ['Alpha Island']],
    ['isFeatured=true', ['Alpha Island']],
    ['version=358.24', ['Alpha Island']],
    ['version=none', []],
    ['minUptime=0.9', ['Beta Öde']],
    ['minUptime=1', []],
    ['wipedWithinDays=8', ['Alpha Island', 'Beta Öde']],
    ['wipedWithinDays=6', ['Alpha Island']],
    ['wipedWithinDays=3650&justWiped=true', ['Alpha Island']],
    ['createdWithinDays=10', ['Gamma island', 'Delta']],
    ['sortBy=name', ['Alpha Island', 'Beta Öde', 'Delta', 'Gamma island']],
    ['sortBy=name&sortOrder=desc', ['Gamma island', 'Delta', 'Beta Öde', 'Alpha Island']],
    ['sortBy=uptime&limit=1', ['Beta Öde']],
    ['sortBy=uptime&sortOrder=asc&limit=1', ['Beta Öde']],
    ['sortBy=lastWipeAt', ['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta']],
    ['sortBy=lastWipeAt&sortOrder=asc', ['Beta Öde', 'Alpha Island', 'Gamma island', 'Delta']],
    ['sortBy=recentVotes&limit=2', ['Gamma island', 'Alpha Island']],
    ['sortBy=rank', ['Alpha Island', 'Beta Öde', 'Gamma island', 'Delta']],
    ['sortBy=rank&sortOrder=desc', ['Delta', 'Gamma island', 'Beta Öde', 'Alpha Island']],
    ['limit=2', ['Alpha Island', 'Beta Öde']],
    ['limit=2&page=2', ['Gamma island', 'Delta']],
    ['search=island&onlineOnly=true&region=EU&gameMode=PvP&minMultiplier=1', ['Alpha Island']],
    ['onlineOnly=True', ['Alpha Island', 'Beta Öde']],
  ])('%s', async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected)
  })

  it('a random order is the same over all pages, and each seed has its own', async () => {
    const orderOf = async (seed: string) => {
      const pages = [1, 2, 3, 4].map((page) => names(`?sortBy=random&seed=${seed}&limit=1&page=${page}`))
      return (await Promise.all(pages)).flat()
    }
    const orders = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(orderOf))
    for (const order of orders) expect([...order].sort()).toEqual(['Alpha Island', 'Beta Öde', 'Delta', 'Gamma island'])
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1)
    expect(await names('?sortBy=random&seed=a')).toEqual(orders[0])
  })

  it('a page past the end is empty and has the right totals', async () => {
    expect(await getPage('?limit=3&page=1000000000')).toEqual({
      servers: [],
      pagination: { page: 1_000_000_000, limit: 3, total: 4, totalPages: 2 },
      nextCursor: null,
      ignoredWords: [],
    })
    expect((await getPage('?search=nothing-like-it')).pagination).toEqual({
      page: 1,
      limit: 20,
      total: 0,
      totalPages: 0,
    })
  })
})

describe('validation', () => {
  it.each([
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.5', 'limit'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=abc', 'page'],
    ['page=1000000001', 'page'],
    ['page=1&page=2', 'page'],
    ['search=a&search=b', 'search'],
    [`search=${'x'.repeat(101)}`, 'search'],
    [`map=${'x'.repeat(201)}`, 'map'],
  ])('both lists refuse %s', async (query, path) => {
    for (const list of ['/api/public/servers', '/api/servers']) {
      const response = await api.request(`${list}?${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'validation_failed', details: [{ path }] })
    }
  })

  it.each([
    ['sortOrder=up', 'sortOrder'],
    ['sortBy=players', 'sortBy'],
    ['sortBy=random', 'seed'],
    ['minPlayers=-1', 'minPlayers'],
    ['minPlayers=5&maxPlayers=4', 'minPlayers'],
    ['minUptime=1.5', 'minUptime'],
    ['minUptime=99', 'minUptime'],
    ['hasFreeSlots=1', 'hasFreeSlots'],
    ['isVerified=yes', 'isVerified'],
    ['wipedWithinDays=0', 'wipedWithinDays'],
    ['createdWithinDays=x', 'createdWithinDays'],
    ['game=ase,minecarft', 'game'],
    ['country=DE,XX', 'country'],
    ['country=Germany', 'country'],
    ['gameMode=pvp', 'gameMode'],
    ['gameMode=', 'gameMode'],
    ['onlineOnly=yes', 'onlineOnly'],
    ['justWiped=1', 'justWiped'],
    ['minMultiplier=-1', 'minMultiplier'],
    ['minMultiplier=Infinity', 'minMultiplier'],
    ['minMultiplier=1000000000.5', 'minMultiplier'],
    ['maxMultiplier=x', 'maxMultiplier'],
    ['minMultiplier=3&maxMultiplier=2', 'minMultiplier'],
    ['tags=a&tags=b', 'tags'],
    [`region=${'x'.repeat(51)}`, 'region'],
  ])('the full list refuses %s', async (query, path) => {
    const response = await api.request(`/api/servers?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'validation_failed', details: [{ path }] })
  })
})

describe('one server', () => {
  it('GET /api/public/servers/:id shows exactly the server detail', async () => {
    const response = await api.request(`/api/public/servers/${idOf('Alpha Island')}`)
    expect(await response.json()).toEqual({
      id: idOf('Alpha Island'),
      name: 'Alpha Island',
      ipAddress: expect.any(String),
      gamePort: 7777,
      currentPlayers: 12,
      maxPlayers: 70,
      isOnline: true,
      map: 'TheIsland',
      description: 'The "first"\nof all',
      totalVotes: 100,
      createdAt: '2026-10-21T12:00:00.000Z',
      queryPort: 27015,
      rates: 'xp:5, taming:10,harvest:3',
      mods: 'one,two',
      chatUrl: 'https://chat.example/alpha',
      website: 'https://alpha.example/',
      version: '358.24',
      updatedAt: '2026-10-21T12:00:00.000Z',
    })
  })

  it('GET /api/servers/:id has the list’s fields, too, and the poll results', async () => {
    const shown = await (await api.request(`/api/servers/${idOf('Alpha Island')}`)).json()
    const [item] = (await getPage('?limit=1')).servers
    const publicly = await (await api.request(`/api/public/servers/${idOf('Alpha Island')}`)).json()
    expect(shown).toEqual({
      ...item,
      ...(publicly as object),
      bannerUrl: 'https://alpha.example/banner.png',
      bannerImageUrl: null,
      motd: '',
      motdFormatted: '',
      selfReported: [],
      editions: null,
      consecutiveFailures: 0,
      uptime: { day: 1, week: 0.9983, month: null },
    })
    const delta = await (await api.request(`/api/servers/${idOf('Delta')}`)).json()
    expect(delta).toMatchObject({ version: '', website: '', uptime: { day: null, week: null, month: null } })
  })

  it('an unknown id and a malformed one are 404', async () => {
    for (const id of ['0197a000-0000-7000-8000-000000000000', 'abc', '%F0%9F%A6%96', idOf('Delta').slice(1), '1;drop'])
      for (const path of ['/api/public/servers', '/api/servers']) {
        const response = await api.request(`${path}/${id}`)
        expect(response.status).toBe(404)
        expect(await response.json()).toMatchObject({ error: 'not_found' })
      }
  })
})

describe('GET /api/servers/facets', () => {
  const facets = async (query = '') =>
    (await (await api.request(`/api/servers/facets${query}`)).json()) as Record<
      string,
      { value: string; servers: number }[]
    >

  it('counts servers by each facet', async () => {
    expect(await facets()).toEqual({
      game: [
        { value: 'ase', servers: 3, name: 'Ark: Survival Evolved' },
        { value: 'rust', servers: 1, name: 'Rust' },
      ],
      map: [
        { value: 'TheIsland', servers: 2 },
        { value: 'Ragnarok', servers: 1 },
      ],
      region: [
        { value: 'EU', servers: 2 },
        { value: 'Asia', servers: 1 },
        { value: 'Europe', servers: 1 },
      ],
      country: [
        { value: 'AT', servers: 1 },
        { value: 'DE', servers: 1 },
        { value: 'JP', servers: 1 },
      ],
      gameMode: [
        { value: 'PvE', servers: 1 },
        { value: 'PvP', servers: 1 },
        { value: 'PvPvE', servers: 1 },
      ],
      tags: [
        { value: 'pvp', servers: 2 },
        { value: 'Weekly', servers: 2 },
      ],
      isClaimed: [{ value: 'false', servers: 4 }],
    })
  })

  it('counts each facet without the filter by itself, and the others with it', async () => {
    const { game, country } = await facets('?game=rust')
    expect(game?.map(({ value }) => value)).toEqual(['ase', 'rust'])
    expect(country).toEqual([{ value: 'AT', servers: 1 }])
    const { map, tags } = await facets('?map=theisland&onlineOnly=true')
    expect(map).toEqual([
      { value: 'Ragnarok', servers: 1 },
      { value: 'TheIsland', servers: 1 },
    ])
    expect(tags?.map(({ servers }) => servers)).toEqual([1, 1])
  })

  it('takes the filters of the list, and refuses what the list refuses', async () => {
    expect(await facets('?minPlayers=100')).toEqual(
      Object.fromEntries(
        ['game', 'map', 'region', 'country', 'gameMode', 'tags', 'isClaimed'].map((name) => [name, []]),
      ),
    )
    for (const bad of ['game=minecarft', 'minPlayers=2&maxPlayers=1', 'country=XX'])
      expect((await api.request(`/api/servers/facets?${bad}`)).status).toBe(400)
  })
})

describe('GET /api/games', () => {
  const games = async (query = '') =>
    ((await (await api.request(`/api/games${query}`)).json()) as { games: Record<string, unknown>[] }).games

  it('lists every type with its servers and players, most players first', async () => {
    const all = await games()
    expect(all.slice(0, 3)).toEqual([
      {
        id: 'ase',
        name: 'Ark: Survival Evolved',
        protocol: 'valve',
        gamePort: 7777,
        queryPort: 27015,
        servers: 3,
        players: 52,
      },
      { id: 'rust', name: 'Rust', protocol: 'valve', gamePort: 28015, queryPort: 28015, servers: 1, players: 0 },
      expect.objectContaining({ servers: 0, players: 0 }),
    ])
    expect(all.length).toBeGreaterThan(400)
  })

  it('finds them by part of the name or id', async () => {
    expect((await games('?search=SURVIVAL%20asc')).map(({ id }) => id)).toEqual(['asa', 'protocol-asa'])
    expect((await games('?search=protocol-valve')).map(({ id }) => id)).toEqual(['protocol-valve'])
  })
})

it('a wrong game is answered with the nearest three', async () => {
  const { details } = (await (await api.request('/api/servers?game=minecarft')).json()) as {
    details: { message: string }[]
  }
  expect(details[0]?.message).toMatch(
    /^must be a gamedig type id; did you mean minecraft \(Minecraft\), [^?]+\), or [^?]+\)\?$/,
  )
})

it('GET /api/public/stats has the totals', async () => {
  expect(await (await api.request('/api/public/stats')).json()).toEqual({
    totalServers: 4,
    onlineServers: 2,
    totalPlayers: 52,
    totalVotes: 200,
  })
})

describe('all five', () => {
  const paths = () => [
    '/api/public/servers',
    `/api/public/servers/${idOf('Alpha Island')}`,
    '/api/public/stats',
    '/api/servers?sortBy=createdAt',
    `/api/servers/${idOf('Alpha Island')}`,
  ]

  it('have an ETag that is answered with 304, may be cached for a second, and may be read by any page', async () => {
    for (const path of paths()) {
      const first = await api.request(path)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]+"$/)
      expect(first.headers.get('cache-control')).toBe('public, max-age=1')
      expect(first.headers.get('access-control-allow-origin')).toBe('*')
      now += 1000 // renders the time-dependent fields again, unchanged
      const again = await api.request(path, { headers: { 'If-None-Match': etag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe('public, max-age=1')
    }
    now = NOW
  })

  it('answer below /api/v1, too', async () => {
    for (const path of paths()) {
      const [plain, versioned] = [await api.request(path), await api.request(path.replace('/api', '/api/v1'))]
      expect(await versioned.text()).toBe(await plain.text())
    }
  })

  it('answer 503 with Retry-After while the directory is older than its limit, and never an old or empty list', async () => {
    now = NOW + 31_000
    try {
      for (const path of paths()) {
        const response = await api.request(path)
        // The feed reads each second and may just have read, so that the next answer is current.
        if (response.status === 200) expect(api.directory.ageSeconds()).toBeLessThanOrEqual(30)
        else {
          expect(response.status).toBe(503)
          expect(response.headers.get('retry-after')).toBe('5')
          expect(await response.json()).toMatchObject({ error: 'unavailable' })
        }
      }
    } finally {
      now = NOW
      await api.directory.refresh()
    }
  })
})

it('have a change, with another ETag, once refresh has resolved', async () => {
  const before = await api.request('/api/servers?search=delta')
  await putStatus(pool, idOf('Delta'), { currentPlayers: 7, map: 'Ragnarök "2"' })
  await api.directory.refresh()
  const after = await api.request('/api/servers?search=delta')
  expect(((await after.json()) as Page).servers[0]).toMatchObject({ currentPlayers: 7, map: 'Ragnarök "2"' })
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  expect(await names('?map=ragnar%C3%B6k%20%222%22')).toEqual(['Delta'])
  await pool.query('delete from server_status where server_id = $1', [idOf('Delta')])
})

it('have isStale as soon as the next poll is overdue', async () => {
  const stale = async () => (await getPage('?search=alpha')).servers[0]?.isStale
  expect(await stale()).toBe(false)
  now = NOW + 60_001
  await api.directory.refresh()
  expect(await stale()).toBe(true)
  now = NOW
  await api.directory.refresh()
})

it('are sent compressed to clients that accept it, with the same content', async () => {
  for (let i = 0; i < 12; i++) await insertServer(pool, { name: `Filler ${i}`, description: 'text '.repeat(20) })
  await api.directory.refresh()
  const get = (headers: Record<string, string>) =>
    new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      httpRequest(`${api.url}/api/servers?search=filler`, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
        )
      })
        .on('error', reject)
        .end()
    })
  const plain = await get({})
  expect(plain.encoding).toBeUndefined()
  await expect.poll(async () => (await get({ 'accept-encoding': 'gzip' })).encoding, { interval: 5 }).toBe('gzip')
  const compressed = await get({ 'accept-encoding': 'gzip' })
  expect(compressed.encoding ? gunzipSync(compressed.body) : compressed.body).toEqual(plain.body)
  expect((await get({})).encoding).toBeUndefined()
})
