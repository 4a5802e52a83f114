// Server creation, and the owner's list of servers.
import { expect } from 'vitest'
import {
  createServer,
  database,
  detailOf,
  listServer,
  newPlace,
  newVisitor,
  type Person,
  register,
} from '../product.ts'
import { onceNeeded, section } from '../section.ts'

interface Refusal extends Record<string, unknown> {
  details: { path: string }[]
}

/** Three votes: last month, yesterday, and now. */
const theOwned = onceNeeded(async () => {
  const server = await listServer({ name: 'An owner’s pride' }, { gamePort: 7792 })
  const vote = async (visitorId: string) =>
    expect((await newVisitor().post(`/api/servers/${server.id}/vote`, { visitorId })).status).toBe(200)
  await vote('a visitor of last month')
  await database.query(
    `update server_counters set votes_month = (votes_month - interval '1 month')::date where server_id = $1`,
    [server.id],
  )
  await vote('a visitor of yesterday')
  await database.query(`update votes set voted_at = voted_at - interval '25 hours' where server_id = $1`, [server.id])
  await vote('a visitor of today')
  return server
})

/** The only server in the owner's list. */
async function itemOf({ client }: Person): Promise<Record<string, unknown> | undefined> {
  const { body } = await client.get<{ servers: Record<string, unknown>[] }>('/api/user/servers')
  expect(body.servers).toHaveLength(1)
  return body.servers[0]
}
const owned = async () => itemOf((await theOwned()).owner)

section('owned server item', {
  id: [
    'is the server’s, for its management',
    async () => {
      const { id, owner } = await theOwned()
      expect((await owned())?.id).toBe(id)
      expect((await owner.client.patch(`/api/servers/${(await owned())?.id}`, {})).status).toBe(200)
    },
  ],
  name: ['is what the owner called it', async () => expect((await owned())?.name).toBe('An owner’s pride')],
  ipAddress: [
    'is where it was listed',
    async () => expect((await owned())?.ipAddress).toBe((await theOwned()).game.address),
  ],
  gamePort: ['is the port players connect to', async () => expect((await owned())?.gamePort).toBe(7792)],
  isOnline: [
    'is true while the server answers, false for one that has not answered yet',
    async () => {
      expect((await owned())?.isOnline).toBe(true)
      const other = await register()
      await createServer(other, { ...newPlace(), queryPort: undefined })
      expect((await itemOf(other))?.isOnline).toBe(false)
    },
  ],
  totalVotes: ['counts all votes it has ever had', async () => expect((await owned())?.totalVotes).toBe(3)],
  monthlyVotes: [
    'counts the votes of this calendar month, not those of last month',
    async () => expect((await owned())?.monthlyVotes).toBe(2),
  ],
  recentVotes: ['counts the votes of the last 24 hours', async () => expect((await owned())?.recentVotes).toBe(1)],
})

/** Expects the creation with this value to be refused. @returns the error's reasons */
async function refused(fields: Record<string, unknown>): Promise<string[]> {
  const { client } = (await theCreated()).owner
  const right = { name: 'A listing', game: 'protocol-valve', ...newPlace() }
  const { status, body } = await client.post<Refusal>('/api/servers', { ...right, ...fields })
  expect([status, body.error]).toEqual([400, 'validation_failed'])
  return body.details.map(({ path }) => path)
}

const CREATION = {
  name: 'The island of all fields',
  description: 'Two lines:\nfriendly, and open to all.',
  gameMode: 'PvPvE',
  website: 'https://island.example/about?lang=en',
  chatUrl: 'https://chat.example/invite/island',
  region: 'Océanie',
  tags: 'boosted, Weekly Wipes',
}
const theCreated = onceNeeded(() => listServer(CREATION, { gamePort: 7793, name: 'Whatever it calls itself' }))

const created = async () => detailOf((await theCreated()).id)

/** Ids of the servers that the listing shows with a filter. */
async function filtered(query: Record<string, string>): Promise<unknown[]> {
  const { body } = await newVisitor().get<{ servers: { id: string }[] }>(
    `/api/servers?${new URLSearchParams({ search: CREATION.name, ...query })}`,
  )
  return body.servers.map(({ id }) => id)
}

/** Expects the value as given, and that it alone finds the server. */
async function expectFilter(field: 'gameMode' | 'region' | 'tags', value: string, other: string): Promise<void> {
  const { id } = await theCreated()
  expect(await filtered({ [field]: value })).toEqual([id])
  expect(await filtered({ [field]: other })).toEqual([])
}

async function expectWebAddress(field: 'website' | 'chatUrl'): Promise<void> {
  expect((await created())[field]).toBe(CREATION[field])
  for (const wrong of ['javascript:alert(1)', 'ftp://island.example', 'island.example'])
    expect(await refused({ [field]: wrong })).toEqual([`body.${field}`])
}

section('server creation request', {
  name: [
    'is the listed name, whatever the game server reports: required, 3 to 100 characters',
    async () => {
      expect((await created()).name).toBe(CREATION.name)
      for (const name of [undefined, 'ab', 'x'.repeat(101), 7]) expect(await refused({ name })).toEqual(['body.name'])
      expect((await createServer(await register(), { name: 'x'.repeat(100) })).server.name).toHaveLength(100)
    },
  ],
  description: [
    'is shown as written, up to 2000 characters',
    async () => {
      expect((await created()).description).toBe(CREATION.description)
      expect(await refused({ description: 'x'.repeat(2001) })).toEqual(['body.description'])
    },
  ],
  ipAddress: [
    'is the address or DNS name to query: required',
    async () => {
      expect((await created()).ipAddress).toBe('127.0.0.1')
      for (const ipAddress of [undefined, '127.0.0.256', '::1::', 'http://127.0.0.1', 'two words'])
        expect(await refused({ ipAddress })).toEqual(['body.ipAddress'])
      const named = await listServer({ ipAddress: 'LocalHost' })
      expect(await detailOf(named.id)).toMatchObject({ ipAddress: 'localhost', isOnline: true })
    },
  ],
  queryPort: [
    'is the port to query; by default the game’s usual one',
    async () => {
      const { game } = await theCreated()
      expect((await created()).queryPort).toBe(game.port)
      expect(game.requests).toBeGreaterThan(0)
      const { server } = await createServer(await register(), { ...newPlace(), game: 'ase', queryPort: undefined })
      expect((await detailOf(server.id)).queryPort).toBe(27015)
      for (const queryPort of [0, 65_536, 1.5, '27015'])
        expect(await refused({ queryPort })).toEqual(['body.queryPort'])
    },
  ],
  gamePort: [
    'is the port players connect to: required, 1 to 65535',
    async () => {
      expect((await created()).gamePort).toBe(7793)
      for (const gamePort of [undefined, 0, 65_536, 1.5, '7777'])
        expect(await refused({ gamePort })).toEqual(['body.gamePort'])
    },
  ],
  gameMode: [
    'is PvP, PvE or PvPvE, and finds the server',
    async () => {
      await expectFilter('gameMode', 'PvPvE', 'PvE')
      for (const gameMode of ['PvP', 'PvE', 'PvPvE']) await createServer(await register(), { gameMode })
      expect(await refused({ gameMode: 'pvp' })).toEqual(['body.gameMode'])
    },
  ],
  website: ['is shown as it was given, http and https only', () => expectWebAddress('website')],
  chatUrl: ['is shown as it was given, http and https only', () => expectWebAddress('chatUrl')],
  region: [
    'is free text, and finds the server',
    async () => {
      await expectFilter('region', 'Océanie', 'Europe')
      expect(await refused({ region: 'x'.repeat(51) })).toEqual(['body.region'])
    },
  ],
  tags: [
    'are separated by commas; each of them, and all together, find the server',
    async () => {
      await expectFilter('tags', 'boosted', 'vanilla')
      await expectFilter('tags', 'Weekly Wipes,boosted', 'boosted,vanilla')
      expect(await refused({ tags: 'a,b,c,d,e,f,g,h,i,j,k' })).toEqual(['body.tags'])
    },
  ],
})
