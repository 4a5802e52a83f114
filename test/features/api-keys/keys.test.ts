// Creating, listing, changing and revoking API keys with the owner's session.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type AccountMailRequest, writeMail } from '../../../src/features/accounts/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf } from '../../support/people.ts'
import { bearer, createKey, listKeys, patchKey, revokeKey } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('creating a key returns its secret once, and exactly the documented fields', async () => {
  const owner = await addPerson(pool)
  const created = await createKey(api, owner, '  My plugin ')
  expect(created).toEqual({
    id: expect.any(String),
    name: 'My plugin',
    key: expect.stringMatching(/^sd_[0-9A-Za-z]{24}$/),
    secret: expect.stringMatching(/^[\w-]{43}$/),
    tier: 'free',
    rateLimit: 10,
    isActive: true,
    createdAt: instant,
  })
  const { secret, ...rest } = created
  expect(await listKeys(api, owner)).toEqual([{ ...rest, lastUsedAt: null }])
  expect(JSON.stringify(await listKeys(api, owner))).not.toContain(secret)
})

test('a new key is audited without its name, and mailed to its owner', async () => {
  const owner = await addPerson(pool)
  const { id } = await createKey(api, owner, 'My plugin', { scopes: ['read'] })
  const { rows: entries } = await pool.query('select action, details from audit_log where target_id = $1', [owner.id])
  expect(entries).toEqual([{ action: 'user.api-key.create', details: { keyId: id, scopes: ['read'] } }])
  const { rows: mails } = await pool.query<{ data: AccountMailRequest }>(
    `select data - '_cause' as data from pgboss.job where name = 'mail' and data ->> 'userId' = $1`,
    [owner.id],
  )
  expect(mails.map(({ data }) => data)).toEqual([
    { kind: 'account-access', userId: owner.id, event: 'api-key-created' },
  ])
  expect(await writeMail(api.deps, mails[0]?.data as AccountMailRequest, randomUUID())).toMatchObject({
    to: `${owner.id}@example.com`,
    subject: 'An API key was created for your account',
  })
})

test('a key has all scopes unless its owner chose some, and these can be changed', async () => {
  const owner = await addPerson(pool)
  const scopesOf = async (id: string) => {
    const reply = await api.request(`/api/user/api-keys/${id}`, { headers: { cookie: owner.cookie } })
    return ((await reply.json()) as { scopes: string[] }).scopes
  }
  const created = await createKey(api, owner)
  expect(await scopesOf(created.id)).toEqual(['read', 'votes', 'servers:write', 'endpoints', 'rcon'])
  const asVoter = () => api.request('/api/user/servers', { headers: bearer(created) })
  expect((await asVoter()).status).toBe(200)
  expect((await patchKey(api, owner, created.id, { scopes: ['votes'] })).status).toBe(200)
  expect([await scopesOf(created.id), (await asVoter()).status]).toEqual([['votes'], 403])
  expect((await api.request('/api/public/stats', { headers: bearer(created) })).status).toBe(200)
  const limited = await createKey(api, owner, 'limited', { scopes: ['endpoints', 'read'] })
  expect(await scopesOf(limited.id)).toEqual(['endpoints', 'read'])
})

test.each([
  [[], 'body.scopes'],
  [['votes', 'votes'], 'body.scopes'],
  [['everything'], 'body.scopes.0'],
  ['votes', 'body.scopes'],
])('scopes %j are refused at %s', async (scopes, path) => {
  const owner = await addPerson(pool)
  const { id } = await createKey(api, owner)
  const reply = await patchKey(api, owner, id, { scopes })
  const { details } = (await fieldsOf(reply)) as { details: { path: string }[] }
  expect([reply.status, details.map((detail) => detail.path)]).toEqual([400, [path]])
})

test('keys differ, are listed newest first, and only to their owner', async () => {
  const [owner, other] = [await addPerson(pool), await addPerson(pool)]
  const first = await createKey(api, owner)
  const second = await createKey(api, owner)
  await createKey(api, other)
  expect(first.key).not.toBe(second.key)
  expect(first.secret).not.toBe(second.secret)
  expect((await listKeys(api, owner)).map(({ id }) => id)).toEqual([second.id, first.id])
})

test('neither the database nor the log holds the secret, in any spelling', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const logging = await startTestApi({ database: api.database, log })
  const owner = await addPerson(pool)
  const created = await createKey(logging, owner)
  expect((await logging.request('/api/user/favorites', { headers: bearer(created) })).status).toBe(200)
  const wrong = { ...created, secret: `${created.secret.slice(1)}A` }
  expect((await logging.request('/api/user/favorites', { headers: bearer(wrong) })).status).toBe(401)
  await logging.stop()

  const { rows } = await pool.query<{ row: string }>('select api_keys::text as row from api_keys where id = $1', [
    created.id,
  ])
  const seen = [rows[0]?.row ?? '', lines.join('')]
  expect(seen[0]).toContain(created.key)
  expect(seen[1]).toContain('"route":"/user/favorites"')
  const bytes = Buffer.from(created.secret, 'base64url')
  for (const spelling of [created.secret, wrong.secret, bytes.toString('hex'), bytes.toString('base64')])
    for (const text of seen) expect(text).not.toContain(spelling)
})

test('PATCH renames, deactivates and activates a key; other fields are refused', async () => {
  const owner = await addPerson(pool)
  const { secret, ...created } = await createKey(api, owner)
  const asKey = () => api.request('/api/user/favorites', { headers: bearer({ ...created, secret }) })

  const renamed = await patchKey(api, owner, created.id, { name: 'Another' })
  expect(await renamed.json()).toEqual({ ...created, name: 'Another' })
  expect((await asKey()).status).toBe(200)

  expect(await (await patchKey(api, owner, created.id, { isActive: false })).json()).toMatchObject({
    name: 'Another',
    isActive: false,
  })
  expect((await asKey()).status).toBe(401)
  expect(await listKeys(api, owner)).toMatchObject([{ name: 'Another', isActive: false }])

  expect((await patchKey(api, owner, created.id, { isActive: true })).status).toBe(200)
  expect((await asKey()).status).toBe(200)

  for (const body of [{ tier: 'enterprise' }, { name: 'x', secret: 'y' }, { isActive: 'yes' }, { name: null }, [], 'x'])
    expect((await patchKey(api, owner, created.id, body)).status, JSON.stringify(body)).toBe(400)
  expect(await (await patchKey(api, owner, created.id, {})).json()).toEqual({ ...created, name: 'Another' })
})

test('the key of another user, an unknown id and a malformed id are all answered 404', async () => {
  const [owner, other] = [await addPerson(pool), await addPerson(pool)]
  const { id } = await createKey(api, owner)
  for (const [who, which] of [
    [other, id],
    [owner, '01993b0e-0000-7000-8000-000000000000'],
    [owner, 'nonsense'],
    [owner, '%27%20or%201=1'],
  ] as const) {
    expect((await patchKey(api, who, which, { name: 'mine' })).status).toBe(404)
    expect((await revokeKey(api, who, which)).status).toBe(404)
  }
  expect(await listKeys(api, owner)).toMatchObject([{ id, name: 'a key', isActive: true }])
})

test('a revoked key is 404 for its owner too', async () => {
  const owner = await addPerson(pool)
  const { id } = await createKey(api, owner)
  expect(await (await revokeKey(api, owner, id)).json()).toEqual({ success: true })
  expect(await listKeys(api, owner)).toEqual([])
  expect((await revokeKey(api, owner, id)).status).toBe(404)
  expect((await patchKey(api, owner, id, { isActive: true })).status).toBe(404)
})

test('the length and the characters of names are bounded', async () => {
  const owner = await addPerson(pool)
  const post = (body: unknown) =>
    api.request('/api/user/api-keys', {
      method: 'POST',
      headers: { cookie: owner.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const bad = ['', '   ', 'x'.repeat(101), 'a\u0000b', 'a\nb', 'a\u202eb', 'a\u200bb', '\ud800', 7, null, {}, ['x']]
  for (const name of bad) {
    const response = await post({ name })
    expect([response.status, (await fieldsOf(response)).error], JSON.stringify(name)).toEqual([
      400,
      'validation_failed',
    ])
  }
  expect((await post({})).status).toBe(400)
  expect((await post(undefined)).status).toBe(400)
  for (const name of ['x', 'x'.repeat(100), 'Ключ 🔑', 'a\u0301']) expect((await post({ name })).status).toBe(201)
})

test('twenty-five keys at a time, also with simultaneous requests; revoking one allows another', async () => {
  const owner = await addPerson(pool)
  const post = () =>
    api.request('/api/user/api-keys', {
      method: 'POST',
      headers: { cookie: owner.cookie, 'content-type': 'application/json' },
      body: '{"name":"one of many"}',
    })
  const answers = await Promise.all(Array.from({ length: 30 }, post))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(25).fill(201), ...Array(5).fill(400)])
  const refused = answers.find(({ status }) => status === 400)
  expect(await refused?.json()).toMatchObject({ error: 'too_many_api_keys' })

  const [last] = await listKeys(api, owner)
  await revokeKey(api, owner, String(last?.id))
  expect((await post()).status).toBe(201)
})

test('a hundred keys a day, including revoked ones, so that revoking does not evade the limit', async () => {
  const owner = await addPerson(pool)
  await createKey(api, owner)
  await pool.query(
    `insert into api_keys (id, user_id, name, key, secret_hash, revoked_at, created_at)
     select gen_random_uuid(), $1, 'old', 'sd_' || gen_random_uuid(), '\\x00', now(), now() - interval '23 hours'
     from generate_series(1, 99)`,
    [owner.id],
  )
  await expect(createKey(api, owner)).rejects.toThrow('too_many_api_keys')
  await pool.query(`update api_keys set created_at = now() - interval '25 hours' where user_id = $1`, [owner.id])
  await createKey(api, owner)
})
