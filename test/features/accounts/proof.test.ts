// Who verifies an address, and what access remains from before the verification.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { writeMail } from '../../../src/features/accounts/index.ts'
import type { MailRequest } from '../../../src/features/mail/index.ts'
import { startTestApi } from '../../support/api.ts'
import { type Browser, createBrowser } from '../../support/browser.ts'
import { countLockWaits } from '../../support/database.ts'
import { startFakeChatProvider } from '../../support/fake-chat-provider.ts'
import { startFakeGamePlatform } from '../../support/fake-game-platform.ts'
import { comeBack, failed, failureOf, logIn, PUBLIC_BASE_URL, profileOf } from './provider-support.ts'
import { addAccount, createVisitor, LOCK_USER, mailedToken, PASSWORD, type Visitor, whileLocked } from './support.ts'

const [chat, platform] = [await startFakeChatProvider(), await startFakeGamePlatform()]
const api = await startTestApi({
  settings: {
    PUBLIC_BASE_URL,
    DISCORD_CLIENT_ID: chat.clientId,
    DISCORD_CLIENT_SECRET: chat.clientSecret,
    DISCORD_BASE_URL: chat.origin,
    STEAM_OPENID_BASE_URL: platform.baseUrl,
  },
})
const { pool } = api.database
const NEW_PASSWORD = 'a different 7 seas'
const HOOK = { url: 'https://chat.example/hook' }
const CHAT_WEBHOOK = '/user/notification-preferences/chat-webhook'

let people = 0
function newPerson(): void {
  people++
  chat.user = { id: `7100000000${people}`, username: `user${people}`, email: null }
  platform.steamId = `765611960000${String(people).padStart(5, '0')}`
}

/** A browser with the visitor's cookies, to log in at the platforms. */
function browserOf(visitor: Visitor): Browser {
  const browser = createBrowser(api)
  for (const [name, value] of visitor.cookies) browser.cookies.set(name, value)
  return browser
}

async function loggedIn(email: string, password = PASSWORD): Promise<Visitor> {
  const visitor = createVisitor(api)
  expect((await visitor.login(email, password)).status).toBe(200)
  return visitor
}

/** An account with a key, both identities and a chat webhook. */
async function addFurnished() {
  newPerson()
  const account = await addAccount(api)
  const visitor = await loggedIn(account.email)
  expect((await visitor.post('/user/api-keys', { name: 'Mine' })).status).toBe(201)
  expect((await visitor.send('PUT', CHAT_WEBHOOK, HOOK)).status).toBe(200)
  for (const from of [chat, platform]) await logIn(browserOf(visitor), from)
  return { ...account, visitor }
}

/** Everything besides the password that gives access to an account. */
async function accessOf(id: string) {
  const { rows } = await pool.query(
    `select chat_id is not null as chat, game_platform_id is not null as platform, email_verified_at is not null as verified,
       (select count(*) from api_keys where user_id = users.id and revoked_at is null) as keys,
       (select count(*) from chat_webhooks where user_id = users.id) as webhooks,
       (select count(*) from sessions where user_id = users.id) as sessions
     from users where id = $1`,
    [id],
  )
  return rows[0]
}

const markProved = (id: string) => pool.query('update users set email_verified_at = now() where id = $1', [id])
const verifyToken = (userId: string) => mailedToken(api, { kind: 'verify-email', userId })
const resetToken = (userId: string) => mailedToken(api, { kind: 'reset-password', userId })
const confirm = (visitor: Visitor, body: object) => visitor.post('/auth/verify-email', body)
const reset = (token: string, more: object = {}) =>
  createVisitor(api).post('/auth/password-reset/confirm', { token, password: NEW_PASSWORD, ...more })
const codeOf = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error]

async function lastMailOrder(userId: string): Promise<MailRequest> {
  const { rows } = await pool.query<{ data: MailRequest }>(
    `select data - '_cause' as data from pgboss.job where name = 'mail' and data ->> 'userId' = $1 order by created_on desc limit 1`,
    [userId],
  )
  return rows[0]?.data as MailRequest
}

/** Without the entries of `addFurnished`. */
const auditOf = async (userId: string) =>
  (
    await pool.query(
      `select actor_id, action, details from audit_log
       where target_id = $1 and action not in ('user.api-key.create', 'user.identity.link')`,
      [userId],
    )
  ).rows

test('a confirmation is valid with the password, or in a browser that logged in with it, and removes nothing', async () => {
  for (const how of ['password', 'session']) {
    const { id, visitor } = await addFurnished()
    const token = await verifyToken(id)
    const answer =
      how === 'session'
        ? await confirm(visitor, { token })
        : await confirm(createVisitor(api), { token, password: PASSWORD })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    const kept = { chat: true, platform: true, keys: 1, webhooks: 1, sessions: 1 }
    expect(await accessOf(id)).toEqual({ ...kept, verified: true })
    expect(await auditOf(id)).toEqual([])
  }
})

test('no other confirmation is valid, and the token stays valid', async () => {
  const { id, email } = await addFurnished()
  const token = await verifyToken(id)
  const byIdentity = createBrowser(api)
  await logIn(byIdentity, chat)
  const stranger = await loggedIn((await addAccount(api)).email)
  const old = await loggedIn(email)
  await pool.query('update sessions set opened_by = null where user_id = $1 and opened_by = $2', [id, 'password'])
  const identityVisitor = createVisitor(api)
  for (const [name, value] of byIdentity.cookies) identityVisitor.cookies.set(name, value)
  for (const visitor of [createVisitor(api), stranger, identityVisitor, old])
    expect(codeOf(await confirm(visitor, { token }))).toEqual([400, 'password_needed'])
  expect(codeOf(await confirm(createVisitor(api), { token, password: NEW_PASSWORD }))).toEqual([
    401,
    'invalid_credentials',
  ])
  expect(await accessOf(id)).toMatchObject({ verified: false })
  expect((await confirm(createVisitor(api), { token, password: PASSWORD })).status).toBe(200)
})

test('guesses with a mailed token are throttled, and a wrong token counts none', async () => {
  const { id } = await addAccount(api)
  const token = await verifyToken(id)
  const answers = []
  for (let n = 0; n < 6; n++)
    answers.push((await confirm(createVisitor(api), { token, password: NEW_PASSWORD })).status)
  expect(answers).toEqual([401, 401, 401, 401, 401, 429])
  for (let n = 0; n < 6; n++)
    expect(codeOf(await confirm(createVisitor(api), { token: 'x', password: PASSWORD }))).toEqual([
      400,
      'invalid_token',
    ])
})

test('an account without a password is confirmed in a browser that is logged in to it', async () => {
  newPerson()
  chat.user = { ...chat.user, email: `proof${people}@example.com`, verified: true }
  const browser = createBrowser(api)
  await logIn(browser, chat)
  const id = String((await profileOf(browser)).id)
  const token = await verifyToken(id)
  expect(codeOf(await confirm(createVisitor(api), { token }))).toEqual([400, 'password_needed'])
  expect(codeOf(await confirm(createVisitor(api), { token, password: PASSWORD }))).toEqual([401, 'invalid_credentials'])
  const visitor = createVisitor(api)
  for (const [name, value] of browser.cookies) visitor.cookies.set(name, value)
  expect((await confirm(visitor, { token })).status).toBe(200)
})

test('of a simultaneous confirmation and reset, the confirmation comes first or fails', async () => {
  for (let round = 0; round < 4; round++) {
    const { id } = await addFurnished()
    const [verification, resetting] = [await verifyToken(id), await resetToken(id)]
    const [confirmed, answered] = await Promise.all([
      confirm(createVisitor(api), { token: verification, password: PASSWORD }),
      reset(resetting),
    ])
    expect(answered.status).toBe(200)
    const left = confirmed.status === 200 ? { chat: true, keys: 1, webhooks: 1 } : { chat: false, keys: 0, webhooks: 0 }
    expect(await accessOf(id)).toMatchObject({ ...left, verified: true, sessions: 0 })
  }
})

test('a reset that is the first verification removes all other access or, when it fails, nothing', async () => {
  const { id, visitor } = await addFurnished()
  const before = await accessOf(id)
  const token = await resetToken(id)
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$`)
  await pool.query('create trigger refuse before insert on audit_log for each row execute function refuse()')
  try {
    expect((await reset(token)).status).toBe(500)
  } finally {
    await pool.query('drop trigger refuse on audit_log')
  }
  expect(await accessOf(id)).toEqual(before)
  expect((await visitor.get('/auth/session')).status).toBe(200)

  expect((await reset(token)).status).toBe(200)
  const nothing = { chat: false, platform: false, keys: 0, webhooks: 0, sessions: 0 }
  expect(await accessOf(id)).toEqual({ ...nothing, verified: true })
})

test('a reset of a verified address ends sessions only, and other access on request', async () => {
  const { id } = await addFurnished()
  await markProved(id)
  expect((await reset(await resetToken(id))).status).toBe(200)
  const kept = { chat: true, platform: true, keys: 1, webhooks: 1, sessions: 0, verified: true }
  expect(await accessOf(id)).toEqual(kept)
  expect(await auditOf(id)).toEqual([])
  expect(await lastMailOrder(id)).toEqual({ kind: 'password-changed', userId: id, withdrawn: 0 })

  expect((await reset(await resetToken(id), { revokeAccess: true })).status).toBe(200)
  expect(await accessOf(id)).toEqual({
    chat: false,
    platform: false,
    keys: 0,
    webhooks: 0,
    sessions: 0,
    verified: true,
  })
  const details = {
    isFirstProof: false,
    sessions: 0,
    identities: ['chat', 'gameplatform'],
    apiKeys: 1,
    voteKeys: 0,
    chatWebhook: true,
    subscriptions: 0,
    pushBrowsers: 0,
    secondFactor: false,
    invitations: 0,
    members: 0,
  }
  expect(await auditOf(id)).toEqual([{ actor_id: id, action: 'user.drop_access', details }])
  const order = await lastMailOrder(id)
  expect(order).toMatchObject({ kind: 'password-changed', dropped: details })
  if (order.kind !== 'password-changed') throw new Error('another mail')
  const mail = await writeMail(api.deps, order, randomUUID())
  expect(mail?.text).toContain('  - 1 API key\n  - the chat webhook\n')
  expect(mail?.text).not.toContain('first proof')
})

test('a reset that revokes access says that browsers get no alerts any more', async () => {
  const { id, email } = await addAccount(api)
  await markProved(id)
  await loggedIn(email)
  await pool.query(
    `insert into push_browsers (id, user_id, session_id, endpoint_hash, subscription, language)
     select gen_random_uuid(), user_id, session_id, gen_random_uuid(), 'encrypted', 'en'
     from sessions cross join lateral (values (public_id), (null)) as of_session (session_id) where user_id = $1`,
    [id],
  )
  expect((await reset(await resetToken(id), { revokeAccess: true })).status).toBe(200)
  expect((await pool.query('select from push_browsers where user_id = $1', [id])).rowCount).toBe(0)
  const order = await lastMailOrder(id)
  if (order.kind !== 'password-changed') throw new Error('another mail')
  const mail = await writeMail(api.deps, order, randomUUID())
  expect(mail?.text).toContain('  - 1 session\n  - push messages to 2 browsers\n')
})

test('the mail that offers a reset lists what it removes, if the address was never verified', async () => {
  const { id } = await addAccount(api)
  const text = async () => {
    const mail = await writeMail(api.deps, { kind: 'reset-password', userId: id }, randomUUID())
    return mail?.text.replaceAll(/\s+/g, ' ') // the line breaks follow the wording
  }
  expect(await text()).toContain('API keys')
  await markProved(id)
  expect(await text()).not.toContain('API keys')
})

test('a request that waits while a reset ends its session creates nothing', async () => {
  newPerson()
  const { id, email } = await addAccount(api)
  const visitor = await loggedIn(email)
  await logIn(browserOf(visitor), chat)
  const linking = browserOf(visitor)
  const back = await comeBack(linking, platform)
  const entering = createBrowser(api)
  const entrance = await comeBack(entering, chat)
  const token = await resetToken(id)

  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from users where id = $1 for update', [id])
    const resetting = reset(token)
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    const late = Promise.all([
      visitor.post('/user/api-keys', { name: 'Late' }).then(codeOf),
      visitor.send('PUT', CHAT_WEBHOOK, HOOK).then(codeOf),
      linking.go(back).then(failureOf),
      entering.go(entrance).then(failureOf),
    ])
    await expect.poll(() => countLockWaits(pool)).toBe(5)
    await holder.query('commit')
    expect((await resetting).status).toBe(200)
    expect(await late).toEqual([
      [401, 'unauthenticated'],
      [401, 'unauthenticated'],
      failed('session_changed'),
      failed('unlinked'),
    ])
  } finally {
    holder.release()
  }
  const nothing = { chat: false, platform: false, keys: 0, webhooks: 0, sessions: 0 }
  expect(await accessOf(id)).toEqual({ ...nothing, verified: true })
})

test('a first password that waits while its session is ended is not set', async () => {
  const { id, email } = await addAccount(api)
  const [owner, thief] = [await loggedIn(email), await loggedIn(email)]
  await pool.query('update users set password_hash = null where id = $1', [id])
  const [ended, late] = await whileLocked(pool, LOCK_USER, id, async () => {
    const ending = owner.send('DELETE', '/user/sessions')
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    const changing = thief.post('/user/password', { newPassword: NEW_PASSWORD })
    await expect.poll(() => countLockWaits(pool)).toBe(2)
    return [ending, changing] as const
  })
  expect((await ended).status).toBe(200)
  expect(codeOf(await late)).toEqual([401, 'unauthenticated'])
})

test('logging in from a session whose account is being reset does not deadlock', async () => {
  for (let round = 0; round < 4; round++) {
    const { id, email } = await addAccount(api)
    const visitors = await Promise.all(Array.from({ length: 3 }, () => loggedIn(email)))
    const token = await resetToken(id)
    const answers = await Promise.all([reset(token), ...visitors.map((visitor) => visitor.login(email))])
    expect(answers[0].status).toBe(200)
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect(await accessOf(id)).toMatchObject({ sessions: 0 })
  }
})

test('a device cookie ends with the password, and the device that changes the password gets a new one', async () => {
  const { email } = await addAccount(api)
  const [owner, thief] = [await loggedIn(email), await loggedIn(email)]
  const before = owner.cookies.get('device')
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  expect((await owner.post('/user/password', change)).status).toBe(200)
  const [marked, stale] = [createVisitor(api), createVisitor(api)]
  marked.cookies.set('device', owner.cookies.get('device') ?? '')
  stale.cookies.set('device', thief.cookies.get('device') ?? '')
  expect(owner.cookies.get('device')).not.toBe(before)
  const statuses = async (visitor: Visitor) => {
    const answers = []
    for (let n = 0; n < 6; n++) answers.push((await visitor.login(email, 'not the password')).status)
    return answers
  }
  expect(await statuses(createVisitor(api))).toEqual([401, 401, 401, 401, 401, 429])
  expect(await statuses(stale)).toEqual(Array(6).fill(429)) // counted for the client address
  expect(await statuses(marked)).toEqual([401, 401, 401, 401, 401, 429])
})

test('earlier mailed links are invalid after a reset, and reset links after a change of the password', async () => {
  const { id, email } = await addAccount(api)
  const [verification, resetting] = [await verifyToken(id), await resetToken(id)]
  const visitor = await loggedIn(email)
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  expect((await visitor.post('/user/password', change)).status).toBe(200)
  expect(codeOf(await reset(resetting))).toEqual([400, 'invalid_token'])
  expect((await reset(await resetToken(id))).status).toBe(200)
  expect(codeOf(await confirm(createVisitor(api), { token: verification, password: NEW_PASSWORD }))).toEqual([
    400,
    'invalid_token',
  ])
})
