// Teams: members and what they may do, hand-overs, keys with scopes, and the numbers that all of them read.
import { expect } from 'vitest'
import { createClient } from '../../support/product-client.ts'
import { theCopied } from '../activity.ts'
import { listServer, type Person, product, register } from '../product.ts'
import { section } from '../section.ts'

/** Invites by name, and has the invitation accepted. */
async function addMember(id: string, owner: Person, member: Person, role: string): Promise<void> {
  const path = `/api/servers/${id}/members`
  expect((await owner.client.post(path, { username: member.username, role })).status).toBe(201)
  await accept(member)
}

async function accept({ client }: Person, body: object = {}): Promise<void> {
  const { invitations } = (await client.get<{ invitations: { id: string }[] }>('/api/user/invitations')).body
  expect(invitations).toHaveLength(1)
  expect((await client.post(`/api/user/invitations/${invitations[0]?.id}/accept`, body)).status).toBe(200)
}

section('teams', {
  members: [
    'managers edit, viewers read, and a removed member loses it with the next request; all is audited by name',
    async () => {
      const [{ id, owner }, manager, viewer] = [await listServer(), await register(), await register()]
      await addMember(id, owner, manager, 'manager')
      await addMember(id, owner, viewer, 'viewer')
      const path = `/api/servers/${id}`
      expect((await manager.client.patch(path, { description: 'By the manager' })).status).toBe(200)
      expect((await viewer.client.patch(path, { description: 'By the viewer' })).status).toBe(403)
      expect((await viewer.client.get(`${path}/votes`)).status).toBe(200)
      expect((await manager.client.delete(path)).status).toBe(403)
      const { body } = await owner.client.get(`${path}/audit`)
      expect(body).toMatchObject({
        entries: [{ action: 'server.update', actorUsername: manager.username }, {}, {}, {}, {}],
      })
      expect((await owner.client.delete(`${path}/members/${manager.id}`)).status).toBe(200)
      expect((await manager.client.patch(path, { description: 'Again' })).status).toBe(403)
    },
  ],
  'hand-over': [
    'needs both sides; endpoints go unless the new owner keeps them',
    async () => {
      const [{ id, owner }, heir] = [await listServer(), await register()]
      await addMember(id, owner, heir, 'manager')
      const endpoint = { kind: 'votifier2', host: '127.0.0.1', port: 8192, token: 'a token of the former owner' }
      expect((await owner.client.post(`/api/servers/${id}/endpoints`, endpoint)).status).toBe(201)
      expect((await owner.client.post(`/api/servers/${id}/handover`, { userId: heir.id })).status).toBe(201)
      expect((await heir.client.delete(`/api/servers/${id}`)).status).toBe(403)
      await accept(heir)
      expect((await heir.client.get(`/api/servers/${id}/endpoints`)).body).toMatchObject({ endpoints: [] })
      expect((await owner.client.patch(`/api/servers/${id}`, { description: 'Still mine' })).status).toBe(403)
    },
  ],
  scopes: [
    'a key without a scope gets 403 that names it',
    async () => {
      const { id, owner } = await listServer()
      const { body: key } = await owner.client.post<{ key: string; secret: string }>('/api/user/api-keys', {
        name: 'Reader',
        scopes: ['read'],
      })
      const reader = createClient(product, { authorization: `Bearer ${key.key}.${key.secret}` })
      expect((await reader.get('/api/v1/user/servers')).status).toBe(200)
      const refused = await reader.patch(`/api/v1/servers/${id}`, { description: 'By a reader' })
      expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('servers:write') } })
    },
  ],
  activity: [
    'counts views and copied addresses by day for the team, without cookies',
    async () => {
      const { id, owner, visitor } = await theCopied()
      const copies = async () => {
        const { body } = await owner.client.get<{ days: { copies: number }[] }>(`/api/servers/${id}/activity`)
        return body.days.reduce((sum, day) => sum + day.copies, 0)
      }
      await expect.poll(copies, { interval: 2_000, timeout: 90_000 }).toBe(1)
      expect((await visitor.get(`/api/servers/${id}/activity`)).status).toBe(401)
    },
    120_000,
  ],
})
