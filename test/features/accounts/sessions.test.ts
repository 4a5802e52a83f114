// Sessions: their cookies, their lifetime, and that they end in every process at once.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addAccount, createVisitor, LOCK_USER, PASSWORD, whileLocked } from './support.ts'

const api = await startTestApi()
const another = await startTestApi({ database: api.database })
const https = await startTestApi({ database: api.database, settings: { PUBLIC_BASE_URL: 'https://directory.example' } })
const { pool } = api.database

const hashOf = (token = '') => createHash('sha256').update(token).digest()

async function loggedIn() {
  const account = await addAccount(api)
  const visitor = createVisitor(api)
  await visitor.login(account.email)
  return { account, visitor, token: visitor.cookies.get('session') ?? '' }
}

test('over http the cookies have plain names and everything but Secure', async () => {
  const { email } = await addAccount(api)
  const { headers } = await createVisitor(api).login(email)
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^session=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^device=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
})

test('over https they are Secure and bound to the host, and plain ones are ignored', async () => {
  const { email } = await addAccount(api)
  const visitor = createVisitor(https)
  const { headers } = await visitor.login(email)
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-session=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    expect.stringMatching(/^__Host-device=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ])
  expect((await visitor.get('/auth/session')).status).toBe(200)
  visitor.cookies.set('session', visitor.cookies.get('__Host-session') ?? '')
  visitor.cookies.delete('__Host-session')
  expect((await visitor.get('/auth/session')).status).toBe(401)
})

test('only the hash of a token is stored', async () => {
  const { token } = await loggedIn()
  const { rows } = await pool.query('select * from sessions where token_hash = $1', [hashOf(token)])
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('each login has a new token and ends the previous session, so that no attacker can plant one', async () => {
  const attacker = await loggedIn()
  const victim = await addAccount(api)
  const visitor = createVisitor(api)
  visitor.cookies.set('session', attacker.token)
  await visitor.login(victim.email)
  expect(visitor.cookies.get('session')).not.toBe(attacker.token)
  expect((await attacker.visitor.get('/auth/session')).status).toBe(401)
  expect((await visitor.get('/auth/session')).body.user.id).toBe(victim.id)
  // An unknown token is not adopted either.
  const invented = 'A'.repeat(43)
  visitor.cookies.set('session', invented)
  await visitor.login(victim.email)
  expect(visitor.cookies.get('session')).not.toBe(invented)
  // A failed login ends no session.
  await visitor.login(victim.email, 'not the password')
  expect((await visitor.get('/auth/session')).status).toBe(200)
})

test('a Cookie header may contain garbage, other cookies and the same name again', async () => {
  const { token, account } = await loggedIn()
  const ask = async (cookie: string) => {
    const response = await api.request('/api/auth/session', { headers: { cookie } })
    return response.status === 200 ? ((await response.json()) as { user: { id: string } }).user.id : response.status
  }
  const dead = 'B'.repeat(43)
  for (const cookie of [
    `session=${token}`,
    `a=b; session=${token}; c`,
    `;;=;session; session= ${token} ;`,
    `session=${dead}; session=${token}`,
    `session=${token}; session=${token}`,
    `session=; session=%00; session=${token}`,
  ])
    expect([cookie, await ask(cookie)]).toEqual([cookie, account.id])
  const second = await loggedIn()
  for (const cookie of [
    `session=${dead}`,
    'session=',
    'session',
    '=',
    `Session=${token}`,
    `xsession=${token}`,
    `session="${token}"`,
    `session=${token}x`,
    `session=${token}; session=${second.token}`, // two valid sessions: one was planted
  ])
    expect([cookie, await ask(cookie)]).toEqual([cookie, 401])
})

test('a session lives 30 days from its last use, recorded at most once a day', async () => {
  const { visitor, token } = await loggedIn()
  const expiry = async () => {
    const { rows } = await pool.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours from sessions where token_hash = $1`,
      [hashOf(token)],
    )
    return rows[0]?.hours
  }
  const age = (hours: number) =>
    pool.query(`update sessions set expires_at = expires_at - make_interval(hours => $2) where token_hash = $1`, [
      hashOf(token),
      hours,
    ])
  expect(await expiry()).toBe(720)
  await age(20)
  await visitor.get('/auth/session')
  expect(await expiry()).toBe(700)
  await age(5)
  await visitor.get('/auth/session')
  expect(await expiry()).toBe(720)
  await age(719)
  expect((await visitor.get('/auth/session')).status).toBe(200)
  await age(721)
  expect((await visitor.get('/auth/session')).status).toBe(401)
})

test('logout, password change and ban take effect in every process at the next request', async () => {
  const first = await loggedIn()
  const elsewhere = createVisitor(another)
  elsewhere.cookies.set('session', first.token)
  expect((await elsewhere.get('/auth/session')).status).toBe(200)
  await first.visitor.post('/auth/logout')
  expect((await elsewhere.get('/auth/session')).status).toBe(401)

  await first.visitor.login(first.account.email)
  await elsewhere.login(first.account.email)
  const newPassword = 'a different 7 seas'
  const changed = await first.visitor.post('/user/password', { currentPassword: PASSWORD, newPassword })
  expect(changed.status).toBe(200)
  expect((await elsewhere.get('/auth/session')).status).toBe(401)
  expect((await first.visitor.get('/auth/session')).status).toBe(200)

  await pool.query('update users set banned_at = now() where id = $1', [first.account.id])
  expect((await first.visitor.get('/auth/session')).status).toBe(401)
})

test('logging out everywhere else ends the other sessions in every process; the presented one and API keys stay', async () => {
  const { visitor, account, token } = await loggedIn()
  const [elsewhere, stranger] = [createVisitor(another), (await loggedIn()).visitor]
  await elsewhere.login(account.email)
  const { key, secret } = (await visitor.post('/user/api-keys', { name: 'Mine' })).body
  const { status, body, headers } = await visitor.send('DELETE', '/user/sessions')
  expect([status, body, headers.getSetCookie()]).toEqual([200, { success: true }, []])
  expect((await elsewhere.get('/auth/session')).status).toBe(401)
  for (const who of [visitor, stranger]) expect((await who.get('/auth/session')).status).toBe(200)
  expect(visitor.cookies.get('session')).toBe(token)
  const program = createVisitor(api, { authorization: `Bearer ${key}.${secret}` })
  expect((await program.get('/user/servers')).status).toBe(200)
  expect((await program.send('DELETE', '/user/sessions')).status).toBe(403)
  expect((await visitor.send('DELETE', '/user/sessions')).status).toBe(200)
})

test('of two sessions that end the other one at once, one stays', async () => {
  const { visitor, account } = await loggedIn()
  const other = createVisitor(another)
  await other.login(account.email)
  const both = [visitor, other]
  const { sent } = await whileLocked(pool, LOCK_USER, account.id, async () => {
    const sent = both.map((one) => one.send('DELETE', '/user/sessions'))
    await expect.poll(() => countLockWaits(pool)).toBe(2)
    return { sent }
  })
  const answers = await Promise.all(sent)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  const alive = await Promise.all(both.map((one) => one.get('/auth/session')))
  expect(alive.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('a login that races with a password change does not survive it', async () => {
  const account = await addAccount(api)
  const visitor = createVisitor(api)
  await visitor.login(account.email)
  const others = Array.from({ length: 4 }, () => createVisitor(another))
  const [change] = await Promise.all([
    visitor.post('/user/password', { currentPassword: PASSWORD, newPassword: 'a different 7 seas' }),
    ...others.map((other) => other.login(account.email)),
  ])
  expect(change.status).toBe(200)
  const alive = await Promise.all(others.map((other) => other.get('/auth/session')))
  expect(alive.map(({ status }) => status)).toEqual([401, 401, 401, 401])
})

test('a new session waits for a ban in progress and is not opened after it', async () => {
  const account = await addAccount(api)
  const admin = await pool.connect()
  try {
    await admin.query('begin')
    await admin.query('update users set banned_at = now() where id = $1', [account.id])
    const login = createVisitor(api).login(account.email)
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await admin.query('delete from sessions where user_id = $1', [account.id])
    await admin.query('commit')
    expect((await login).status).toBe(401)
  } finally {
    admin.release()
  }
  const { rows } = await pool.query('select 1 from sessions where user_id = $1', [account.id])
  expect(rows).toEqual([])
})

test('writes from pages of another origin are refused; those of our own and of programs pass', async () => {
  const { visitor } = await loggedIn()
  const change = (headers: Record<string, string>) =>
    visitor.send('PATCH', '/user/profile', { username: 'Changed' }, headers).then(({ status }) => status)
  const own = new URL(api.deps.settings.PUBLIC_BASE_URL).origin
  expect(await change({})).toBe(200)
  expect(await change({ origin: own })).toBe(200)
  expect(await change({ origin: own, 'sec-fetch-site': 'same-origin' })).toBe(200)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${own}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
  ])
    expect([headers, await change(headers as Record<string, string>)]).toEqual([headers, 403])
  const evil = { origin: 'https://evil.example' }
  expect((await visitor.post('/auth/logout', undefined, evil)).status).toBe(403)
  expect((await visitor.post('/auth/login', { email: 'a@b.example', password: PASSWORD }, evil)).status).toBe(403)
  expect((await visitor.send('GET', '/auth/session', undefined, evil)).status).toBe(200)
})

test('a page of another origin can’t log a visitor in or out, with or without a cookie', async () => {
  const { visitor, account } = await loggedIn()
  const stranger = createVisitor(api)
  const login = { email: account.email, password: PASSWORD }
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    for (const [path, body] of [
      ['/auth/login', login],
      ['/auth/register', { email: 'new@b.example', username: 'New', password: PASSWORD }],
      ['/auth/logout', undefined],
      ['/auth/password-reset', { email: account.email }],
      ['/auth/password-reset/confirm', { token: 'x'.repeat(43), password: PASSWORD }],
      ['/auth/verify-email', { token: 'x'.repeat(43) }],
      ['/contact', { name: 'A', email: 'a@b.example', subject: 'A', message: 'A message' }],
    ] as const) {
      const refused = await stranger.post(path, body, headers)
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'forbidden'])
      expect(refused.headers.getSetCookie()).toEqual([])
    }
  expect((await visitor.send('GET', '/auth/session')).status).toBe(200)
  expect((await stranger.post('/auth/login', login)).status).toBe(200)
})

test('a login form of another site is refused before its body is read', async () => {
  const response = await api.request('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' },
    body: '{"email":"a@b.example","password":"whatever it is"}',
  })
  expect(response.status).toBe(403)
})
