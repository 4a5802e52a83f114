// The list's filters, on four servers in their own region.
import { expect } from 'vitest'
import { addVotes, listingPage, namesOf, type Page, refusedParameters, turnMonth } from '../directory.ts'
import { newKey, withHeader, withKey } from '../keys.ts'
import { createServer, elsewhere, newPlace, operator, type Person, register, WAIT_OPTIONS } from '../product.ts'
import { onceNeeded, section } from '../section.ts'

const REGION = 'Filter isles'

/**
 * In the order listed, all of one owner; delta never answers.
 *
 * gamma is a server of Rust, the others of the default game.
 *
 * | | players | mode | tags | rates | votes, this month and before | wiped |
 * |---|---|---|---|---|---|---|
 * | alpha | 5 | PvP | vanilla, weekly | xp 2, harvest 8 | 2, 0 | an hour ago |
 * | beta | 9 | PvE | vanilla | xp 20 | 1, 0 | eight days ago |
 * | gamma | 0 | PvPvE | modded | | 0, 3 | never |
 * | delta | not online | PvP | | taming 4 | 0, 0 | never |
 */
const theWorld = onceNeeded(async (): Promise<Person> => {
  const owner = await register()
  const common = { region: REGION }
  const list = async (fields: Record<string, unknown>, info = {}) =>
    (await createServer(owner, { ...common, ...fields }, info)).server.id
  const alpha = await list(
    { name: 'Filter alpha', gameMode: 'PvP', tags: 'vanilla,weekly' },
    { players: 5, map: 'Filterland' },
  )
  const beta = await list({ name: 'Filter beta', gameMode: 'PvE', tags: 'vanilla' }, { players: 9, map: 'Otherland' })
  const gamma = await list(
    { name: 'Filter gamma', game: 'rust', gameMode: 'PvPvE', tags: 'modded' },
    { players: 0, map: 'Otherland' },
  )
  const silent = { ...common, ...newPlace(), queryPort: undefined, gameMode: 'PvP', name: 'Filter delta' }
  const delta = (await createServer(owner, silent)).server.id

  for (const [id, rates] of [
    [alpha, 'xp:2,harvest:8'],
    [beta, 'xp:20'],
    [delta, 'taming:4'],
  ])
    expect((await owner.client.patch(`/api/servers/${id}`, { rates })).status).toBe(200)
  for (const [id, hours] of [
    [alpha, 1],
    [beta, 8 * 24],
  ] as const) {
    const wipedAt = new Date(Date.now() - hours * 3_600_000).toISOString()
    const added = await owner.client.post(`/api/servers/${id}/wipe-history`, { kind: 'full', wipedAt })
    expect(added.status).toBe(201)
  }
  await addVotes(gamma, 3)
  await turnMonth(gamma)
  await addVotes(alpha, 2)
  await addVotes(beta, 1)
  const shown = async () =>
    (await listingPage(`region=${REGION}`)).servers.map(({ totalVotes, isOnline }) => [totalVotes, isOnline])
  await expect.poll(shown, WAIT_OPTIONS).toEqual([
    [3, true],
    [2, true],
    [1, true],
    [0, false],
  ])
  return owner
})

/** Which of the four match a filter, in the order of the list. */
async function left(query: string): Promise<string[]> {
  await theWorld()
  return namesOf(await listingPage(`region=${REGION}&${query}`)).map((name) => name.replace('Filter ', ''))
}

const refused = async (query: string, field: string) =>
  expect(await refusedParameters(`/api/servers?${query}`)).toEqual([field])

section('GET /api/servers', {
  game: [
    'keeps servers of any of the games, and refuses an unknown one',
    async () => {
      expect(await left('game=rust')).toEqual(['gamma'])
      expect(await left('game=rust,protocol-valve')).toEqual(['gamma', 'alpha', 'beta', 'delta'])
      await refused('game=unheardof', 'game')
    },
  ],
  gameMode: [
    'keeps servers of that mode, and refuses an unknown one',
    async () => {
      expect(await left('gameMode=PvP')).toEqual(['alpha', 'delta'])
      expect(await left('gameMode=PvE')).toEqual(['beta'])
      expect(await left('gameMode=PvPvE')).toEqual(['gamma'])
      await refused('gameMode=pvp', 'gameMode')
    },
  ],
  country: [
    'keeps servers of any of the countries, and refuses an unknown one',
    async () => {
      // All four are on loopback addresses, which are in no country.
      expect(await left('country=DE,AT')).toEqual([])
      expect((await listingPage(`region=${REGION}`)).servers[0]).toMatchObject({ country: '', isRegionDerived: false })
      await refused('country=XX', 'country')
    },
  ],
  'slots and life': [
    'keeps servers by players, free slots, uptime, proof, version, last wipe and listing',
    async () => {
      expect(await left('minPlayers=1&maxPlayers=5')).toEqual(['alpha'])
      expect(await left('notEmpty=true')).toEqual(['alpha', 'beta'])
      expect(await left('hasFreeSlots=true')).toEqual(['gamma', 'alpha', 'beta'])
      expect(await left('wipedWithinDays=1')).toEqual(['alpha'])
      expect(await left('createdWithinDays=1&minPlayers=9')).toEqual(['beta'])
      expect(await left('isVerified=true')).toEqual([])
      expect(await left('version=unheardof')).toEqual([])
      await refused('minUptime=2', 'minUptime')
    },
  ],
  'further orders': [
    'sorts by name, rank, recent votes and last wipe, and at random by a seed',
    async () => {
      expect(await left('sortBy=name')).toEqual(['alpha', 'beta', 'delta', 'gamma'])
      expect(await left('sortBy=rank')).toEqual(['gamma', 'alpha', 'beta', 'delta'])
      expect(await left('sortBy=lastWipeAt')).toEqual(['alpha', 'beta', 'gamma', 'delta'])
      expect((await left('sortBy=recentVotes')).toSorted()).toEqual(['alpha', 'beta', 'delta', 'gamma'])
      const shuffled = await left('sortBy=random&seed=today')
      expect(await left('sortBy=random&seed=today&limit=2&page=2')).toEqual(shuffled.slice(2))
      await refused('sortBy=random', 'seed')
    },
  ],
  isFeatured: [
    'keeps servers with a running placement, when it is true',
    async () => {
      await theWorld()
      const beta = (await listingPage(`region=${REGION}&map=otherland&notEmpty=true`)).servers[0]
      const feature = (isFeatured: boolean) =>
        elsewhere(operator).patch(`/api/admin/servers/${beta?.id}`, { isFeatured })
      expect(await left('isFeatured=true')).toEqual([])
      expect((await feature(true)).status).toBe(200)
      await expect.poll(() => left('isFeatured=true'), WAIT_OPTIONS).toEqual(['beta'])
      await feature(false)
      await refused('isFeatured=yes', 'isFeatured')
    },
  ],
  map: [
    'keeps servers on that map, ignoring case',
    async () => {
      expect(await left('map=filterland')).toEqual(['alpha'])
      expect(await left('map=Otherland')).toEqual(['gamma', 'beta'])
    },
  ],
  region: [
    'keeps servers of that region, ignoring case',
    async () => {
      await theWorld()
      expect(namesOf(await listingPage('region=filter ISLES'))).toHaveLength(4)
      expect(namesOf(await listingPage('region=filter'))).toEqual([])
    },
  ],
  tags: [
    'keeps servers that have all of the tags',
    async () => {
      expect(await left('tags=vanilla')).toEqual(['alpha', 'beta'])
      expect(await left('tags=weekly,vanilla')).toEqual(['alpha'])
      expect(await left('tags=vanilla,modded')).toEqual([])
    },
  ],
  onlineOnly: [
    'omits servers that are offline, when it is true',
    async () => {
      expect(await left('onlineOnly=true')).toEqual(['gamma', 'alpha', 'beta'])
      expect(await left('onlineOnly=false')).toHaveLength(4)
      await refused('onlineOnly=yes', 'onlineOnly')
    },
  ],
  justWiped: [
    'keeps servers that were wiped in the last seven days, when it is true',
    async () => {
      expect(await left('justWiped=true')).toEqual(['alpha'])
      expect(await left('justWiped=false')).toHaveLength(4)
    },
  ],
  minMultiplier: [
    'keeps servers with an experience, taming or harvest multiplier of at least that',
    async () => {
      expect(await left('minMultiplier=8')).toEqual(['alpha', 'beta'])
      expect(await left('minMultiplier=8.1')).toEqual(['beta'])
      await refused('minMultiplier=much', 'minMultiplier')
    },
  ],
  maxMultiplier: [
    'keeps servers with a multiplier of at most that; with both bounds, one multiplier has to be in the range',
    async () => {
      expect(await left('maxMultiplier=4')).toEqual(['alpha', 'delta'])
      expect(await left('minMultiplier=3&maxMultiplier=7')).toEqual(['delta'])
      expect(await left('minMultiplier=7&maxMultiplier=9')).toEqual(['alpha'])
      await refused('minMultiplier=9&maxMultiplier=7', 'minMultiplier')
    },
  ],
  'sortBy totalVotes': [
    'sorts by all votes',
    async () => expect(await left('sortBy=totalVotes')).toEqual(['gamma', 'alpha', 'beta', 'delta']),
  ],
  'sortBy monthlyVotes': [
    'sorts by this month’s votes; the oldest of equal ones comes first',
    async () => expect(await left('sortBy=monthlyVotes')).toEqual(['alpha', 'beta', 'gamma', 'delta']),
  ],
  'sortBy currentPlayers': [
    'sorts by players',
    async () => expect(await left('sortBy=currentPlayers')).toEqual(['beta', 'alpha', 'gamma', 'delta']),
  ],
  'sortBy createdAt': [
    'sorts by listing time',
    async () => {
      expect(await left('sortBy=createdAt')).toEqual(['delta', 'gamma', 'beta', 'alpha'])
      await refused('sortBy=players', 'sortBy')
    },
  ],
  sortOrder: [
    'reverses the order; the default is descending',
    async () => {
      expect(await left('sortBy=createdAt&sortOrder=asc')).toEqual(['alpha', 'beta', 'gamma', 'delta'])
      expect(await left('sortBy=createdAt&sortOrder=desc')).toEqual(['delta', 'gamma', 'beta', 'alpha'])
      await refused('sortOrder=up', 'sortOrder')
    },
  ],
  limit: [
    'is the page size; pages have the rest',
    async () => {
      expect(await left('limit=3')).toEqual(['gamma', 'alpha', 'beta'])
      expect(await left('limit=3&page=2')).toEqual(['delta'])
      await refused('limit=101', 'limit')
    },
  ],
  cursor: [
    'continues after the last server of a page, whatever has moved since; with other filters it is refused',
    async () => {
      await theWorld()
      const query = { region: REGION, sortBy: 'createdAt', limit: 3 }
      const { nextCursor, ...first } = await listingPage(query)
      expect(namesOf(first)).toEqual(['Filter delta', 'Filter gamma', 'Filter beta'])
      const rest = await listingPage({ ...query, cursor: String(nextCursor) })
      expect([namesOf(rest), rest.nextCursor]).toEqual([['Filter alpha'], null])
      await refused(`sortBy=createdAt&cursor=${nextCursor}`, 'cursor')
    },
  ],
  fields: [
    'are the only ones of the items; unknown ones are refused',
    async () => {
      await theWorld()
      const { servers } = await listingPage({ region: REGION, fields: 'map,name', onlineOnly: 'true', limit: 1 })
      expect(servers).toEqual([{ name: 'Filter gamma', map: 'Otherland' }])
      await refused('fields=name,maps', 'fields')
    },
  ],
  playersByHour: [
    'is in items only if `fields` selects it: 24 averages of the last whole hours, null for hours without any',
    async () => {
      await theWorld()
      const { servers } = await listingPage({ region: REGION, fields: 'name,playersByHour', q: 'alpha' })
      expect(servers).toEqual([{ name: 'Filter alpha', playersByHour: Array(24).fill(null) }])
      for (const server of (await listingPage({ region: REGION })).servers)
        expect(server).not.toHaveProperty('playersByHour')
    },
  ],
  q: [
    'finds by words in any order, with beginnings and a typo, and combines with filters',
    async () => {
      expect(await left('q=gamna filt')).toEqual(['gamma'])
      expect(await left('q=filter&onlineOnly=true')).toEqual(['gamma', 'alpha', 'beta'])
      expect(await left('q=filter&sortBy=createdAt')).toEqual(['delta', 'gamma', 'beta', 'alpha'])
      expect(await left('q=filter nothing')).toEqual([])
      await refused(`q=${'x'.repeat(201)}`, 'q')
    },
  ],
  'as /api/v1/servers with an API key': [
    'answers the same to a client with a key, whose account’s limit counts the request',
    async () => {
      const program = withKey(await newKey(await theWorld()))
      const query = `region=${encodeURIComponent(REGION)}&onlineOnly=true`
      const keyed = await program.get<Page>(`/api/v1/servers?${query}`)
      expect(keyed.status).toBe(200)
      expect(keyed.headers.get('ratelimit-policy')).toContain('"free";q=10;w=60')
      expect(namesOf(keyed.body)).toEqual(['Filter gamma', 'Filter alpha', 'Filter beta'])
      expect(keyed.body).toEqual(await listingPage(query))
      const stranger = withHeader('Bearer sd_nobody.nothing')
      expect((await stranger.get(`/api/v1/servers?${query}`)).status).toBe(401)
    },
  ],
})

section('GET /api/servers/facets', {
  response: [
    'counts the servers that match the other filters by each value',
    async () => {
      const owner = await theWorld()
      const query = `region=${encodeURIComponent(REGION)}&gameMode=PvE`
      const { body } = await owner.client.get<Record<string, unknown[]>>(`/api/servers/facets?${query}`)
      expect(Object.keys(body).sort()).toEqual(['country', 'game', 'gameMode', 'isClaimed', 'map', 'region', 'tags'])
      expect(body.map).toEqual([{ value: 'Otherland', servers: 1 }])
      expect(body.gameMode).toEqual([
        { value: 'PvP', servers: 2 },
        { value: 'PvE', servers: 1 },
        { value: 'PvPvE', servers: 1 },
      ])
    },
  ],
})

section('GET /api/games', {
  response: [
    'is every game with its servers and players',
    async () => {
      const owner = await theWorld()
      const { body } = await owner.client.get<{ games: Record<string, unknown>[] }>('/api/games?search=rust')
      const rust = body.games.find(({ id }) => id === 'rust')
      expect(rust).toMatchObject({ name: 'Rust', protocol: 'valve', gamePort: 28015 })
      expect(rust?.servers).toBeGreaterThanOrEqual(1)
    },
  ],
  'a wrong game': [
    'is refused with the nearest three',
    async () => {
      const request = { name: 'A misspelt one', game: 'rsut', ...newPlace() }
      const { status, body } = await (await register()).client.post<{ details: { path: string; message: string }[] }>(
        '/api/servers',
        request,
      )
      expect([status, body.details[0]?.path]).toEqual([400, 'body.game'])
      expect(body.details[0]?.message.match(/\w+ \([^)]+\)/g)).toHaveLength(3)
      expect(body.details[0]?.message).toContain('rust (Rust)')
    },
  ],
})
