// `q=` knows what people type: games by name and short form, countries, continents, modes, and addresses.
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus, putVotes } from './rows-in-database.ts'

const api = await startTestApi()
const { pool } = api.database
const ids = new Map<string, string>()

interface At {
  ipAddress: string
  gamePort: number
  queryPort: number
}

async function add(name: string, votes: number, listing: object = {}, country = '', at?: At) {
  const id = await insertServer(pool, { name, ...listing })
  if (at)
    await pool.query('update servers set ip_address = $2, game_port = $3, query_port = $4 where id = $1', [
      id,
      at.ipAddress,
      at.gamePort,
      at.queryPort,
    ])
  await putStatus(pool, id, { country })
  await putVotes(pool, id, votes)
  ids.set(name, id)
}

const at = (ipAddress: string, gamePort: number): At => ({ ipAddress, gamePort, queryPort: gamePort + 1 })

beforeAll(async () => {
  await add('Main', 1, { game: 'rust', gameMode: 'PvP' }, 'SE')
  await add('Second vanilla', 2, { game: 'rust' }, 'DE')
  await add('Rusty gears', 9, { game: 'minecraft', gameMode: 'PvE', tags: ['vanilla'] }, 'DE')
  await add('Bedrock realm', 3, { game: 'mbe' }, 'US')
  await add('Sweden lovers', 8, { game: 'protocol-valve' }, 'NO')
  await add('Dust only', 5, { game: 'counterstrike2' }, '', at('play.example.org', 27020))
  await add('Zombies', 4, { game: 'l4d2', region: 'Pacific Rim' }, '', at('2001:db8::7', 27015))
  await add('Zombies again', 1, { game: 'l4d' }, '', at('play.example.org', 27030))
  await add('Tokyo nights', 1, { game: 'protocol-valve' }, 'JP')
  await add('Ronin', 2, { game: 'protocol-valve', region: 'Japan' })
  const shared = await Promise.all(
    Array.from({ length: 150 }, (_, n) => insertServer(pool, { name: `Shared ${n}`, game: 'unturned' })),
  )
  await pool.query(
    `update servers set ip_address = '198.51.100.77', query_port = 20000 + place
     from unnest($1::uuid[]) with ordinality as shared (id, place) where servers.id = shared.id`,
    [shared],
  )
  await putVotes(pool, shared.at(-1) ?? '', 7)
  await api.directory.refresh()
})

interface Page {
  servers: { name: string }[]
  pagination: { total: number }
  nextCursor: string | null
}
const list = async (query: Record<string, string>) =>
  (await (await api.request(`/api/servers?${new URLSearchParams(query)}`)).json()) as Page
const names = async (q: string) => (await list({ q })).servers.map(({ name }) => name)

describe('a query that names something', () => {
  it.each([
    ['rust', ['Second vanilla', 'Main', 'Rusty gears']],
    ['RÚST servers', ['Second vanilla', 'Main']],
    ['minecraft', ['Rusty gears', 'Bedrock realm']],
    ['mc', ['Rusty gears', 'Bedrock realm']],
    ['cs2', ['Dust only']],
    ['counter-strike', ['Dust only']],
    ['l4d2', ['Zombies']],
    ['left 4 dead', ['Zombies', 'Zombies again']],
    ['left 4 dead 2', ['Zombies']],
    ['sweden', ['Main', 'Sweden lovers']],
    ['Schweden', ['Main']],
    ['usa', ['Bedrock realm']],
    ['north america', ['Bedrock realm']],
    ['eu', ['Rusty gears', 'Sweden lovers', 'Second vanilla', 'Main']],
    ['pve', ['Rusty gears']],
    ['other', []],
  ])('%s finds %j', async (q, expected) => expect(await names(q)).toEqual(expected))

  it.each([
    ['rust sweden', ['Main']],
    ['Rust servers in Germany', ['Second vanilla']],
    ['vanilla rust', ['Second vanilla', 'Rusty gears']],
    ['rust pve', []],
    ['pvp rust sweden', ['Main']],
    ['minecraft norway', []],
  ])('“%s” is what all of it means, then its words', async (q, expected) => expect(await names(q)).toEqual(expected))

  it('takes the beginning of a name, and regions as owners call them, after the words themselves', async () => {
    expect(await names('swed')).toEqual(['Sweden lovers', 'Main'])
    expect(await names('minecr')).toEqual(['Rusty gears', 'Bedrock realm'])
    expect(await names('vanilla germ')).toEqual(['Second vanilla', 'Rusty gears'])
    expect(await names('min')).toEqual([])
    expect(await names('pacific rim')).toEqual(['Zombies'])
    expect(await names('japan')).toEqual(['Tokyo nights', 'Ronin']) // also a country’s name
  })

  it('combines with filters, facets and pages', async () => {
    expect((await list({ q: 'rust', country: 'DE' })).pagination.total).toBe(2)
    const facets = await (await api.request('/api/servers/facets?q=rust')).json()
    expect(facets).toMatchObject({
      game: [
        { value: 'rust', servers: 2 },
        { value: 'minecraft', servers: 1 },
      ],
    })
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await list({ q: 'eu', limit: '1', cursor })
      walked.push(...page.servers.map(({ name }) => name))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(await names('eu'))
  })

  it('follows polls, which change no word', async () => {
    expect(await names('norway')).toEqual(['Sweden lovers'])
    await putStatus(pool, ids.get('Sweden lovers') ?? '', { country: 'FI' })
    await api.directory.refresh()
    expect(await names('norway')).toEqual([])
    expect(await names('finland')).toEqual(['Sweden lovers'])
  })
})

describe('an address', () => {
  it('finds all servers there, however many, in the order of the list', async () => {
    const { servers, pagination } = await list({ q: '198.51.100.77', limit: '1' })
    expect([servers.map(({ name }) => name), pagination.total]).toEqual([['Shared 149'], 150])
  })

  it.each([
    ['play.example.org', ['Dust only', 'Zombies again']],
    ['PLAY.example.org:27020', ['Dust only']],
    ['play.example.org:27021', ['Dust only']],
    ['steam://connect/play.example.org:27030', ['Zombies again']],
    ['[2001:db8::7]:27015', ['Zombies']],
    ['2001:DB8:0::7', ['Zombies']],
    ['play.example.org:1', []],
  ])('%s finds %j', async (q, expected) => expect(await names(q)).toEqual(expected))

  it('at which no server is listed is searched as words', async () => {
    await add('Join other.example.net', 1)
    await api.directory.refresh()
    expect(await names('other.example.net')).toEqual(['Join other.example.net'])
  })
})

it('GET /api/games finds games by their short forms', async () => {
  const { games } = (await (await api.request('/api/games?search=cs2')).json()) as { games: { id: string }[] }
  expect(games[0]?.id).toBe('counterstrike2')
})
