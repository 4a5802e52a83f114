// Servers as their owners list, change, see and remove them.
import { expect } from 'vitest'
import {
  type CreatedServer,
  createServer,
  database,
  detailOf,
  listServer,
  newVisitor,
  operator,
  type Person,
  register,
} from '../product.ts'
import { ROWS } from '../rows.ts'
import { expectFields, onceNeeded, section } from '../section.ts'

interface Refusal extends Record<string, unknown> {
  details: { path: string }[]
}

let ports = 21_000
/** Where nobody answers and nothing is listed yet. An address of its own: one address is not asked much at once. */
const newPlace = () => ({ ipAddress: '127.0.27.15', gamePort: ++ports })

async function ownedItem({ client }: Person): Promise<Record<string, unknown> | undefined> {
  const { body } = await client.get<{ servers: Record<string, unknown>[] }>('/api/user/servers')
  return body.servers[0]
}

/** Three votes: in the month before, yesterday, and now. */
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

const owned = async () => ownedItem((await theOwned()).owner)

section('owned server item', {
  id: [
    'is the server’s, by which its owner manages it',
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
      expect((await ownedItem(other))?.isOnline).toBe(false)
    },
  ],
  totalVotes: ['counts all votes it has ever had', async () => expect((await owned())?.totalVotes).toBe(3)],
  monthlyVotes: [
    'counts the votes of this calendar month and none of the month before',
    async () => expect((await owned())?.monthlyVotes).toBe(2),
  ],
  recentVotes: ['counts the votes of the last 24 hours', async () => expect((await owned())?.recentVotes).toBe(1)],
})

/** What the creation with this in place of something right is told to be wrong. */
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

/** Ids of the servers that the listing shows for a filter. */
async function filtered(query: Record<string, string>): Promise<unknown[]> {
  const { body } = await newVisitor().get<{ servers: { id: string }[] }>(
    `/api/servers?${new URLSearchParams({ search: CREATION.name, ...query })}`,
  )
  return body.servers.map(({ id }) => id)
}

/** Shown as given, and found by it and by no other value. */
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
    'is what the server is listed as, whatever it calls itself: required, 3 to 100 characters',
    async () => {
      expect((await created()).name).toBe(CREATION.name)
      for (const name of [undefined, 'ab', 'x'.repeat(101), 7]) expect(await refused({ name })).toEqual(['body.name'])
      expect((await createServer(await register(), { name: 'x'.repeat(100) })).server.name).toHaveLength(100)
    },
  ],
  description: [
    'is shown as it was written, up to 2000 characters',
    async () => {
      expect((await created()).description).toBe(CREATION.description)
      expect(await refused({ description: 'x'.repeat(2001) })).toEqual(['body.description'])
    },
  ],
  ipAddress: [
    'is an IPv4 address or a DNS name, required, at which the server is asked',
    async () => {
      expect((await created()).ipAddress).toBe('127.0.0.1')
      for (const ipAddress of [undefined, '127.0.0.256', '::1', 'http://127.0.0.1', 'two words'])
        expect(await refused({ ipAddress })).toEqual(['body.ipAddress'])
      const named = await listServer({ ipAddress: 'LocalHost' })
      expect(await detailOf(named.id)).toMatchObject({ ipAddress: 'localhost', isOnline: true })
    },
  ],
  queryPort: [
    'is the port at which the server is asked; without it the one that is usual for the game',
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
    'is PvP, PvE or PvPvE, and what the server is found by',
    async () => {
      await expectFilter('gameMode', 'PvPvE', 'PvE')
      for (const gameMode of ['PvP', 'PvE', 'PvPvE']) await createServer(await register(), { gameMode })
      expect(await refused({ gameMode: 'pvp' })).toEqual(['body.gameMode'])
    },
  ],
  website: ['is shown as it was given, http and https only', () => expectWebAddress('website')],
  chatUrl: ['is shown as it was given, http and https only', () => expectWebAddress('chatUrl')],
  region: [
    'is free text that the server is found by',
    async () => {
      await expectFilter('region', 'Océanie', 'Europe')
      expect(await refused({ region: 'x'.repeat(51) })).toEqual(['body.region'])
    },
  ],
  tags: [
    'are separated by commas; the server is found by each and by all of them',
    async () => {
      await expectFilter('tags', 'boosted', 'vanilla')
      await expectFilter('tags', 'Weekly Wipes,boosted', 'boosted,vanilla')
      expect(await refused({ tags: 'a,b,c,d,e,f,g,h,i,j,k' })).toEqual(['body.tags'])
    },
  ],
})

const theChanged = onceNeeded(async () => {
  const owner = await register()
  return { owner, ...(await createServer(owner, { name: 'Before the change', ...withoutName(CREATION) })).server }
})
const withoutName = ({ name: _, ...rest }: typeof CREATION) => rest

const UPDATED = ROWS['server update request']
/** What a listing says besides: polls and votes of others do not change it either. */
const LISTED = ['id', 'ipAddress', 'gamePort', 'queryPort', 'region', 'tags', 'totalVotes', 'createdAt']

/** What anybody reads of a server, without what its polls change. */
async function readListing(id: string): Promise<Record<string, unknown>> {
  const { body } = await newVisitor().get(`/api/servers/${id}`)
  return Object.fromEntries([...UPDATED, ...LISTED, 'updatedAt'].map((field) => [field, body[field]]))
}

/** Changes one field of the server; everybody sees it at once, and nothing else is different. */
async function expectChange(field: (typeof UPDATED)[number], value: string): Promise<void> {
  const { id, owner } = await theChanged()
  const { updatedAt: updatedBefore, ...before } = await readListing(id)
  expect(before[field]).not.toBe(value)
  expect((await owner.client.patch(`/api/servers/${id}`, { [field]: value })).status).toBe(200)
  const { updatedAt, ...after } = await readListing(id)
  expect(after).toEqual({ ...before, [field]: value })
  expect(Date.parse(String(updatedAt))).toBeGreaterThan(Date.parse(String(updatedBefore)))
}

/** Refused, and nothing is changed. */
async function expectNoChange(field: string, value: unknown): Promise<void> {
  const { id, owner } = await theChanged()
  const before = await detailOf(id)
  const { status, body } = await owner.client.patch<Refusal>(`/api/servers/${id}`, { [field]: value })
  expect([status, body.error, body.details[0]?.path]).toEqual([400, 'validation_failed', `body.${field}`])
  expect((await detailOf(id)).updatedAt).toBe(before.updatedAt)
}

section('server update request', {
  name: [
    'gives the server another name, of 3 to 100 characters',
    async () => {
      await expectChange('name', 'After the change')
      await expectNoChange('name', 'ab')
    },
  ],
  description: [
    'gives it another description; an empty one takes it away',
    async () => {
      await expectChange('description', 'Said anew.')
      await expectChange('description', '')
    },
  ],
  gameMode: [
    'makes it PvP, PvE or PvPvE',
    async () => {
      await expectChange('gameMode', 'PvE')
      await expectNoChange('gameMode', 'Creative')
    },
  ],
  website: [
    'gives it another website',
    async () => {
      await expectChange('website', 'https://island.example/new')
      await expectNoChange('website', 'javascript:alert(1)')
    },
  ],
  chatUrl: [
    'gives it another community chat',
    async () => {
      await expectChange('chatUrl', 'https://chat.example/invite/new')
      await expectNoChange('chatUrl', 'not an address')
    },
  ],
  bannerUrl: [
    'gives it a banner',
    async () => {
      await expectChange('bannerUrl', 'https://island.example/banner.png')
      await expectNoChange('bannerUrl', 'data:image/png;base64,')
    },
  ],
  rates: [
    'gives it rates, comma-separated pairs name:number',
    async () => {
      await expectChange('rates', 'xp:2,taming:3.5,harvest:2')
      await expectNoChange('rates', 'xp=2')
    },
  ],
  mods: [
    'gives it mods, a comma-separated list',
    async () => {
      await expectChange('mods', 'Structures Plus,Awesome Spyglass')
      await expectNoChange('mods', 7)
    },
  ],
})

section('server management', {
  'POST /api/servers': [
    'answers whoever is logged in with 201, the server, and the token that proves it; it is listed at once, and once only',
    async () => {
      const owner = await register()
      const request = { name: 'A new one', game: 'protocol-valve', ...newPlace() }
      const { status, body } = await owner.client.post<CreatedServer>('/api/servers', request)
      expect(status).toBe(201)
      expectFields(body, ['server', 'verificationToken', 'message'])
      expectFields(body.server, ['id', 'name'])
      expect(body.server.name).toBe('A new one')
      expect(body.message).toContain(body.verificationToken)
      expect(await detailOf(body.server.id)).toMatchObject({ name: 'A new one', isOnline: false, currentPlayers: 0 })
      expect((await ownedItem(owner))?.id).toBe(body.server.id)
      const again = await (await register()).client.post('/api/servers', request)
      expect(again).toMatchObject({ status: 400, body: { error: 'already_listed' } })
      expect(again.body.message).toContain(`/api/servers/${body.server.id}/claim`)
      expect((await newVisitor().post('/api/servers', { ...request, ...newPlace() })).status).toBe(401)
    },
  ],
  'PATCH /api/servers/:id': [
    'lets its owner and administrators change it, and answers with what is shown from then on',
    async () => {
      const { id, owner } = await theChanged()
      for (const [{ client }, description] of [
        [owner, 'By its owner.'],
        [operator, 'By an administrator.'],
      ] as const) {
        const { status, body } = await client.patch(`/api/servers/${id}`, { description })
        expect([status, body.description]).toEqual([200, description])
        expect(body).toMatchObject(await readListing(id))
      }
      const before = await readListing(id)
      for (const fixed of ['ipAddress', 'gamePort', 'region', 'tags', 'totalVotes', 'id']) {
        const refusal = await owner.client.patch(`/api/servers/${id}`, { description: 'Half of it', [fixed]: '1' })
        expect([fixed, refusal.status]).toEqual([fixed, 400])
      }
      expect(await readListing(id)).toEqual(before)
      const stranger = await register()
      expect((await stranger.client.patch(`/api/servers/${id}`, { description: 'Mine' })).status).toBe(403)
      expect((await newVisitor().patch(`/api/servers/${id}`, { description: 'Mine' })).status).toBe(401)
    },
  ],
  'DELETE /api/servers/:id': [
    'lets its owner and administrators take it out of the directory, and answers with a message',
    async () => {
      const [owner, stranger] = [await register(), await register()]
      for (const { client } of [owner, operator]) {
        const { id } = (await createServer(owner)).server
        const path = `/api/servers/${id}`
        expect((await newVisitor().delete(path)).status).toBe(401)
        expect((await stranger.client.delete(path)).status).toBe(403)
        expect(await detailOf(id)).toMatchObject({ id })
        const { status, body } = await client.delete(path)
        expect(status).toBe(200)
        expectFields(body, ['message'])
        expect(body.message).toEqual(expect.stringMatching(/not listed/))
        for (const gone of [path, `/api/public/servers/${id}`]) expect((await newVisitor().get(gone)).status).toBe(404)
        expect((await client.delete(path)).status).toBe(404)
      }
      expect((await owner.client.get('/api/user/servers')).body.servers).toEqual([])
    },
  ],
})
