// The profile, the administrator role, and the notification preferences.
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addAccount, createVisitor, PASSWORD } from './support.ts'

const api = await startTestApi({ settings: { ADMIN_EMAILS: ' Boss@Example.com, Chef@Müller.de' } })
const { pool } = api.database

async function loggedIn(process: TestApi = api, email?: string) {
  const account = await addAccount(process, email)
  const visitor = createVisitor(process)
  await visitor.login(account.email)
  return { account, visitor }
}

test('the profile counts the user’s listed servers and the votes they have received', async () => {
  const { account, visitor } = await loggedIn()
  const servers = createServers({ pool })
  const [mine, gone, others] = await Promise.all(
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((ipAddress) =>
      servers.add({ name: 'A server', ipAddress, gamePort: 7777 }),
    ),
  )
  await pool.query('update servers set owner_id = $1 where id = any($2)', [account.id, [mine?.id, gone?.id]])
  for (const [server, votes] of [
    [mine, 7],
    [gone, 20],
    [others, 50],
  ] as const)
    await pool.query('update server_counters set total_votes = $2 where server_id = $1', [server?.id, votes])
  await removeServerAndNotify(pool, gone?.id ?? '')
  expect((await visitor.get('/user/profile')).body._count).toEqual({ ownedServers: 1, votes: 7 })
})

test('unset fields are empty texts, linked ones have their identity', async () => {
  const { account, visitor } = await loggedIn()
  await pool.query(
    `update users set email = null, chat_id = $2, game_platform_id = '76561198000000000' where id = $1`,
    [account.id, uuidv7()],
  )
  expect((await visitor.get('/user/profile')).body).toMatchObject({
    email: '',
    avatarUrl: '',
    chatId: expect.stringMatching(/./),
    gamePlatformId: '76561198000000000',
  })
})

test('name and picture change separately; nothing else does', async () => {
  const { visitor } = await loggedIn()
  const patch = (body: unknown) => visitor.send('PATCH', '/user/profile', body)
  const avatarUrl = 'https://pictures.example/me.png?size=200'
  expect((await patch({ username: '  Captain 🏴‍☠️'.replace(/\u200d/g, '') })).body.username).toMatch(/^Captain/)
  expect((await patch({ avatarUrl })).body).toMatchObject({ avatarUrl, username: expect.stringMatching(/^Captain/) })
  expect((await patch({ avatarUrl: '' })).body.avatarUrl).toBe('')
  expect((await patch({})).status).toBe(200)
  for (const field of ['email', 'id', 'isAdmin', 'createdAt', '_count', 'chatId', 'nonsense']) {
    const { status, body } = await patch({ username: 'Sneaky', [field]: 'x' })
    expect([field, status, body.error]).toEqual([field, 400, 'validation_failed'])
  }
  expect((await visitor.get('/user/profile')).body.username).toMatch(/^Captain/)
})

test('addresses of ADMIN_EMAILS are administrators, in production only after verification', async () => {
  const production = await startTestApi({
    database: api.database,
    settings: { NODE_ENV: 'production', ADMIN_EMAILS: 'boss@example.com,second@example.com' },
  })
  const { account, visitor } = await loggedIn(api, 'boss@example.com')
  const inProduction = createVisitor(production)
  await inProduction.login('boss@example.com')
  const isAdmin = async (who: typeof visitor) => (await who.get('/user/profile')).body.isAdmin
  expect(await isAdmin(visitor)).toBe(true)
  expect(await isAdmin(inProduction)).toBe(false)
  await pool.query('update users set email_verified_at = now() where id = $1', [account.id])
  expect(await isAdmin(inProduction)).toBe(true)
  const international = createVisitor(api)
  const credentials = { email: 'chef@müller.de', password: PASSWORD }
  expect((await international.post('/auth/register', { ...credentials, username: 'Chef' })).status).toBe(201)
  expect(await isAdmin(international)).toBe(true)

  const other = await loggedIn()
  expect(await isAdmin(other.visitor)).toBe(false)
  await pool.query('update users set is_admin = true where id = $1', [other.account.id])
  expect(await isAdmin(other.visitor)).toBe(true)
})

test('preferences have defaults, and a change keeps the others', async () => {
  const { visitor } = await loggedIn()
  const path = '/user/notification-preferences'
  const defaults = {
    email: true,
    chat: false,
    events: {
      serverOffline: true,
      serverOnline: true,
      serverWiped: false,
      voteMilestone: true,
      auctionOutbid: true,
      auctionWon: true,
    },
  }
  expect((await visitor.get(path)).body).toEqual(defaults)
  const changed = { ...defaults, chat: true, events: { ...defaults.events, serverWiped: true } }
  expect((await visitor.send('PATCH', path, { chat: true, events: { serverWiped: true } })).body).toEqual(changed)
  const more = { ...changed, email: false, events: { ...changed.events, auctionWon: false } }
  expect((await visitor.send('PATCH', path, { email: false, events: { auctionWon: false } })).body).toEqual(more)
  expect((await visitor.send('PATCH', path, {})).body).toEqual(more)
  expect((await visitor.get(path)).body).toEqual(more)
  for (const bad of [{ email: 'yes' }, { sms: true }, { events: { nothing: true } }, { events: [] }, { chat: null }])
    expect([bad, (await visitor.send('PATCH', path, bad)).status]).toEqual([bad, 400])
  expect((await visitor.get(path)).body).toEqual(more)
})

test('changes of preferences at the same time are all kept', async () => {
  const { visitor } = await loggedIn()
  const path = '/user/notification-preferences'
  const events = ['serverOffline', 'serverOnline', 'voteMilestone', 'auctionOutbid', 'auctionWon']
  await Promise.all(events.map((event) => visitor.send('PATCH', path, { events: { [event]: false } })))
  const { body } = await visitor.get(path)
  expect(Object.values(body.events)).toEqual(Array(6).fill(false))
})
