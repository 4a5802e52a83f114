// An attacker registers a victim's address; the victim verifies it later.
import { expect, it } from 'vitest'
import { atFileEnd } from '../support/at-file-end.ts'
import { startFakeChatProvider } from '../support/fake-chat-provider.ts'
import { startFakeGamePlatform } from '../support/fake-game-platform.ts'
import { goByPlatform } from '../support/platform-login.ts'
import { type Client, createClient } from '../support/product-client.ts'
import { findMailsOf } from '../support/product-mails.ts'
import { PASSWORD, type Person, registerAt, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'

const OWNERS_PASSWORD = 'a different 7 seas'
const [chat, game] = [await startFakeChatProvider(), await startFakeGamePlatform()]
atFileEnd(chat.close)
atFileEnd(game.close)
// In production, users in ADMIN_EMAILS are administrators once their address is verified.
const product = await startProduct({
  NODE_ENV: 'production',
  APP_SECRET: 'a secret of the tests, 32 characters and more',
  ALLOW_HTTP: 'true',
  REQUIRE_SECOND_FACTOR: 'false',
  ADMIN_EMAILS: 'reset@example.com,confirm@example.com,honest@example.com',
  DISCORD_CLIENT_ID: chat.clientId,
  DISCORD_CLIENT_SECRET: chat.clientSecret,
  DISCORD_BASE_URL: chat.origin,
  STEAM_OPENID_BASE_URL: game.baseUrl,
})

let identities = 0
const newIdentity = () => `765611990${String(++identities).padStart(8, '0')}`
const newClient = (headers = {}) => createClient(product, headers)
const statusOf = async (client: Client, path: string) => (await client.get(path)).status

async function login(client: Client, email: string, password: string) {
  return client.post<{ user: { id: string; isAdmin: boolean } }>('/api/auth/login', { email, password })
}

/** The token in the newest mail to an address with this subject. */
async function tokenIn(subject: string, email: string): Promise<string> {
  const found = () =>
    findMailsOf(product, subject).find(
      ({ headers }) => headers.get('to') === email && headers.get('subject') === subject,
    )
  await expect.poll(found, WAIT_OPTIONS).toBeDefined()
  return /#([\w-]{43})$/m.exec(found()?.text ?? '')?.[1] ?? ''
}

interface Foothold extends Person {
  chatId: string
  steamId: string
  /** A client that sends only the API key. */
  keyed: Client
  serverId: string
  /** Another client, logged in with the password. */
  others: Client[]
}

/** Sets up everything that an account allows before its address is verified. */
async function settleIn(email: string): Promise<Foothold> {
  const person = await registerAt(product, email)
  const { client } = person
  const [chatId, steamId] = [newIdentity(), newIdentity()]
  await goByPlatform(client, chat, chatId)
  await goByPlatform(client, game, steamId)
  const key = await client.post<{ key: string; secret: string }>('/api/user/api-keys', { name: 'Mine' })
  const keyed = newClient({ authorization: `Bearer ${key.body.key}.${key.body.secret}` })
  const webhook = { url: 'https://attacker.example/hook' }
  expect((await client.put('/api/user/notification-preferences/chat-webhook', webhook)).status).toBe(200)
  const listing = { name: `Server of ${email.split('@')[0]}`, ipAddress: `${person.id}.invalid`, gamePort: 7777 }
  const listed = await client.post<{ server: { id: string } }>('/api/servers', listing)
  expect(listed.status).toBe(201)
  const serverId = listed.body.server.id
  const events = { events: ['serverOffline'] }
  expect((await client.put(`/api/servers/${serverId}/notifications`, events)).status).toBe(200)
  const others = [newClient(), newClient(), newClient()]
  for (const other of others) expect((await login(other, email, PASSWORD)).status).toBe(200)
  expect(await statusOf(keyed, '/api/user/servers')).toBe(200)
  return { ...person, chatId, steamId, keyed, serverId, others }
}

async function resetBy(client: Client, email: string) {
  expect((await client.post('/api/auth/password-reset', { email })).status).toBe(200)
  const token = await tokenIn('Set a new password', email)
  const answer = await client.post('/api/auth/password-reset/confirm', { token, password: OWNERS_PASSWORD })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
}

it('the owner’s reset leaves the attacker no access, reports what was removed, and keeps the listing', async () => {
  const email = 'reset@example.com'
  const attacker = await settleIn(email)
  const owner = newClient()
  await resetBy(owner, email)

  for (const client of [attacker.client, ...attacker.others])
    expect(await statusOf(client, '/api/auth/session')).toBe(401)
  expect(await attacker.keyed.get('/api/user/servers')).toMatchObject({
    status: 401,
    body: { error: 'invalid_api_key' },
  })
  for (const [platform, id] of [
    [chat, attacker.chatId],
    [game, attacker.steamId],
  ] as const) {
    const client = newClient()
    await goByPlatform(client, platform, id)
    const { body } = await client.get('/api/user/profile')
    expect(body).toMatchObject({ isAdmin: false, email: '' })
    expect(body.id).not.toBe(attacker.id)
  }
  // A device cookie from before has no attempts of its own: they count for the client address.
  const guesser = newClient()
  const answers: number[] = []
  for (const { cookies } of attacker.others)
    for (let guess = 1; guess <= 5; guess++) {
      guesser.cookies.set('device', cookies.get('device') ?? '')
      answers.push((await login(guesser, email, `not the password ${guess}`)).status)
    }
  expect(answers).toEqual([...Array(5).fill(401), ...Array(10).fill(429)])

  expect(await login(owner, email, OWNERS_PASSWORD)).toMatchObject({
    status: 200,
    body: { user: { id: attacker.id, isAdmin: true, chatId: '', gamePlatformId: '', _count: { ownedServers: 1 } } },
  })
  expect((await owner.get('/api/user/api-keys')).body).toEqual({ apiKeys: [] })
  const webhook = await owner.get('/api/user/notification-preferences/chat-webhook')
  expect(webhook.body).toEqual({ isSet: false, host: '' })
  expect((await owner.get(`/api/servers/${attacker.serverId}/notifications`)).body).toEqual({ events: [] })

  const details = {
    isFirstProof: true,
    sessions: 4,
    identities: ['chat', 'gameplatform'],
    apiKeys: 1,
    chatWebhook: true,
    subscriptions: 1,
    pushBrowsers: 0,
    invitations: 0,
    members: 0,
  }
  expect((await owner.get(`/api/admin/audit?targetId=${attacker.id}&action=user.drop_access`)).body).toMatchObject({
    entries: [{ actorId: attacker.id, action: 'user.drop_access', targetType: 'user', details }],
  })
  const mails = () => findMailsOf(product, 'first proof').filter(({ headers }) => headers.get('to') === email)
  await expect.poll(mails, WAIT_OPTIONS).toHaveLength(1)
  for (const item of [
    '4 sessions',
    'the chat platform',
    'the game platform',
    '1 API key',
    'the chat webhook',
    '1 subscription',
  ])
    expect(mails()[0]?.text).toContain(item)
})

it('a confirmation by the owner, who does not know the account, does not make the attacker an administrator', async () => {
  const email = 'confirm@example.com'
  const attacker = await settleIn(email)
  const token = await tokenIn('Confirm your e-mail address', email)
  const elsewhere = (await registerAt(product)).client
  for (const client of [newClient(), elsewhere]) {
    const answer = await client.post<{ message: string }>('/api/auth/verify-email', { token })
    expect(answer).toMatchObject({ status: 400, body: { error: 'password_needed' } })
    expect(answer.body.message).toContain('Not your account? Reset its password')
    const wrong = await client.post('/api/auth/verify-email', { token, password: OWNERS_PASSWORD })
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_credentials' } })
  }
  const byIdentity = newClient()
  await goByPlatform(byIdentity, game, attacker.steamId)
  for (const client of [attacker.client, byIdentity]) {
    expect((await client.get('/api/user/profile')).body.isAdmin).toBe(false)
    expect(await statusOf(client, '/api/admin/stats')).toBe(403)
  }
  await resetBy(newClient(), email)
  expect(await statusOf(byIdentity, '/api/auth/session')).toBe(401)
})

it('a user who registers, sets the account up and confirms later keeps everything', async () => {
  const email = 'honest@example.com'
  const person = await settleIn(email)
  const token = await tokenIn('Confirm your e-mail address', email)
  expect((await person.client.post('/api/auth/verify-email', { token })).status).toBe(200)
  expect((await person.client.get('/api/user/profile')).body).toMatchObject({
    isAdmin: true,
    chatId: person.chatId,
    gamePlatformId: person.steamId,
  })
  for (const client of person.others) expect(await statusOf(client, '/api/auth/session')).toBe(200)
  expect(await statusOf(person.keyed, '/api/user/servers')).toBe(200)
  const webhook = await person.client.get('/api/user/notification-preferences/chat-webhook')
  expect(webhook.body).toMatchObject({ isSet: true })
  expect((await person.client.get(`/api/servers/${person.serverId}/notifications`)).body).toEqual({
    events: ['serverOffline'],
  })
})
