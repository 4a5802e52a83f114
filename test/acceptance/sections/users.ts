// What users change of their account: profile, subscription, notifications, linked platforms.
import { expect } from 'vitest'
import type { Client } from '../../support/product-client.ts'
import { confirmAddress, findMails } from '../mails.ts'
import { bid, newAuction, subscribe, subscriptionOf } from '../money.ts'
import { createServer, newsOf, newVisitor, PASSWORD, type Person, register, WAIT_OPTIONS } from '../product.ts'
import { goByChatPlatform, goByGamePlatform, newIdentity } from '../providers.ts'
import { type RowTest, section } from '../section.ts'

const DAY_MS = 86_400_000

const profileOf = async (client: Client) => (await client.get('/api/user/profile')).body

/** The same test for both platforms. */
function unlinking(path: string, field: string, go: (client: Client, id: string) => Promise<void>): RowTest {
  return [
    'removes the identity, which then logs in to another account; the last login method can’t be removed',
    async () => {
      const [{ id, client }, identity] = [await register(), newIdentity()]
      await go(client, identity)
      expect(await profileOf(client)).toMatchObject({ id, [field]: identity })
      const [before, after] = [newVisitor(), newVisitor()]
      await go(before, identity)
      expect(await profileOf(before)).toMatchObject({ id })

      expect(await client.post(path)).toMatchObject({ status: 200, body: { success: true } })
      expect(await profileOf(client)).toMatchObject({ id, [field]: '' })
      await go(after, identity)
      expect((await profileOf(after)).id).not.toBe(id)

      expect((await after.post(path)).status).toBe(400)
      expect(await profileOf(after)).toMatchObject({ [field]: identity })
      expect((await newVisitor().post(path)).status).toBe(401)
    },
  ]
}

/** Two bidders outbid each other; a third outbids the second. */
async function outbidBoth(first: Person, second: Person): Promise<void> {
  const { id } = await newAuction()
  expect((await bid(first, id, 500)).status).toBe(201)
  expect((await bid(second, id, 600)).status).toBe(201)
  expect((await bid(await register(), id, 700)).status).toBe(201)
}

section('user management', {
  'PATCH /api/user/profile': [
    'changes name and picture separately, and nothing else',
    async () => {
      const { client, email } = await register()
      const avatarUrl = 'https://example.com/me.png'
      const path = '/api/user/profile'
      expect(await client.patch(path, { avatarUrl })).toMatchObject({ status: 200, body: { avatarUrl, email } })
      expect(await client.patch(path, { username: 'Grace' })).toMatchObject({ status: 200, body: { avatarUrl } })
      for (const change of [{ isAdmin: true }, { email: 'other@example.com' }, { username: '' }])
        expect((await client.patch(path, change)).status).toBe(400)
      expect(await profileOf(client)).toMatchObject({ username: 'Grace', avatarUrl, email, isAdmin: false })
      expect((await newVisitor().patch(path, { username: 'Grace' })).status).toBe(401)
    },
  ],
  'POST /api/user/password': [
    'changes the password, which takes the current one, and ends all other sessions',
    async () => {
      const { email, client } = await register()
      const other = newVisitor()
      const login = (password: string) => other.post('/api/auth/login', { email, password })
      const change = (currentPassword: string) =>
        client.post('/api/user/password', { currentPassword, newPassword: 'sow the 8 fields' })
      expect((await login(PASSWORD)).status).toBe(200)
      expect(await change('another password')).toMatchObject({ status: 401, body: { error: 'invalid_credentials' } })
      expect((await other.get('/api/user/profile')).status).toBe(200)
      expect((await change(PASSWORD)).status).toBe(200)
      expect((await client.get('/api/user/profile')).status).toBe(200)
      expect((await other.get('/api/user/profile')).status).toBe(401)
      expect((await login(PASSWORD)).status).toBe(401)
      expect((await login('sow the 8 fields')).status).toBe(200)
      expect((await newVisitor().post('/api/user/password', { newPassword: 'sow the 8 fields' })).status).toBe(401)
    },
  ],
  '/api/user/subscription': [
    'shows the tier and until when it is paid; canceled, it lasts until then',
    async () => {
      const person = await register()
      const path = '/api/user/subscription'
      const none = { tier: 'free', status: 'none', currentPeriodEnd: null, cancelAtPeriodEnd: false }
      expect((await person.client.get(path)).body).toMatchObject(none)
      expect(await person.client.delete(path)).toMatchObject({ status: 400, body: { error: 'no_subscription' } })
      const paidAt = Date.now()
      await subscribe(person, 'standard')
      const { currentPeriodEnd, ...paid } = await subscriptionOf(person)
      expect(paid).toMatchObject({ tier: 'standard', status: 'active', cancelAtPeriodEnd: false })
      const paidDays = (Date.parse(String(currentPeriodEnd)) - paidAt) / DAY_MS
      expect(Math.round(paidDays)).toBe(30) // the sandbox's month
      expect((await person.client.delete(path)).body).toEqual({ ...paid, currentPeriodEnd, cancelAtPeriodEnd: true })
      expect(await subscriptionOf(person)).toMatchObject({ tier: 'standard', cancelAtPeriodEnd: true })
      const portal = await person.client.post<{ url: string }>(`${path}/portal`)
      expect((await fetch(portal.body.url)).status).toBe(200)
      expect((await newVisitor().get(path)).status).toBe(401)
    },
  ],
  tiers: [
    'are shown with what each allows, and whether they can be ordered',
    async () => {
      expect((await (await register()).client.get('/api/user/subscription')).body).toMatchObject({
        canSubscribe: true,
        tiers: [
          { name: 'free', rateLimit: 10 },
          { name: 'standard', rateLimit: 100 },
          { name: 'premium', rateLimit: 1_000 },
          { name: 'enterprise', rateLimit: 10_000 },
        ],
      })
    },
  ],
  '/api/user/notification-preferences': [
    'shows and changes which notifications the user gets; omitted ones stay, disabled ones are not sent',
    async () => {
      const [deaf, hearing] = [await register(), await register()]
      const path = '/api/user/notification-preferences'
      const { body: before } = await deaf.client.get<{ events: Record<string, boolean> }>(path)
      expect(before).toMatchObject({ email: true, chat: false, events: { auctionOutbid: true, auctionWon: true } })
      const after = { ...before, events: { ...before.events, auctionOutbid: false } }
      const changed = await deaf.client.patch(path, { events: { auctionOutbid: false } })
      expect(changed).toMatchObject({ status: 200, body: after })
      expect((await deaf.client.get(path)).body).toEqual(after)
      expect((await deaf.client.patch(path, { events: { weather: true } })).status).toBe(400)
      expect((await newVisitor().get(path)).status).toBe(401)

      await outbidBoth(deaf, hearing) // notifications are created in order
      await expect.poll(() => newsOf(hearing), WAIT_OPTIONS).toMatchObject([{ event: 'auctionOutbid' }])
      expect(await newsOf(deaf)).toEqual([])
    },
  ],
  '/api/user/unlink/chat': unlinking('/api/user/unlink/chat', 'chatId', goByChatPlatform),
  '/api/user/unlink/gameplatform': unlinking('/api/user/unlink/gameplatform', 'gamePlatformId', goByGamePlatform),
  'DELETE /api/user/sessions': [
    'ends all sessions but the presented one',
    async () => {
      const { email, client } = await register()
      const other = newVisitor()
      expect((await other.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
      expect(await client.delete('/api/user/sessions')).toMatchObject({ status: 200, body: { success: true } })
      expect((await client.get('/api/user/profile')).status).toBe(200)
      expect((await other.get('/api/user/profile')).status).toBe(401)
      expect((await newVisitor().delete('/api/user/sessions')).status).toBe(401)
    },
  ],
  'DELETE /api/user': [
    'takes the password and deletes the account, which is mailed; its servers stay listed without an owner, and bids are void',
    async () => {
      const [person, rival] = [await register(), await register()]
      await confirmAddress(person)
      const { server } = await createServer(person)
      const { id } = await newAuction()
      expect((await bid(rival, id, 500)).status).toBe(201)
      expect((await bid(person, id, 600)).status).toBe(201)
      const leave = (password: string) => person.client.send('DELETE', '/api/user', { body: { password } })
      expect(await leave('another password')).toMatchObject({ status: 401, body: { error: 'invalid_credentials' } })
      expect(await leave(PASSWORD)).toMatchObject({ status: 200, body: { success: true } })
      expect(person.client.cookies.has('session')).toBe(false)
      const login = { email: person.email, password: PASSWORD }
      expect((await newVisitor().post('/api/auth/login', login)).status).toBe(401)
      expect((await newVisitor().get(`/api/servers/${server.id}`)).body).toMatchObject({ isVerified: false })
      expect((await newVisitor().get(`/api/auctions/${id}`)).body).toMatchObject({ currentBid: 500, bidCount: 1 })
      const mailed = () =>
        findMails('Your account was deleted').filter(({ headers }) => headers.get('to') === person.email)
      await expect.poll(() => mailed().length, WAIT_OPTIONS).toBe(1)
    },
  ],
})
