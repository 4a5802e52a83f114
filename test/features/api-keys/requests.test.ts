// Requests with an API key, to two processes over one database: for whom they act, where, and until when.
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { freePort } from '../../../commands/start/ports.ts'
import { createApiKeys } from '../../../src/features/api-keys/index.ts'
import { createPool } from '../../../src/platform/db/pool.ts'
import { operation } from '../../../src/platform/http/operation.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { addPerson, fieldsOf } from '../../support/people.ts'
import { sendBodyAfter } from '../../support/slow-request.ts'
import { serverFields } from '../servers/support.ts'
import { bearer, type Created, createKey, listKeys, patchKey, revokeKey } from './support.ts'

const adminOnly = operation({
  method: 'get',
  path: '/sample/admin',
  operationId: 'sampleAdmin',
  tag: 'Sample',
  summary: 'For administrators',
  access: 'admin',
  returns: z.object({}),
  handle: () => ({}),
})
const one = await startTestApi({ routes: [adminOnly] })
const other = await startTestApi({ database: one.database })
const { pool } = one.database

const PROTECTED = '/api/user/favorites'
const statusOf = async (api: TestApi, key: Pick<Created, 'key' | 'secret'>, path = PROTECTED) =>
  (await api.request(path, { headers: bearer(key) })).status

test('a key acts for its owner, in every process at once', async () => {
  const owner = await addPerson(pool)
  const key = await createKey(one, owner)
  expect(await statusOf(one, key)).toBe(200)
  expect(await statusOf(other, key)).toBe(200)
})

test('revoked in one process, a key is refused by the next request to the other', async () => {
  const owner = await addPerson(pool)
  const key = await createKey(one, owner)
  expect(await statusOf(other, key)).toBe(200)
  await revokeKey(one, owner, key.id)
  expect(await statusOf(other, key)).toBe(401)
  expect(await statusOf(one, key)).toBe(401)
})

test('a key that is revoked while the body of a request arrives changes nothing with it', async () => {
  const owner = await addPerson(pool)
  const key = await createKey(one, owner)
  const answer = await sendBodyAfter(
    `${other.url}/api/servers`,
    { method: 'POST', headers: bearer(key), body: serverFields() },
    () => revokeKey(one, owner, key.id),
  )
  expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_api_key' } })
})

test('deactivated in one process, a key is refused by the other until it is activated', async () => {
  const owner = await addPerson(pool)
  const key = await createKey(one, owner)
  await patchKey(one, owner, key.id, { isActive: false })
  expect(await statusOf(other, key)).toBe(401)
  await patchKey(other, owner, key.id, { isActive: true })
  expect(await statusOf(one, key)).toBe(200)
})

test('all keys of a banned user are refused until the ban ends', async () => {
  const owner = await addPerson(pool)
  const keys = [await createKey(one, owner), await createKey(one, owner)]
  for (const [bannedAt, status] of [
    [new Date(), 401],
    [null, 200],
  ] as const) {
    await pool.query('update users set banned_at = $2 where id = $1', [owner.id, bannedAt])
    for (const key of keys) expect(await statusOf(one, key)).toBe(status)
  }
})

test('every invalid key gets the same answer, also where none is needed', async () => {
  const owner = await addPerson(pool)
  const [key, another] = [await createKey(one, owner), await createKey(one, owner)]
  const wrong = [
    { ...key, secret: another.secret },
    { ...key, secret: randomBytes(32).toString('base64url') },
    { ...key, key: `sd_${'x'.repeat(24)}` },
    { ...key, key: key.key.toUpperCase() },
  ]
  await revokeKey(one, owner, another.id)
  for (const path of [PROTECTED, '/api/public/servers', '/api/v1/servers', '/api/nothing/here'])
    for (const credential of [...wrong, another]) {
      const response = await fetch(one.url + path, { headers: bearer(credential) })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Server Directory", error="invalid_token"')
      expect(await response.json()).toMatchObject({ error: 'invalid_api_key', message: expect.any(String) })
    }
})

test('a key in X-API-Key is answered with how to send it, also where none is needed', async () => {
  const { key, secret } = await createKey(one, await addPerson(pool))
  for (const path of [PROTECTED, '/api/public/servers'])
    for (const sent of [key, `${key}.${secret}`]) {
      const response = await one.request(path, { headers: { 'x-api-key': sent } })
      expect(response.status).toBe(401)
      expect((await response.json()).message).toContain('Authorization: Bearer <API_KEY>.<SECRET>')
    }
  const ofGateway = { 'x-api-key': 'a key of another program' }
  expect((await one.request('/api/public/servers', { headers: ofGateway })).status).toBe(200)
})

test('an invalid key is refused even beside a valid session', async () => {
  const { cookie } = await addPerson(pool)
  const bad = { cookie, authorization: 'Bearer nonsense' }
  expect((await one.request(PROTECTED, { headers: { cookie } })).status).toBe(200)
  expect((await one.request(PROTECTED, { headers: bad })).status).toBe(401)
})

test('a key can’t manage keys or call administrators’ operations, even an administrator’s', async () => {
  const owner = await addPerson(pool, { isAdmin: true })
  const key = await createKey(one, owner)
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const refused: [path: string, init: RequestInit][] = [
    ['/api/user/api-keys', {}],
    ['/api/user/api-keys', { method: 'POST', body: '{"name":"another"}' }],
    [`/api/user/api-keys/${key.id}`, { method: 'PATCH', body: '{"name":"another"}' }],
    [`/api/user/api-keys/${key.id}`, { method: 'DELETE' }],
    ['/api/sample/admin', {}],
  ]
  for (const [path, init] of refused) {
    const response = await one.request(path, { ...init, headers })
    expect([response.status, (await fieldsOf(response)).error], path).toEqual([403, 'forbidden'])
  }
  expect((await one.request('/api/sample/admin', { headers: { cookie: owner.cookie } })).status).toBe(200)
  expect(await listKeys(one, owner)).toMatchObject([{ id: key.id, name: 'a key' }])
})

test('a key makes no difference where none is needed', async () => {
  const key = await createKey(one, await addPerson(pool))
  for (const path of ['/api/public/servers', '/api/v1/servers', '/api/public/stats'])
    expect(await statusOf(one, key, path)).toBe(200)
})

test('the scheme ignores case, the credential does not', async () => {
  const { key, secret } = await createKey(one, await addPerson(pool))
  const status = async (authorization: string) => (await one.request(PROTECTED, { headers: { authorization } })).status
  expect(await status(`bearer ${key}.${secret}`)).toBe(200)
  expect(await status(`BEARER ${key}.${secret}`)).toBe(200)
  for (const malformed of [
    '',
    'Bearer',
    'Bearer ',
    'Bearer .',
    key,
    `${key}.${secret}`,
    `Bearer ${key}`,
    `Bearer ${key}.`,
    `Bearer .${secret}`,
    `Bearer ${secret}.${key}`,
    `Bearer  ${key}.${secret}`,
    `Bearer\t${key}.${secret}`,
    `Bearer ${key}.${secret}=`,
    `Bearer ${key}.${secret}.x`,
    `Bearer ${key}:${secret}`,
    `Bearer ${key}.${secret}, Bearer ${key}.${secret}`,
    `Bearer ${key.toLowerCase()}.${secret}`,
    `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
    `Token ${key}.${secret}`,
    `Bearer ${key}.${secret.slice(0, -1)}`,
    `Bearer ${'x'.repeat(8000)}`,
  ])
    expect(await status(malformed), malformed).toBe(401)
})

test('while the database does not answer, a key is neither accepted nor refused: 503', async () => {
  const key = await createKey(one, await addPerson(pool))
  const url = new URL(one.database.url)
  url.port = String(await freePort())
  const unreachable = createPool({ url: url.href, max: 1, applicationName: 'test', log: testLog })
  const { byKey, stop } = createApiKeys({ pool: unreachable, log: testLog })
  await expect(byKey(bearer(key).authorization)).rejects.toMatchObject({ status: 503, code: 'unavailable' })
  await expect(byKey('Bearer nonsense')).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
  await stop()
  await unreachable.end()
})

/** Sends a header that `fetch` refuses. */
function rawStatus(authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(one.url + PROTECTED, { agent: false, headers: { authorization } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })
}

test('every malformed Authorization header is answered with 401', async () => {
  const { key, secret } = await createKey(one, await addPerson(pool))
  const piece = fc.oneof(
    fc.constantFrom(
      'Bearer',
      'bearer',
      'Basic',
      ' ',
      '.',
      ',',
      '=',
      key,
      secret,
      `${key}.${secret}`,
      'sd_',
      '\u00ff',
      '\t',
    ),
    fc.string({ unit: 'binary-ascii' }),
  )
  const header = fc
    .array(piece, { maxLength: 6 })
    .map((pieces) => pieces.join('').replace(/[^\t\x20-\x7e\x80-\xff]/g, ''))
    .filter((text) => text.trim().toLowerCase() !== `bearer ${key}.${secret}`.toLowerCase())
  await fc.assert(
    fc.asyncProperty(header, async (text) => {
      expect(await rawStatus(text)).toBe(401)
    }),
    { numRuns: 150 },
  )
})
