// Registration, login and logout.
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addAccount, createVisitor, mailOrders, PASSWORD } from './support.ts'

const api = await startTestApi()
const { pool } = api.database

test('registering creates the account, logs in and enqueues the verification mail', async () => {
  const visitor = createVisitor(api)
  const { status, body } = await visitor.post('/auth/register', {
    email: ' New.Person@EXAMPLE.com ',
    password: PASSWORD,
    username: '  Néw  ',
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    user: {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'new.person@example.com',
      username: 'Néw',
      avatarUrl: '',
      gamePlatformId: '',
      chatId: '',
      isAdmin: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      _count: { ownedServers: 0, votes: 0 },
    },
  })
  expect((await visitor.get('/auth/session')).body).toEqual({ ...body, isModerator: false, lacksSecondFactor: false })
  expect(await mailOrders(api, body.user.id)).toEqual(['verify-email'])
})

test('an address registers once, ignoring case, spaces and the notation of its domain', async () => {
  const register = (email: string) =>
    createVisitor(api).post('/auth/register', { email, password: PASSWORD, username: 'Someone' })
  expect((await register('twice@bücher.example')).status).toBe(201)
  for (const email of ['TWICE@BÜCHER.EXAMPLE', ' twice@bu\u0308cher.example', 'twice@xn--bcher-kva.example']) {
    const { status, body } = await register(email)
    expect([email, status, body.error]).toEqual([email, 400, 'email_taken'])
  }
})

test('of twenty simultaneous registrations of one address, one succeeds and the others get email_taken', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      createVisitor(api).post('/auth/register', {
        email: n % 2 ? 'RUSH@example.com' : 'rush@example.com',
        password: PASSWORD,
        username: `Number ${n}`,
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status, body }) => status === 400 && body.error === 'email_taken')).toHaveLength(19)
  const { rows } = await pool.query(`
    select (select count(*) from users where email = 'rush@example.com') as users,
      (select count(*) from pgboss.job where name = 'mail' and data ->> 'userId' in (
        select id::text from users where email = 'rush@example.com')) as mails`)
  expect(rows).toEqual([{ users: 1, mails: 1 }])
})

test('logging in answers with the profile, for any notation of the address', async () => {
  const { id, email } = await addAccount(api)
  const visitor = createVisitor(api)
  const { status, body } = await visitor.login(email.toUpperCase())
  expect([status, body.user.id]).toEqual([200, id])
  expect((await visitor.get('/user/profile')).body).toEqual(body.user)
})

test('a password in decomposed Unicode is the same password', async () => {
  const composed = 'Gänsefüßchen 42'.normalize('NFC')
  const given = { email: 'umlaut@example.com', username: 'Someone', password: composed.normalize('NFD') }
  expect((await createVisitor(api).post('/auth/register', given)).status).toBe(201)
  expect((await createVisitor(api).login(given.email, composed)).status).toBe(200)
})

test('logging out ends the session on the server, clears the cookie, and can be repeated', async () => {
  const { email } = await addAccount(api)
  const visitor = createVisitor(api)
  await visitor.login(email)
  const kept = visitor.cookies.get('session') ?? ''
  const { status, body, headers } = await visitor.post('/auth/logout')
  expect([status, body]).toEqual([200, { success: true }])
  expect(headers.getSetCookie()).toEqual(['session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
  visitor.cookies.set('session', kept)
  expect((await visitor.get('/auth/session')).status).toBe(401)
  expect((await visitor.post('/auth/logout')).status).toBe(200)
  expect((await createVisitor(api).post('/auth/logout')).status).toBe(200)
})

test('without a session the account’s endpoints answer 401', async () => {
  const visitor = createVisitor(api)
  for (const [method, path] of [
    ['GET', '/auth/session'],
    ['GET', '/user/profile'],
    ['PATCH', '/user/profile'],
    ['GET', '/user/notification-preferences'],
    ['PATCH', '/user/notification-preferences'],
    ['POST', '/user/password'],
    ['DELETE', '/user'],
    ['DELETE', '/user/sessions'],
    ['POST', '/auth/verify-email/send'],
  ] as const) {
    const { status, body } = await visitor.send(method, path, method === 'GET' ? undefined : {})
    expect([path, status, body.error]).toEqual([path, 401, 'unauthenticated'])
  }
})

test('an unknown account and a wrong password have the same status, text and headers', async () => {
  const { email } = await addAccount(api)
  const wrong = await createVisitor(api).login(email, 'not the password')
  const unknown = await createVisitor(api).login('unknown@example.com', 'not the password')
  expect([wrong.status, wrong.body]).toMatchObject([
    401,
    { error: 'invalid_credentials', message: 'The e-mail address or the password is wrong.' },
  ])
  // Every reply has an `instance` of its own: the id of its request.
  const { instance: _, ...expected } = wrong.body as Record<string, unknown>
  expect([unknown.status, unknown.body]).toEqual([
    wrong.status,
    { ...expected, instance: expect.stringMatching(/^#[\w-]+$/) },
  ])
  expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()])
})

test('a login costs the same for an unknown account, a wrong password and an account without a password', async () => {
  const noPassword = await addAccount(api)
  await pool.query('update users set password_hash = null where id = $1', [noPassword.id])
  // The least CPU time of several logins: unlike elapsed time, a busy machine hardly changes it.
  const least = { wrong: Infinity, unknown: Infinity, none: Infinity }
  const measure = async (kind: keyof typeof least, email: string) => {
    const before = process.cpuUsage()
    expect((await createVisitor(api).login(email, 'not the password')).status).toBe(401)
    const { user, system } = process.cpuUsage(before)
    least[kind] = Math.min(least[kind], user + system)
  }
  // Five rounds, since the throttle refuses an account's sixth failed login.
  for (let n = 0; n < 5; n++) {
    await measure('wrong', (await addAccount(api)).email)
    await measure('unknown', `unknown${n}@example.com`)
    await measure('none', noPassword.email)
  }
  for (const kind of ['unknown', 'none'] as const) {
    // A login that skips the hash costs about a third.
    expect(least[kind] / least.wrong).toBeGreaterThan(0.5)
    expect(least[kind] / least.wrong).toBeLessThan(2)
  }
})

test('a banned account learns of its ban only with the right password', async () => {
  const { id, email } = await addAccount(api)
  await pool.query('update users set banned_at = now() where id = $1', [id])
  const right = await createVisitor(api).login(email)
  expect([right.status, right.body.error]).toEqual([403, 'forbidden'])
  expect((await createVisitor(api).login(email, 'not the password')).status).toBe(401)
})

test('a hash with weaker parameters is replaced at the next login', async () => {
  const { id, email } = await addAccount(api)
  const { createPasswords } = await import('../../../src/features/accounts/login/passwords.ts')
  const weak = await createPasswords({ memoryCost: 1024, timeCost: 1, parallelism: 1 }).hash(PASSWORD)
  await pool.query('update users set password_hash = $2 where id = $1', [id, weak])
  expect((await createVisitor(api).login(email)).status).toBe(200)
  const { rows } = await pool.query<{ hash: string }>('select password_hash as hash from users where id = $1', [id])
  expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect((await createVisitor(api).login(email)).status).toBe(200)
})
