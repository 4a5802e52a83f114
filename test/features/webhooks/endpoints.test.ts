// A server's webhook for its owner: creation, changes, tests, its secret, its deletion.
import { describe, expect, it } from 'vitest'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { createWebhookWorld, type Owned, URL_OF_OWNER, unknownId } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)
const { call } = world
const WANTED = { url: URL_OF_OWNER, events: ['vote.created', 'server.offline'] }

async function stored(id: string): Promise<Record<string, unknown>> {
  const { rows } = await pool.query('select * from endpoints where server_id = $1', [id])
  return rows[0] ?? {}
}

async function disable(id: string): Promise<void> {
  await pool.query(
    `update endpoints set disabled_at = now(), disabled_reason = 'failing', failing_since = now() - interval '5 days',
       is_slow = true
     where server_id = $1`,
    [id],
  )
}

describe('a webhook', () => {
  it('returns its secret once; it is stored encrypted, and no other response and no log contains it', async () => {
    const owned = await world.addServer()
    const { status, body } = await world.set(owned, WANTED)
    expect(status).toBe(200)
    const secret = String(body.secret)
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    expect(body).toEqual({
      ...WANTED,
      isActive: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      secret,
    })
    const { secret: encrypted, url: encryptedUrl } = await stored(owned.id)
    expect(encryptedUrl).toMatch(/^v1\./)
    expect(encrypted).not.toContain(secret.slice(6, 20))
    const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
    expect(secretCipher.decrypt('webhook', String(encrypted))).toBe(secret)

    const { secret: _, ...shown } = body
    expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)).body).toEqual(shown)
    expect((await world.set(owned, WANTED)).body).not.toHaveProperty('secret')
  })

  it('that is set again keeps its secret and continues without failures, at the new URL', async () => {
    const owned = await world.addWebhook()
    const before = await stored(owned.id)
    await disable(owned.id)
    expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)).body).toMatchObject({
      isActive: false,
      disabledReason: 'failing',
      disabledAt: expect.any(String),
      failingSince: expect.any(String),
    })
    const url = 'https://elsewhere.example/hook'
    const { body } = await world.set(owned, { url, events: ['auction.won', 'auction.won'] })
    expect(body).toMatchObject({
      url,
      events: ['auction.won'],
      isActive: true,
      disabledReason: null,
      failingSince: null,
    })
    expect(await stored(owned.id)).toMatchObject({
      secret: before.secret,
      is_slow: false,
      created_at: before.created_at,
    })
    expect((await stored(owned.id)).updated_at).not.toEqual(before.updated_at)
  })

  it('is created once by concurrent requests, one of which gets the secret', async () => {
    const owned = await world.addServer()
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.set(owned, WANTED)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const secrets = replies.flatMap(({ body }) => (body.secret ? [String(body.secret)] : []))
    expect(secrets).toHaveLength(1)
    const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
    expect(secretCipher.decrypt('webhook', String((await stored(owned.id)).secret))).toBe(secrets[0])
  })

  it('gets another secret, and the previous one signs, too, for 24 hours', async () => {
    const owned = await world.addWebhook()
    const { status, body } = await call(owned.owner, 'POST', `/servers/${owned.id}/webhook/rotate-secret`)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^whsec_/)
    expect(body.secret).not.toBe(owned.secret)
    const hours = (Date.parse(String(body.previousSecretUntil)) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
    const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
    const { secret, previous_secret: previous } = await stored(owned.id)
    expect(secretCipher.decrypt('webhook', String(secret))).toBe(body.secret)
    expect(secretCipher.decrypt('webhook', String(previous))).toBe(owned.secret)
    expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)).body).not.toHaveProperty('secret')
  })

  it('that is deleted has its pending deliveries canceled; another one starts without them', async () => {
    const owned = await world.addWebhook()
    await world.queue(world.event(owned.id))
    expect(await call(owned.owner, 'DELETE', `/servers/${owned.id}/webhook`)).toEqual({
      status: 200,
      body: { success: true },
    })
    const { rows } = await pool.query(
      'select status, due_at, settled_at is not null as settled from endpoint_deliveries where endpoint_id = $1',
      [owned.id],
    )
    expect(rows).toEqual([{ status: 'canceled', due_at: null, settled: true }])
    for (const [method, path] of OPERATIONS.filter(([method]) => method !== 'PUT'))
      expect((await call(owned.owner, method, `/servers/${owned.id}${path}`)).status, path).toBe(404)
    expect((await world.queue(world.event(owned.id))).size).toBe(0)

    expect((await world.set(owned, WANTED)).body.secret).not.toBe(owned.secret)
    // After a transfer the next owner must not see deliveries to the former webhook.
    expect((await world.deliveries(owned)).deliveries).toEqual([])
  })

  it('can be tested whatever its events are, unless it is disabled', async () => {
    const owned = await world.addWebhook({ events: ['auction.won'] })
    const { status, body } = await call(owned.owner, 'POST', `/servers/${owned.id}/webhook/test`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'webhook.test', status: 'pending', attempts: 0, settledAt: null, log: [] })
    expect(body.payload).toEqual({
      type: 'webhook.test',
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      data: { serverId: owned.id, serverName: expect.stringMatching(/^Server/), message: expect.any(String) },
    })
    expect(await world.wakes(owned.id)).toBe(1)
    expect((await world.deliveries(owned)).deliveries).toEqual([body])

    await disable(owned.id)
    const refused = await call(owned.owner, 'POST', `/servers/${owned.id}/webhook/test`)
    expect(refused).toMatchObject({ status: 400, body: { error: 'webhook_disabled' } })
    expect(await world.wakes(owned.id)).toBe(1)
  })

  it('is sent manual deliveries at most 20 times a minute, over all of a user’s servers', async () => {
    const [first, second] = [await world.addWebhook(), await world.addWebhook()]
    await pool.query('update servers set owner_id = $1 where id = $2', [first.owner.id, second.id])
    const statuses: number[] = []
    for (let n = 0; n < 22; n++) {
      const { id } = n % 2 ? first : second
      statuses.push((await call(first.owner, 'POST', `/servers/${id}/webhook/test`)).status)
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429])
    expect((await call(second.owner, 'POST', `/servers/${first.id}/webhook/test`)).status).toBe(403)
  })
})

const OPERATIONS: [method: string, path: string][] = [
  ['PUT', '/webhook'],
  ['GET', '/webhook'],
  ['DELETE', '/webhook'],
  ['POST', '/webhook/rotate-secret'],
  ['POST', '/webhook/test'],
  ['GET', '/webhook/deliveries'],
  ['POST', `/webhook/deliveries/${unknownId()}/redeliver`],
]

describe('another user’s webhook', () => {
  it.each(OPERATIONS)('%s %s is forbidden, and nothing changes', async (method, path) => {
    const owned = await world.addWebhook()
    const before = await stored(owned.id)
    const stranger = await addPerson(pool)
    const body = method === 'PUT' ? { url: 'http://127.0.0.1/', events: ['vote.created'] } : undefined
    expect((await call(stranger, method, `/servers/${owned.id}${path}`, body)).status).toBe(403)
    expect((await call(undefined, method, `/servers/${owned.id}${path}`, body)).status).toBe(401)
    for (const id of [unknownId(), 'no-id'])
      expect((await call(stranger, method, `/servers/${id}${path}`, body)).status).toBe(404)
    expect(await stored(owned.id)).toEqual(before)
    expect(await world.wakes(owned.id)).toBe(0)
  })

  it('can be changed by an administrator, and that is recorded without secrets', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const owned: Owned = await world.addServer()
    const mine = { owner: admin, id: owned.id }
    await world.set(mine, { url: 'https://owner.example/hook?token=secret', events: ['vote.created'] })
    await call(admin, 'POST', `/servers/${owned.id}/webhook/rotate-secret`)
    const { body: tried } = await call(admin, 'POST', `/servers/${owned.id}/webhook/test`)
    await call(admin, 'POST', `/servers/${owned.id}/webhook/deliveries/${tried.id}/redeliver`)
    await call(admin, 'DELETE', `/servers/${owned.id}/webhook`)
    expect(await world.audited(owned.id)).toEqual([
      { action: 'webhook.set', details: { host: 'owner.example', events: ['vote.created'] } },
      { action: 'webhook.rotate-secret', details: {} },
      { action: 'webhook.test', details: {} },
      { action: 'webhook.redeliver', details: { deliveryId: tried.id } },
      { action: 'webhook.delete', details: {} },
    ])
    await world.set(owned, WANTED)
    expect(await world.audited(owned.id)).toHaveLength(5)
  })
})

describe('an invalid webhook', () => {
  it.each([
    [{ events: ['vote.created'] }, 'body.url', 'is required'],
    [{ ...WANTED, url: 'ftp://owner.example/' }, 'body.url', 'must be an http or https URL'],
    [{ ...WANTED, url: 'https://a:b@owner.example/' }, 'body.url', 'must have no user name or password in it'],
    [{ url: URL_OF_OWNER }, 'body.events', 'is required'],
    [{ ...WANTED, events: [] }, 'body.events', 'must name at least one event'],
    [{ ...WANTED, events: 'vote.created' }, 'body.events', 'must be a list of events'],
    [{ ...WANTED, events: ['webhook.test'] }, 'body.events.0', expect.stringContaining('must be vote.created')],
    [{ ...WANTED, events: ['vote.created', 'vote.deleted'] }, 'body.events.1', expect.stringContaining('auction.won')],
  ])('is refused for %j', async (body, path, message) => {
    const owned = await world.addServer()
    const refused = await world.set(owned, body)
    expect(refused).toMatchObject({ status: 400, body: { error: 'validation_failed', details: [{ path, message }] } })
    expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)).status).toBe(404)
  })

  it('is refused with an internal URL where private targets are not allowed', async () => {
    const strictApi = await startTestApi({ settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
    const strict = createWebhookWorld(strictApi)
    const owned = await strict.addServer({ ipAddress: 'game.example' })
    await strict.set(owned, WANTED)
    const inside = ['http://127.0.0.1/', 'http://0x7f.1/', 'http://[::ffff:10.0.0.1]/', 'http://localhost/']
    for (const url of inside)
      expect(await strict.set(owned, { ...WANTED, url })).toMatchObject({
        status: 400,
        body: { error: 'validation_failed', details: [{ path: 'body.url', message: 'must be a public address' }] },
      })
    const { body } = await strict.call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)
    expect(body.url).toBe(URL_OF_OWNER)
    expect((await world.set(await world.addServer(), { ...WANTED, url: 'http://127.0.0.1/' })).status).toBe(200)
    expect(await (await api.request('/api/openapi.json')).text()).not.toContain('never a private address')
  })
})
