// Favorites: the record, and the server in the list.
import { expect } from 'vitest'
import { detailOf, listServer, register } from '../product.ts'
import { onceNeeded, section } from '../section.ts'

interface Favorite {
  id: string
  userId: string
  serverId: string
  createdAt: string
}

/** A user's favorite: the record and its server. */
const theFavorite = onceNeeded(async () => {
  const server = await listServer(
    { name: 'Everybody’s darling' },
    { players: 13, maxPlayers: 60, map: 'Ragnarok', gamePort: 7791 },
  )
  const fan = await register()
  const addedAt = Date.now()
  const { body: record } = await fan.client.post<Favorite>(`/api/servers/${server.id}/favorite`)
  return { server, fan, record, addedAt, answeredAt: Date.now() }
})

/** The favorite in the list. */
async function item(): Promise<Record<string, unknown> | undefined> {
  const { fan } = await theFavorite()
  const { body } = await fan.client.get<{ favorites: Record<string, unknown>[] }>('/api/user/favorites')
  expect(body.favorites).toHaveLength(1)
  return body.favorites[0]
}

section('favorite record', {
  id: [
    'belongs to the favorite and stays when it is added again',
    async () => {
      const { fan, record, server } = await theFavorite()
      expect(record.id).toMatch(/^[\da-f-]{36}$/)
      expect([fan.id, server.id]).not.toContain(record.id)
      expect((await fan.client.post(`/api/servers/${server.id}/favorite`)).body).toEqual(record)
    },
  ],
  userId: [
    'is the user',
    async () => {
      const { fan, record } = await theFavorite()
      expect(record.userId).toBe(fan.id)
    },
  ],
  serverId: [
    'is the server',
    async () => {
      const { record, server } = await theFavorite()
      expect(record.serverId).toBe(server.id)
    },
  ],
  createdAt: [
    'is when it was added',
    async () => {
      const { record, addedAt, answeredAt } = await theFavorite()
      expect(record.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(Date.parse(record.createdAt)).toBeGreaterThan(addedAt - 1_000)
      expect(Date.parse(record.createdAt)).toBeLessThan(answeredAt + 1_000)
    },
  ],
})

section('favorite server item', {
  id: [
    'is the server’s, for its detail',
    async () => {
      const shown = await item()
      expect(shown?.id).toBe((await theFavorite()).server.id)
      expect(await detailOf(String(shown?.id))).toMatchObject({ ...shown })
    },
  ],
  name: ['is the server’s name', async () => expect((await item())?.name).toBe('Everybody’s darling')],
  ipAddress: [
    'is where the server was listed',
    async () => expect((await item())?.ipAddress).toBe((await theFavorite()).server.game.address),
  ],
  gamePort: ['is the port players connect to', async () => expect((await item())?.gamePort).toBe(7791)],
  currentPlayers: ['is how many play there', async () => expect((await item())?.currentPlayers).toBe(13)],
  maxPlayers: ['is how many could', async () => expect((await item())?.maxPlayers).toBe(60)],
  isOnline: ['is true while the server answers', async () => expect((await item())?.isOnline).toBe(true)],
  map: ['is the map the server runs', async () => expect((await item())?.map).toBe('Ragnarok')],
})
