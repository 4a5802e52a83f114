// What only administrators can read and change.
import { expect } from 'vitest'
import type { Client } from '../../support/product-client.ts'
import { newAuction, newSlot } from '../money.ts'
import { elsewhere, listServer, newListing, newVisitor, operator, PASSWORD, register } from '../product.ts'
import { section } from '../section.ts'

/** Expects 401 without a session and 403 for users. @returns the administrator, who is allowed */
async function onlyForAdministrators(...requests: [method: string, path: string][]): Promise<Client> {
  const [visitor, user, admin] = [newVisitor(), (await register()).client, elsewhere(operator)]
  for (const [method, path] of requests) {
    const request = method === 'GET' ? {} : { body: {} }
    expect((await visitor.send(method, path, request)).status).toBe(401)
    expect((await user.send(method, path, request)).status).toBe(403)
    if (method === 'GET') expect((await admin.get(path)).status).toBe(200)
  }
  return admin
}

const publicStatus = async (id: string) => (await newVisitor().get(`/api/public/servers/${id}`)).status

section('administration', {
  '/api/admin/servers': [
    'lists servers with their hidden fields; hides one and shows it again, transfers it, and removes it',
    async () => {
      const { id, owner } = await listServer({ name: 'The isle under inspection' }, { players: 5 })
      const [path, heir] = [`/api/admin/servers/${id}`, await register()]
      const list = '/api/admin/servers'
      const admin = await onlyForAdministrators(['GET', list], ['PATCH', path], ['DELETE', path])
      const { body } = await admin.get(`${list}?search=under%20inspection`)
      expect(body).toMatchObject({
        servers: [{ id, ownerId: owner.id, ownerUsername: owner.username, isOnline: true, currentPlayers: 5 }],
        pagination: { total: 1 },
      })

      const hidden = await admin.patch(path, { hidden: true })
      expect(hidden).toMatchObject({ status: 200, body: { hiddenAt: expect.any(String) } })
      expect(await publicStatus(id)).toBe(404)
      expect((await admin.get(`${list}?hidden=true&search=inspection`)).body).toMatchObject({ servers: [{ id }] })
      expect((await admin.patch(path, { hidden: false })).body.hiddenAt).toBeNull()
      expect(await publicStatus(id)).toBe(200)

      expect((await admin.patch(path, { ownerId: heir.id })).body).toMatchObject({ ownerId: heir.id })
      expect((await owner.client.patch(`/api/servers/${id}`, { description: 'Mine' })).status).toBe(403)
      expect((await heir.client.patch(`/api/servers/${id}`, { description: 'Mine' })).status).toBe(200)

      expect((await admin.delete(path)).body).toEqual({ success: true })
      expect(await publicStatus(id)).toBe(404)
      expect((await admin.get(`${list}?search=inspection`)).body).toMatchObject({ servers: [] })
    },
  ],
  '/api/admin/users': [
    'lists accounts; changes their tier and role, bans and unbans them, and deletes them',
    async () => {
      const { id, email, username, client } = await register()
      const [path, list] = [`/api/admin/users/${id}`, '/api/admin/users']
      const admin = await onlyForAdministrators(['GET', list], ['PATCH', path], ['DELETE', path])
      const found = async () => (await admin.get<{ users: unknown[] }>(`${list}?search=${email}`)).body.users
      expect(await found()).toMatchObject([{ id, email, username, tier: 'free', isAdmin: false, bannedAt: null }])

      expect((await admin.patch(path, { tier: 'premium' })).body).toMatchObject({ tier: 'premium' })
      const key = await client.post('/api/user/api-keys', { name: 'Panel' })
      expect(key.body).toMatchObject({ tier: 'premium', rateLimit: 1_000 })

      expect((await client.get(list)).status).toBe(403)
      expect((await admin.patch(path, { isAdmin: true })).body).toMatchObject({ isAdmin: true })
      expect((await client.get(list)).status).toBe(200)
      await admin.patch(path, { isAdmin: false })
      expect((await client.get(list)).status).toBe(403)

      const login = async () => (await newVisitor().post('/api/auth/login', { email, password: PASSWORD })).status
      expect((await admin.patch(path, { banned: true })).body).toMatchObject({ bannedAt: expect.any(String) })
      expect((await client.get('/api/user/profile')).status).toBe(401)
      expect(await login()).not.toBe(200)
      await admin.patch(path, { banned: false })
      expect(await login()).toBe(200)

      expect((await admin.delete(path)).body).toEqual({ success: true })
      expect(await found()).toEqual([])
      expect(await login()).toBe(401)
    },
  ],
  '/api/admin/stats': [
    'counts accounts and servers',
    async () => {
      const admin = await onlyForAdministrators(['GET', '/api/admin/stats'])
      type Stats = Record<'users' | 'servers', Record<string, number>>
      const stats = async () => (await admin.get<Stats>('/api/admin/stats')).body
      const before = await stats()
      const { owner } = await listServer() // adds an account, too
      await elsewhere(operator).patch(`/api/admin/users/${owner.id}`, { banned: true })
      const after = await stats()
      const growth = (group: keyof Stats, count: string) =>
        (after[group][count] ?? Number.NaN) - (before[group][count] ?? Number.NaN)
      expect(['total', 'lastDay', 'banned', 'admins'].map((count) => growth('users', count))).toEqual([1, 1, 1, 0])
      expect(['total', 'online', 'hidden'].map((count) => growth('servers', count))).toEqual([1, 1, 0])
    },
  ],
  'polling and workers': [
    'are in view: overdue polls, whether a worker runs, and where votes come from',
    async () => {
      const admin = await onlyForAdministrators(['GET', '/api/admin/queues'], ['GET', '/api/admin/vote-networks'])
      expect((await admin.get('/api/admin/queues')).body).toMatchObject({ hasWorker: true })
      const { polling } = (await admin.get('/api/admin/stats')).body
      expect(polling).toMatchObject({ overdue: expect.any(Number) })
    },
  ],
  'search by id': [
    'finds an account and a server by their ids',
    async () => {
      const [{ id, owner }, admin] = [await newListing(), elsewhere(operator)]
      expect((await admin.get(`/api/admin/servers?search=${id}`)).body).toMatchObject({ servers: [{ id }] })
      expect((await admin.get(`/api/admin/users?search=${owner.id}`)).body).toMatchObject({ users: [{ id: owner.id }] })
    },
  ],
  '/api/admin/ad-slots': [
    'adds ad slots, which can be auctioned; changes them, and removes those without sales',
    async () => {
      const list = '/api/admin/ad-slots'
      const [sold, empty] = [await newSlot(), await newSlot({ tier: 'standard', name: 'Sidebar' })]
      const path = `${list}/${empty.id}`
      const admin = await onlyForAdministrators(['GET', list], ['POST', list], ['PATCH', path], ['DELETE', path])
      const found = async (id: string) => {
        const { body } = await admin.get<{ adSlots: { id: string }[] }>(`${list}?limit=100`)
        return body.adSlots.find((slot) => slot.id === id)
      }
      expect(await found(empty.id)).toEqual({ ...empty, name: 'Sidebar', width: 300, height: 250, isActive: true })
      await newAuction({}, { slot: sold })

      expect((await admin.patch(path, { width: 320, isActive: false })).body).toMatchObject({ width: 320 })
      expect(await found(empty.id)).toEqual({ ...empty, width: 320, isActive: false })
      const endsAt = new Date(Date.now() + 60_000).toISOString()
      const terms = { slotId: empty.id, title: 'None', endsAt, startingBid: 100, minimumIncrement: 100 }
      const refused = await admin.post('/api/admin/auctions', terms)
      expect(refused).toMatchObject({ status: 400, body: { error: 'slot_inactive' } })

      expect((await admin.delete(path)).body).toEqual({ success: true })
      expect(await found(empty.id)).toBeUndefined()
      const kept = await admin.delete(`${list}/${sold.id}`)
      expect(kept).toMatchObject({ status: 400, body: { error: 'slot_in_use' } })
      expect(await found(sold.id)).toEqual(sold)
    },
  ],
})
