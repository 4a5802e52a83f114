// Administrators list and change accounts.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { isAdministrator } from '../../../src/features/accounts/index.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { sendBodyAfter } from '../../support/slow-request.ts'
import { whileLocked } from '../accounts/support.ts'
import { openAdminBench } from './support.ts'

const named = 'named@example.com'
const { api, pool, call, admin, list, addKey, entries } = await openAdminBench({ ADMIN_EMAILS: named })

const idsOf = (body: Record<string, unknown>) => (body.users as { id: string }[]).map(({ id }) => id)

describe('the list', () => {
  test('shows an account with its counts and without secrets', async () => {
    const person = await addPerson(pool, { tier: 'premium' })
    await list(person)
    await addKey(person)
    await pool.query(`update users set chat_id = '77', password_hash = 'a-hash' where id = $1`, [person.id])
    const { status, body } = await call(admin, 'GET', `/admin/users?search=${person.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      users: [
        {
          id: person.id,
          email: `${person.id}@example.com`,
          emailVerified: true,
          username: 'Someone',
          avatarUrl: '',
          gamePlatformId: '',
          chatId: '77',
          isAdmin: false,
          isModerator: false,
          tier: 'premium',
          bannedAt: null,
          sessions: 1,
          apiKeys: 1,
          ownedServers: 1,
          createdAt: expect.any(String),
        },
      ],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    })
  })

  test('is filtered by text and state, and has pages', async () => {
    const [a, b] = [await addPerson(pool), await addPerson(pool)]
    await pool.query(`update users set username = 'Zoë_%', email = 'mixed-case@example.com' where id = $1`, [a.id])
    await pool.query(`update users set username = 'Zoë two', email = null where id = $1`, [b.id])
    await call(admin, 'PATCH', `/admin/users/${b.id}`, { banned: true })
    const found = async (query: string) => idsOf((await call(admin, 'GET', `/admin/users?${query}`)).body)
    expect(await found('search=zo%C3%8B')).toEqual([b.id, a.id])
    expect(await found('search=ZOE')).toEqual([b.id, a.id])
    expect(await found('search=_%25')).toEqual([a.id])
    expect(await found('search=MIXED-case@')).toEqual([a.id])
    expect(await found(`search=${b.id.toUpperCase()}`)).toEqual([b.id])
    expect(await found('banned=true')).toEqual([b.id])
    expect(await found('search=zo%C3%8B&banned=false')).toEqual([a.id])
    expect(await found('search=zo%C3%8B&limit=1&page=2')).toEqual([a.id])
    expect(await found('search=zo%C3%8B&limit=1&page=3')).toEqual([])
  })

  test.each(['banned=1', 'admin=', 'page=x', 'limit=0', 'search=%E2%80%AE'])('%s is 400', async (query) => {
    expect((await call(admin, 'GET', `/admin/users?${query}`)).body).toMatchObject({ error: 'validation_failed' })
  })

  test('shows administrators by the same rule as authorization', async () => {
    const people = [
      { isAdmin: true, email: null, emailVerified: false },
      { isAdmin: false, email: named, emailVerified: false },
      { isAdmin: false, email: 'not-named@example.com', emailVerified: true },
    ]
    const expected = new Map<string, boolean>()
    for (const person of people) {
      const id = uuidv7()
      expected.set(id, isAdministrator(person, api.deps.settings))
      await pool.query(
        `insert into users (id, email, email_verified_at, username, is_admin)
         values ($1, $2, case when $3 then now() end, 'Rule test', $4)`,
        [id, person.email, person.emailVerified, person.isAdmin],
      )
    }
    for (const wanted of [true, false]) {
      const { body } = await call(admin, 'GET', `/admin/users?search=rule%20test&admin=${wanted}`)
      const users = body.users as { id: string; isAdmin: boolean }[]
      expect(users.map(({ id }) => expected.get(id))).toEqual(users.map(() => wanted))
      expect(users.map(({ isAdmin }) => isAdmin)).toEqual(users.map(() => wanted))
      expect(users.length).toBe([...expected.values()].filter((is) => is === wanted).length)
    }
    const [, id = ''] = [...expected.keys()]
    expect((await call(admin, 'PATCH', `/admin/users/${id}`, { isAdmin: false })).body).toMatchObject({
      error: 'admin_by_setting',
    })
  })
})

describe('a ban', () => {
  test('ends sessions and keys at once and prevents logins until it is lifted', async () => {
    const person = await addPerson(pool)
    const key = await addKey(person)
    const listed = await list(person)
    expect((await call(person, 'GET', '/auth/session')).status).toBe(200)
    expect((await call(key, 'GET', '/user/servers')).status).toBe(200)
    const { status, body } = await call(admin, 'PATCH', `/admin/users/${person.id}`, { banned: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ bannedAt: expect.any(String), sessions: 0 })
    expect((await call(person, 'GET', '/auth/session')).status).toBe(401)
    expect((await call(key, 'GET', '/user/servers')).body).toMatchObject({ error: 'invalid_api_key' })
    expect((await call(undefined, 'GET', `/servers/${listed}`)).status).toBe(200)

    // A second ban keeps the time of the first and has no entry.
    const again = await call(admin, 'PATCH', `/admin/users/${person.id}`, { banned: true })
    expect(again.body.bannedAt).toBe(body.bannedAt)
    const lifted = await call(admin, 'PATCH', `/admin/users/${person.id}`, { banned: false })
    expect(lifted.body).toMatchObject({ bannedAt: null })
    expect((await call(person, 'GET', '/auth/session')).status).toBe(401) // its session does not return
    expect((await call(key, 'GET', '/user/servers')).status).toBe(200)
    expect(await entries(person.id)).toEqual([
      { actorId: admin.id, action: 'user.update', details: { before: { banned: false }, after: { banned: true } } },
      { actorId: admin.id, action: 'user.update', details: { before: { banned: true }, after: { banned: false } } },
    ])
  })

  test('of an administrator takes effect with their next request', async () => {
    const other = await addPerson(pool, { isAdmin: true })
    expect((await call(other, 'GET', '/admin/stats')).status).toBe(200)
    await call(admin, 'PATCH', `/admin/users/${other.id}`, { banned: true })
    expect((await call(other, 'GET', '/admin/stats')).status).toBe(401)
  })
})

test('role and tier change with the next request, also for keys', async () => {
  const person = await addPerson(pool)
  const key = await addKey(person)
  const promoted = await call(admin, 'PATCH', `/admin/users/${person.id}`, { isAdmin: true, tier: 'standard' })
  expect(promoted.body).toMatchObject({ isAdmin: true, tier: 'standard' })
  expect((await call(person, 'GET', '/admin/stats')).status).toBe(200)
  const limited = await api.request('/api/user/servers', { headers: key })
  expect(limited.headers.get('ratelimit-policy')).toContain('q=100;')
  await call(admin, 'PATCH', `/admin/users/${person.id}`, { isAdmin: false })
  expect((await call(person, 'GET', '/admin/stats')).status).toBe(403)
  expect((await entries(person.id)).map(({ details }) => details)).toEqual([
    { before: { isAdmin: false, tier: 'free' }, after: { isAdmin: true, tier: 'standard' } },
    { before: { isAdmin: true }, after: { isAdmin: false } },
  ])
})

test('administrators cannot ban, demote or delete themselves', async () => {
  const self = `/admin/users/${admin.id}`
  for (const path of [self, self.toUpperCase().replace('/ADMIN/USERS', '/admin/users')]) {
    expect((await call(admin, 'PATCH', path, { banned: true })).body).toMatchObject({ error: 'own_account' })
    expect((await call(admin, 'PATCH', path, { isAdmin: false })).body).toMatchObject({ error: 'own_account' })
    expect((await call(admin, 'DELETE', path)).body).toMatchObject({ error: 'own_account' })
  }
  expect((await call(admin, 'PATCH', self, { banned: false, isAdmin: true })).status).toBe(200)
  expect(await entries(admin.id)).toEqual([])
  expect((await call(admin, 'GET', '/auth/session')).status).toBe(200)
})

test('an administrator who is demoted or banned while the body of a request arrives changes nothing with it', async () => {
  for (const [change, status] of [
    [{ isAdmin: false }, 403],
    [{ banned: true }, 401],
  ] as const) {
    const other = await addPerson(pool, { isAdmin: true })
    const answer = await sendBodyAfter(
      `${api.url}/api/admin/users/${other.id}`,
      { method: 'PATCH', headers: { cookie: other.cookie }, body: { isAdmin: true, tier: 'premium' } },
      () => call(admin, 'PATCH', `/admin/users/${other.id}`, change),
    )
    expect(answer.status).toBe(status)
    expect(await entries(other.id)).toHaveLength(1)
  }
})

test.each([
  ['demote', 'PATCH', { isAdmin: false }],
  ['ban', 'PATCH', { banned: true }],
  ['delete', 'DELETE', undefined],
] as const)('of two administrators who %s each other at once, one stays', async (_, method, change) => {
  const [one, two] = [await addPerson(pool, { isAdmin: true }), await addPerson(pool, { isAdmin: true })]
  const answers = await whileLocked(pool, 'select from users where id >= $1 for update', one.id, async () => {
    const both = [
      call(one, method, `/admin/users/${two.id}`, change),
      call(two, method, `/admin/users/${one.id}`, change),
    ]
    await expect.poll(() => countLockWaits(pool)).toBe(2)
    return both
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 403])
  const { rows } = await pool.query(
    'select count(*) as n from users where id = any($1) and is_admin and banned_at is null',
    [[one.id, two.id]],
  )
  expect(rows).toEqual([{ n: 1 }])
})

test('a deleted account loses all of its data; its servers stay listed, unverified and without an owner', async () => {
  const person = await addPerson(pool)
  const key = await addKey(person)
  const id = await list(person)
  const favorite = await list(admin)
  await call(person, 'POST', `/servers/${favorite}/favorite`)
  await call(person, 'POST', `/servers/${favorite}/claim`)
  await call(admin, 'PATCH', `/admin/servers/${id}`, { isVerified: true })
  expect(await call(admin, 'DELETE', `/admin/users/${person.id}`)).toEqual({ status: 200, body: { success: true } })
  expect((await call(person, 'GET', '/auth/session')).status).toBe(401)
  expect((await call(key, 'GET', '/user/servers')).status).toBe(401)
  expect((await call(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({ id, isVerified: false })
  for (const table of ['sessions', 'api_keys', 'favorites', 'server_claims'])
    expect((await pool.query(`select from ${table} where user_id = $1`, [person.id])).rowCount).toBe(0)
  const found = await call(admin, 'GET', '/admin/servers?owner=none')
  expect((found.body.servers as { id: string }[]).map((server) => server.id)).toContain(id)
  expect(await entries(person.id)).toEqual([
    {
      actorId: admin.id,
      action: 'user.delete',
      details: { before: { banned: false, isAdmin: false, isModerator: false, tier: 'free' }, releasedServers: 1 },
    },
  ])
  expect((await call(admin, 'DELETE', `/admin/users/${person.id}`)).status).toBe(404)
})

test.each([
  { banned: 'yes' },
  { banned: null },
  { isAdmin: 1 },
  { tier: 'gold' },
  { tier: '' },
  { email: 'x@example.com' },
  { bannedAt: null },
  { password: 'another one' },
  [],
  null,
])('an account can’t be changed by %j', async (change) => {
  const person = await addPerson(pool)
  expect((await call(admin, 'PATCH', `/admin/users/${person.id}`, change)).status).toBe(400)
  expect(await entries(person.id)).toEqual([])
})

test.each([uuidv7(), 'x', '1;--'])('an account with the id %s is unknown', async (id) => {
  expect((await call(admin, 'PATCH', `/admin/users/${id}`, { banned: true })).status).toBe(404)
  expect((await call(admin, 'DELETE', `/admin/users/${id}`)).status).toBe(404)
})
