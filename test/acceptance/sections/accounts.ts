// Accounts: the profile and the operations below /api/user.
import { expect } from 'vitest'
import { newKey } from '../keys.ts'
import { createServer, newVisitor, operator, type Person, register, UNKNOWN_ID } from '../product.ts'
import { goByChatPlatform, goByGamePlatform, newIdentity } from '../providers.ts'
import { ROWS } from '../rows.ts'
import { expectFields, onceNeeded, section } from '../section.ts'

const SLACK_MS = 1_000

interface Profile extends Record<string, unknown> {
  _count: { ownedServers: number; votes: number }
}

/** A registered user, and the times before and after the registration. */
const thePerson = onceNeeded(async () => {
  const before = Date.now()
  return { person: await register(), before, after: Date.now() }
})

async function profileOf({ client }: Person): Promise<Profile> {
  const { status, body } = await client.get<Profile>('/api/user/profile')
  expect(status).toBe(200)
  return body
}

const profile = async () => profileOf((await thePerson()).person)

section('user profile', {
  id: ['is who they registered as', async () => expect((await profile()).id).toBe((await thePerson()).person.id)],
  email: [
    'is the address that the user logs in with',
    async () => expect((await profile()).email).toBe((await thePerson()).person.email),
  ],
  username: [
    'is the user’s name, which the user can change',
    async () => {
      const { person } = await thePerson()
      expect((await profile()).username).toBe(person.username)
      await person.client.patch('/api/user/profile', { username: 'Ada of the Isles' })
      expect((await profile()).username).toBe('Ada of the Isles')
    },
  ],
  avatarUrl: [
    'is empty until the user sets one',
    async () => {
      expect((await profile()).avatarUrl).toBe('')
      await (await thePerson()).person.client.patch('/api/user/profile', { avatarUrl: 'https://example.com/ada.png' })
      expect((await profile()).avatarUrl).toBe('https://example.com/ada.png')
    },
  ],
  gamePlatformId: [
    'is empty until the user links the game platform, then the identity there',
    async () => {
      expect((await profile()).gamePlatformId).toBe('')
      const identity = newIdentity()
      await goByGamePlatform((await thePerson()).person.client, identity)
      expect((await profile()).gamePlatformId).toBe(identity)
    },
  ],
  chatId: [
    'is empty until the user links the chat platform, then the identity there',
    async () => {
      expect((await profile()).chatId).toBe('')
      const identity = newIdentity()
      await goByChatPlatform((await thePerson()).person.client, identity)
      expect((await profile()).chatId).toBe(identity)
    },
  ],
  isAdmin: [
    'is true only for administrators',
    async () => {
      expect((await profile()).isAdmin).toBe(false)
      expect((await profileOf(operator)).isAdmin).toBe(true)
    },
  ],
  createdAt: [
    'is when the user registered',
    async () => {
      const { before, after } = await thePerson()
      const createdAt = String((await profile()).createdAt)
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Date.parse(createdAt)).toBeGreaterThan(before - SLACK_MS)
      expect(Date.parse(createdAt)).toBeLessThan(after + SLACK_MS)
    },
  ],
  _count: [
    'is how many servers the user owns, and how many votes these received',
    async () => {
      const owner = await register()
      expect((await profileOf(owner))._count).toEqual({ ownedServers: 0, votes: 0 })
      const { id } = (await createServer(owner)).server
      for (const visitorId of ['the first admirer', 'the second admirer'])
        expect((await newVisitor().post(`/api/servers/${id}/vote`, { visitorId })).status).toBe(200)
      expect((await profileOf(owner))._count).toEqual({ ownedServers: 1, votes: 2 })
      await owner.client.delete(`/api/servers/${id}`)
      expect((await profileOf(owner))._count).toEqual({ ownedServers: 0, votes: 0 })
    },
  ],
})

const keyFieldsWithout = (left: string) => ROWS['API key'].filter((field) => field !== left)

section('favorites and user', {
  'POST /api/servers/:id/favorite': [
    'answers 201 and the favorite record, 200 if it was one already, 404 for an unknown server, 401 without a session',
    async () => {
      const person = await register()
      const { id } = (await createServer(person)).server
      const added = await person.client.post(`/api/servers/${id}/favorite`)
      expect(added.status).toBe(201)
      expectFields(added.body, ROWS['favorite record'])
      const again = await person.client.post(`/api/servers/${id}/favorite`)
      expect(again).toMatchObject({ status: 200, body: added.body })
      expect((await person.client.post(`/api/servers/${UNKNOWN_ID}/favorite`)).status).toBe(404)
      expect((await newVisitor().post(`/api/servers/${id}/favorite`)).status).toBe(401)
    },
  ],
  'DELETE /api/servers/:id/favorite': [
    'removes it from the user’s list only and answers success',
    async () => {
      const [person, other] = [await register(), await register()]
      const { id } = (await createServer(person)).server
      for (const { client } of [person, other]) await client.post(`/api/servers/${id}/favorite`)
      const { status, body } = await person.client.delete(`/api/servers/${id}/favorite`)
      expect([status, body]).toEqual([200, { success: true }])
      expect((await person.client.get('/api/user/favorites')).body).toEqual({ favorites: [] })
      expect((await other.client.get('/api/user/favorites')).body).toMatchObject({ favorites: [{ id }] })
      expect((await newVisitor().delete(`/api/servers/${id}/favorite`)).status).toBe(401)
    },
  ],
  'GET /api/user/profile': [
    'answers the user’s profile, and 401 without a session',
    async () => {
      const { status, body } = await (await thePerson()).person.client.get<Profile>('/api/user/profile')
      expect(status).toBe(200)
      expectFields(body, ROWS['user profile'])
      expectFields(body._count, ['ownedServers', 'votes'])
      expect((await newVisitor().get('/api/user/profile')).status).toBe(401)
    },
  ],
  'GET /api/user/favorites': [
    'answers the servers that are favorites, and 401 without a session',
    async () => {
      const person = await register()
      const [first, second] = [(await createServer(person)).server, (await createServer(person)).server]
      for (const { id } of [first, second]) await person.client.post(`/api/servers/${id}/favorite`)
      const { status, body } = await person.client.get<{ favorites: { id: string }[] }>('/api/user/favorites')
      expect(status).toBe(200)
      expectFields(body, ['favorites'])
      expect(body.favorites.map(({ id }) => id)).toEqual([second.id, first.id])
      for (const favorite of body.favorites) expectFields(favorite, ROWS['favorite server item'])
      expect((await newVisitor().get('/api/user/favorites')).status).toBe(401)
    },
  ],
  'GET /api/user/servers': [
    'answers the user’s servers in pages of 10 by default, and 401 without a session',
    async () => {
      const owner = await register()
      const names = Array.from({ length: 11 }, (_, i) => `Number ${i + 1}`)
      for (const name of names) await createServer(owner, { name })
      const page = async (query: string) => {
        const { status, body } = await owner.client.get<{ servers: { name: string }[]; pagination: object }>(
          `/api/user/servers${query}`,
        )
        expect(status).toBe(200)
        expectFields(body, ['servers', 'pagination'])
        for (const server of body.servers) expectFields(server, ROWS['owned server item'])
        return { names: body.servers.map(({ name }) => name), pagination: body.pagination }
      }
      expect(await page('')).toEqual({
        names: names.slice(0, 10),
        pagination: { page: 1, limit: 10, total: 11, totalPages: 2 },
      })
      expect((await page('?page=2')).names).toEqual(['Number 11'])
      expect(await page('?page=2&limit=4')).toEqual({
        names: names.slice(4, 8),
        pagination: { page: 2, limit: 4, total: 11, totalPages: 3 },
      })
      expect((await owner.client.get('/api/user/servers?page=0')).status).toBe(400)
      expect((await newVisitor().get('/api/user/servers')).status).toBe(401)
    },
  ],
  'GET /api/user/api-keys': [
    'answers the user’s keys without their secrets, and 401 without a session',
    async () => {
      const person = await register()
      const { key } = await newKey(person)
      const { status, body } = await person.client.get<{ apiKeys: { key: string }[] }>('/api/user/api-keys')
      expect(status).toBe(200)
      expectFields(body, ['apiKeys'])
      expect(body.apiKeys.map((one) => one.key)).toEqual([key])
      expectFields(body.apiKeys[0], keyFieldsWithout('secret'))
      expect((await newVisitor().get('/api/user/api-keys')).status).toBe(401)
    },
  ],
  'POST /api/user/api-keys': [
    'answers 201 with key and secret, 400 without a name, and 401 without a session',
    async () => {
      const { client } = await register()
      const { status, body } = await client.post('/api/user/api-keys', { name: 'My panel' })
      expect(status).toBe(201)
      expectFields(body, keyFieldsWithout('lastUsedAt'))
      const refused = await client.post('/api/user/api-keys', {})
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'body.name' }] } })
      expect((await newVisitor().post('/api/user/api-keys', { name: 'My panel' })).status).toBe(401)
    },
  ],
})
