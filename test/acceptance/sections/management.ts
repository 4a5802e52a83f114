// Owners and administrators change and remove servers.
import { expect, onTestFinished } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import {
  type CreatedServer,
  createServer,
  detailOf,
  listServer,
  newPlace,
  newVisitor,
  operator,
  register,
  WAIT_OPTIONS,
} from '../product.ts'
import { ROWS } from '../rows.ts'
import { expectFields, onceNeeded, section } from '../section.ts'

interface Refusal extends Record<string, unknown> {
  details: { path: string }[]
}

const theChanged = onceNeeded(async () => {
  const owner = await register()
  const { server } = await createServer(owner, {
    name: 'Before the change',
    description: 'Said first.',
    gameMode: 'PvPvE',
    website: 'https://island.example/',
    chatUrl: 'https://chat.example/invite/island',
    region: 'Europe',
    tags: 'boosted',
  })
  return { owner, id: server.id }
})

const UPDATED = ROWS['server update request']
/** Fields that polls and other users' votes change. */
const LISTED = ['id', 'ipAddress', 'gamePort', 'queryPort', 'region', 'tags', 'totalVotes', 'createdAt']

/** Reads a server without a session, and without those fields. */
async function readListing(id: string): Promise<Record<string, unknown>> {
  const { body } = await newVisitor().get(`/api/servers/${id}`)
  return Object.fromEntries([...UPDATED, ...LISTED, 'updatedAt'].map((field) => [field, body[field]]))
}

/** Changes one field; expects the new value at once, and no other change. */
async function expectChange(field: (typeof UPDATED)[number], value: string): Promise<void> {
  const { id, owner } = await theChanged()
  const { updatedAt: updatedBefore, ...before } = await readListing(id)
  expect(before[field]).not.toBe(value)
  expect((await owner.client.patch(`/api/servers/${id}`, { [field]: value })).status).toBe(200)
  const { updatedAt, ...after } = await readListing(id)
  expect(after).toEqual({ ...before, [field]: value })
  expect(Date.parse(String(updatedAt))).toBeGreaterThan(Date.parse(String(updatedBefore)))
}

/** Expects a refusal without a change. */
async function expectNoChange(field: string, value: unknown): Promise<void> {
  const { id, owner } = await theChanged()
  const before = await detailOf(id)
  const { status, body } = await owner.client.patch<Refusal>(`/api/servers/${id}`, { [field]: value })
  expect([status, body.error, body.details[0]?.path]).toEqual([400, 'validation_failed', `body.${field}`])
  expect((await detailOf(id)).updatedAt).toBe(before.updatedAt)
}

section('server update request', {
  name: [
    'renames the server, with 3 to 100 characters',
    async () => {
      await expectChange('name', 'After the change')
      await expectNoChange('name', 'ab')
    },
  ],
  description: [
    'changes its description; an empty one removes it',
    async () => {
      await expectChange('description', 'Another text.')
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
    'changes its website',
    async () => {
      await expectChange('website', 'https://island.example/new')
      await expectNoChange('website', 'javascript:alert(1)')
    },
  ],
  chatUrl: [
    'changes its community chat',
    async () => {
      await expectChange('chatUrl', 'https://chat.example/invite/new')
      await expectNoChange('chatUrl', 'not an address')
    },
  ],
  bannerUrl: [
    'sets its banner',
    async () => {
      await expectChange('bannerUrl', 'https://island.example/banner.png')
      await expectNoChange('bannerUrl', 'data:image/png;base64,')
    },
  ],
  rates: [
    'sets its rates, comma-separated pairs name:number',
    async () => {
      await expectChange('rates', 'xp:2,taming:3.5,harvest:2')
      await expectNoChange('rates', 'xp=2')
    },
  ],
  mods: [
    'sets its mods, a comma-separated list',
    async () => {
      await expectChange('mods', 'Structures Plus,Awesome Spyglass')
      await expectNoChange('mods', 7)
    },
  ],
})

section('server management', {
  'POST /api/servers': [
    'answers 201 with the server and its claim token; the server is listed at once, and only once',
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
      expect((await owner.client.get('/api/user/servers')).body.servers).toMatchObject([{ id: body.server.id }])
      const again = await (await register()).client.post('/api/servers', request)
      expect(again).toMatchObject({ status: 400, body: { error: 'already_listed' } })
      expect(again.body.message).toContain(`/api/servers/${body.server.id}/claim`)
      expect((await newVisitor().post('/api/servers', { ...request, ...newPlace() })).status).toBe(401)
    },
  ],
  'POST /api/servers/probe': [
    'queries an address as polls do, and saves nothing',
    async () => {
      const owner = await register()
      const game = await startSimulatedServer({ info: { name: 'Not listed yet', players: 7, maxPlayers: 64 } })
      onTestFinished(() => game.close())
      const probe = (queryPort: number) =>
        owner.client.post('/api/servers/probe', {
          ipAddress: game.address,
          gamePort: 7777,
          queryPort,
          game: 'protocol-valve',
        })
      const result = { outcome: 'answered', name: 'Not listed yet', players: 7, maxPlayers: 64 }
      expect(await probe(game.port)).toMatchObject({ status: 200, body: { listedId: null, result } })
      expect((await owner.client.get('/api/user/servers')).body.servers).toEqual([])
      const listed = await createServer(owner)
      const known = { ipAddress: listed.game.address, gamePort: 7777, queryPort: listed.game.port }
      expect((await owner.client.post('/api/servers/probe', known)).body.listedId).toBe(listed.server.id)
      expect((await newVisitor().post('/api/servers/probe', known)).status).toBe(401)
    },
  ],
  'GET /api/servers/:id/listing': [
    'shows its details to its owner and administrators while it is hidden',
    async () => {
      const [owner, stranger] = [await register(), await register()]
      const { id } = (await createServer(owner)).server
      const listing = `/api/servers/${id}/listing`
      expect((await owner.client.get(listing)).body).toMatchObject({ id, visibility: 'listed' })
      expect((await stranger.client.get(listing)).status).toBe(403)
      await operator.client.patch(`/api/admin/servers/${id}`, { hidden: true })
      for (const { client } of [owner, operator])
        expect((await client.get(listing)).body).toMatchObject({ id, visibility: 'hidden' })
      expect((await stranger.client.get(listing)).status).toBe(404)
    },
  ],
  'PATCH /api/servers/:id': [
    'allows its owner and administrators to change it, and answers with the new values',
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
      for (const fixed of ['totalVotes', 'isVerified', 'createdAt', 'id']) {
        const refusal = await owner.client.patch(`/api/servers/${id}`, { description: 'Half of it', [fixed]: '1' })
        expect([fixed, refusal.status]).toEqual([fixed, 400])
      }
      expect(await readListing(id)).toEqual(before)
      const stranger = await register()
      expect((await stranger.client.patch(`/api/servers/${id}`, { description: 'Mine' })).status).toBe(403)
      expect((await newVisitor().patch(`/api/servers/${id}`, { description: 'Mine' })).status).toBe(401)
    },
  ],
  'PATCH of the address': [
    'moves the server, which keeps its votes and is polled there at once; an address of another server is refused',
    async () => {
      const { id, owner, game } = await listServer({}, { players: 3 })
      const path = `/api/servers/${id}`
      const { verificationToken } = (await owner.client.get(`${path}/claim`)).body
      game.info.name = `Before the move ${verificationToken}`
      expect((await owner.client.post(`${path}/claim/verify`)).body).toMatchObject({ status: 'verified' })
      await newVisitor().post(`${path}/vote`, { visitorId: 'a visitor before the move' })

      const next = await startSimulatedServer({ info: { players: 8 } })
      onTestFinished(() => next.close())
      const moved = await owner.client.patch(path, { ipAddress: next.address, queryPort: next.port })
      expect(moved).toMatchObject({ status: 200, body: { queryPort: next.port, isVerified: false } })
      await expect.poll(() => detailOf(id), WAIT_OPTIONS).toMatchObject({ currentPlayers: 8, totalVotes: 1 })

      const other = await createServer(owner)
      const taken = { ipAddress: other.game.address, queryPort: other.game.port }
      expect(await owner.client.patch(path, taken)).toMatchObject({ status: 400, body: { error: 'already_listed' } })
    },
  ],
  'DELETE /api/servers/:id': [
    'allows its owner and administrators to remove it, and answers with a message',
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
        expect(body.message).toEqual(expect.stringMatching(/no longer listed/))
        for (const gone of [path, `/api/public/servers/${id}`]) expect((await newVisitor().get(gone)).status).toBe(404)
        expect((await client.delete(path)).status).toBe(404)
      }
      expect((await owner.client.get('/api/user/servers')).body.servers).toEqual([])
    },
  ],
})
