// Access: without credentials, with a session, with an API key, as an owner, as an administrator.
import { expect } from 'vitest'
import type { Client } from '../../support/product-client.ts'
import { newKey, withHeader, withKey } from '../keys.ts'
import { confirmAddress, mailedToken } from '../mails.ts'
import { createServer, newVisitor, operator, PASSWORD, register } from '../product.ts'
import { goByChatPlatform, goByGamePlatform, newIdentity } from '../providers.ts'
import { onceNeeded, section } from '../section.ts'

const NEW_PASSWORD = 'sow the 8 fields'

const theServer = onceNeeded(async () => {
  const owner = await register()
  return { owner, ...(await createServer(owner)).server }
})

/** The user a client is logged in as; undefined without a session. */
async function whoIs(client: Client): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await client.get('/api/user/profile')
  if (status === 401) return undefined
  expect(status).toBe(200)
  return body
}

/** A new browser that is logged in by an identity at a platform, new or known there. */
async function enter(by: (client: Client, id: string) => Promise<void>, id: string) {
  const client = newVisitor()
  await by(client, id)
  return whoIs(client)
}

/** Endpoints that need at least a session. */
const protectedOnes = (id: string) =>
  [
    ['POST', `/api/servers/${id}/favorite`],
    ['DELETE', `/api/servers/${id}/favorite`],
    ['GET', '/api/user/profile'],
    ['PATCH', '/api/user/profile'],
    ['GET', '/api/user/favorites'],
    ['GET', '/api/user/servers'],
    ['GET', '/api/user/api-keys'],
    ['POST', '/api/user/api-keys'],
    ['GET', '/api/user/subscription'],
    ['GET', '/api/user/notification-preferences'],
    ['POST', '/api/user/unlink/chat'],
    ['POST', '/api/user/unlink/gameplatform'],
    ['POST', '/api/servers'],
    ['PATCH', `/api/servers/${id}`],
    ['DELETE', `/api/servers/${id}`],
    ['POST', '/api/billing/checkout'],
    ['POST', `/api/auctions/${id}/bid`],
    ['GET', '/api/admin/servers'],
    ['GET', '/api/admin/users'],
    ['GET', '/api/admin/stats'],
    ['GET', '/api/admin/ad-slots'],
  ] as const

const administration = ['/api/admin/servers', '/api/admin/users', '/api/admin/stats', '/api/admin/ad-slots']
const statusesOfAdministration = async (client: Client) =>
  Promise.all(administration.map(async (path) => (await client.get(path)).status))

section('authentication', {
  none: [
    'public endpoints, the listing and voting need no credentials',
    async () => {
      const { id } = await theServer()
      const vote = { visitorId: 'a visitor without credentials' }
      for (const path of [
        '/api/public/servers',
        `/api/public/servers/${id}`,
        '/api/public/stats',
        '/api/servers',
        `/api/servers/${id}/vote?visitorId=${encodeURIComponent(vote.visitorId)}`,
      ])
        expect([path, (await newVisitor().get(path)).status]).toEqual([path, 200])
      expect((await newVisitor().post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
    },
  ],
  'session by e-mail and password': [
    'logs a registered user in from any browser, and refuses another password',
    async () => {
      const person = await register()
      expect(await whoIs(person.client)).toMatchObject({ id: person.id })
      const elsewhere = newVisitor()
      const login = (password: string) => elsewhere.post('/api/auth/login', { email: person.email, password })
      expect(await login('another password')).toMatchObject({
        status: 401,
        body: { error: 'invalid_credentials' },
      })
      expect(await whoIs(elsewhere)).toBeUndefined()
      expect((await login(PASSWORD)).status).toBe(200)
      expect(await whoIs(elsewhere)).toMatchObject({ id: person.id, email: person.email })
    },
  ],
  'session by the chat platform': [
    'creates an account the first time and logs in to the same account later',
    async () => {
      const identity = newIdentity()
      const first = await enter(goByChatPlatform, identity)
      expect(first).toMatchObject({ chatId: identity, gamePlatformId: '', username: 'someone' })
      expect((await enter(goByChatPlatform, identity))?.id).toBe(first?.id)
      expect((await enter(goByChatPlatform, newIdentity()))?.id).not.toBe(first?.id)
    },
  ],
  'session by the game platform': [
    'creates an account the first time and logs in to the same account later, or to the account that linked the identity',
    async () => {
      const identity = newIdentity()
      const first = await enter(goByGamePlatform, identity)
      expect(first).toMatchObject({ gamePlatformId: identity, chatId: '' })
      expect((await enter(goByGamePlatform, identity))?.id).toBe(first?.id)
      const [person, linked] = [await register(), newIdentity()]
      await goByGamePlatform(person.client, linked)
      expect((await enter(goByGamePlatform, linked))?.id).toBe(person.id)
    },
  ],
  'the session is kept': [
    'in a cookie that scripts can’t read and that survives the browser’s end, until the logout',
    async () => {
      const { client, email } = await register()
      const { headers } = await client.post('/api/auth/login', { email, password: PASSWORD })
      const line = headers.getSetCookie().find((cookie) => cookie.startsWith('session='))
      expect(line).toMatch(/; HttpOnly/)
      expect(line).toMatch(/; SameSite=Lax/)
      expect(Number(/Max-Age=(\d+)/.exec(line ?? '')?.[1])).toBeGreaterThan(86_400)
      for (let visit = 1; visit <= 3; visit++) expect((await client.get('/api/auth/session')).status).toBe(200)
      const stolen = newVisitor()
      stolen.cookies.set('session', client.cookies.get('session') ?? '')
      expect(await whoIs(stolen)).toMatchObject({ email })
      expect(await client.post('/api/auth/logout')).toMatchObject({ status: 200, body: { success: true } })
      expect(client.cookies.has('session')).toBe(false)
      expect([await whoIs(client), await whoIs(stolen)]).toEqual([undefined, undefined])
    },
  ],
  'protected without authentication': [
    'answers 401 at every protected endpoint, and changes nothing',
    async () => {
      const { id, owner } = await theServer()
      for (const [method, path] of protectedOnes(id)) {
        const { status, body } = await newVisitor().send(method, path, method === 'GET' ? {} : { body: {} })
        expect([method, path, status, body.error]).toEqual([method, path, 401, 'unauthenticated'])
      }
      expect((await owner.client.get('/api/user/servers')).body).toMatchObject({ servers: [{ id }] })
    },
  ],
  'API key is shown once': [
    'only the creation’s response has the secret',
    async () => {
      const person = await register()
      const { key, secret } = await newKey(person)
      expect([key.length > 20, secret.length > 20]).toEqual([true, true])
      const { body } = await person.client.get<{ apiKeys: object[] }>('/api/user/api-keys')
      expect(body.apiKeys).toMatchObject([{ key }])
      expect(JSON.stringify(body)).not.toContain(secret)
    },
  ],
  'API key is revoked': [
    'by its owner only, and has no access from the next request on',
    async () => {
      const [person, stranger] = [await register(), await register()]
      const key = await newKey(person)
      expect((await withKey(key).get('/api/user/servers')).status).toBe(200)
      expect((await stranger.client.delete(`/api/user/api-keys/${key.id}`)).status).toBe(404)
      expect((await withKey(key).get('/api/user/servers')).status).toBe(200)
      const revoked = await person.client.delete(`/api/user/api-keys/${key.id}`)
      expect(revoked).toMatchObject({ status: 200, body: { success: true } })
      expect(await withKey(key).get('/api/user/servers')).toMatchObject({
        status: 401,
        body: { error: 'invalid_api_key' },
      })
      expect((await person.client.get('/api/user/api-keys')).body).toEqual({ apiKeys: [] })
    },
  ],
  'Authorization: Bearer <API_KEY>.<SECRET>': [
    'gives an owner’s programs the owner’s access; any other credential is 401, at public endpoints too',
    async () => {
      const { id, owner } = await theServer()
      const [key, other] = [await newKey(owner), await newKey(await register())]
      expect((await withKey(key).get('/api/v1/servers?limit=1')).status).toBe(200)
      expect((await withKey(key).get('/api/v1/user/servers')).body).toMatchObject({ servers: [{ id }] })
      expect((await withKey(key).patch(`/api/v1/servers/${id}`, { mods: 'By key' })).body.mods).toBe('By key')
      expect((await withKey(other).patch(`/api/v1/servers/${id}`, { mods: 'Not mine' })).status).toBe(403)
      expect((await withKey(key).get('/api/user/api-keys')).status).toBe(403)
      for (const wrong of [
        `Bearer ${key.key}.${other.secret}`,
        `Bearer ${key.key}`,
        `Bearer ${key.secret}.${key.key}`,
        `Bearer ${key.key}.${key.secret}x`,
        `Basic ${key.key}.${key.secret}`,
        'Bearer',
      ])
        for (const path of ['/api/v1/user/servers', '/api/v1/servers', '/api/public/stats']) {
          const { status, body } = await withHeader(wrong).get(path)
          expect([wrong, path, status, body.error]).toEqual([wrong, path, 401, 'invalid_api_key'])
        }
    },
  ],
  'API keys below /api/auth': [
    'are refused: a program does not log in',
    async () => {
      const program = withKey(await newKey(await register()))
      for (const [method, path] of [
        ['GET', '/api/auth/session'],
        ['POST', '/api/auth/login'],
      ] as const)
        expect(await program.send(method, path, method === 'POST' ? { body: {} } : {})).toMatchObject({
          status: 403,
          body: { error: 'forbidden' },
        })
    },
  ],
  'GET /api/auth/methods': [
    'lists the ways to log in',
    async () =>
      expect((await newVisitor().get('/api/auth/methods')).body).toEqual({
        password: true,
        chat: true,
        gameplatform: true,
      }),
  ],
  'POST /api/auth/verify-email': [
    'confirms the address by the mailed link, once, in the browser of the registration or with the password',
    async () => {
      const person = await register()
      const token = await mailedToken(person, { subject: 'Confirm your e-mail address', page: 'confirm' })
      const verify = (client: Client, password?: string) => client.post('/api/auth/verify-email', { token, password })
      expect(await verify(newVisitor())).toMatchObject({ status: 400, body: { error: 'password_needed' } })
      expect(await verify(newVisitor(), 'another password')).toMatchObject({ status: 401 })
      expect((await verify(person.client)).status).toBe(200)
      expect(await verify(person.client)).toMatchObject({ status: 400, body: { error: 'invalid_token' } })
      const other = await register()
      const others = await mailedToken(other, { subject: 'Confirm your e-mail address', page: 'confirm' })
      const byPassword = { token: others, password: PASSWORD }
      expect((await newVisitor().post('/api/auth/verify-email', byPassword)).status).toBe(200)
    },
  ],
  'POST /api/auth/password-reset': [
    'mails a link that sets a new password once, and ends all sessions; a newer link replaces it',
    async () => {
      const person = await register()
      await confirmAddress(person)
      const other = newVisitor()
      const login = (password: string) => other.post('/api/auth/login', { email: person.email, password })
      expect((await login(PASSWORD)).status).toBe(200)
      const reset = { subject: 'Set a new password', page: 'password' }
      const order = async (after?: string) => {
        expect((await newVisitor().post('/api/auth/password-reset', { email: person.email })).status).toBe(200)
        return mailedToken(person, { ...reset, ...(after ? { after } : {}) })
      }
      const old = await order()
      const token = await order(old)
      const set = (mailed: string) =>
        newVisitor().post('/api/auth/password-reset/confirm', { token: mailed, password: NEW_PASSWORD })
      const invalid = { status: 400, body: { error: 'invalid_token' } }
      expect(await set(old)).toMatchObject(invalid)
      expect((await whoIs(person.client))?.id).toBe(person.id)
      expect((await set(token)).status).toBe(200)
      expect(await set(token)).toMatchObject(invalid)
      expect([await whoIs(person.client), await whoIs(other)]).toEqual([undefined, undefined])
      expect((await login(PASSWORD)).status).toBe(401)
      expect((await login(NEW_PASSWORD)).status).toBe(200)
      const unknown = await newVisitor().post('/api/auth/password-reset', { email: 'a-stranger@example.com' })
      expect(unknown.status).toBe(200)
    },
  ],
  'owner or admin for PATCH and DELETE': [
    'answers 403 to other users, by session or key, and allows both',
    async () => {
      const [owner, stranger] = [await register(), await register()]
      const path = `/api/servers/${(await createServer(owner)).server.id}`
      for (const client of [stranger.client, withKey(await newKey(stranger))]) {
        expect(await client.patch(path, { mods: 'Mine' })).toMatchObject({ status: 403, body: { error: 'forbidden' } })
        expect(await client.delete(path)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      }
      expect((await newVisitor().get(path)).body.mods).toBe('')
      expect((await owner.client.patch(path, { mods: 'By the owner' })).status).toBe(200)
      expect((await operator.client.patch(path, { mods: 'By an administrator' })).status).toBe(200)
      expect((await newVisitor().get(path)).body.mods).toBe('By an administrator')
      expect((await operator.client.delete(path)).status).toBe(200)
    },
  ],
  'admin for administration': [
    'allows administrators, answers 403 to others and to every key, and 401 without a session',
    async () => {
      expect(await statusesOfAdministration(operator.client)).toEqual([200, 200, 200, 200])
      expect(await statusesOfAdministration((await register()).client)).toEqual([403, 403, 403, 403])
      expect(await statusesOfAdministration(newVisitor())).toEqual([401, 401, 401, 401])
      expect(await statusesOfAdministration(withKey(await newKey(operator)))).toEqual([403, 403, 403, 403])
    },
  ],
  'isAdmin marks administrators': [
    'is true for users in the settings and users whom an administrator promoted, until that is undone',
    async () => {
      expect((await whoIs(operator.client))?.isAdmin).toBe(true)
      const person = await register()
      for (const isAdmin of [false, true, false]) {
        await operator.client.patch(`/api/admin/users/${person.id}`, { isAdmin })
        expect((await whoIs(person.client))?.isAdmin).toBe(isAdmin)
        expect(await statusesOfAdministration(person.client)).toEqual(Array(4).fill(isAdmin ? 200 : 403))
      }
    },
  ],
})
