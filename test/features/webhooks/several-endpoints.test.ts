// A server's endpoints: several, each with its own deliveries, secret and state; `/webhook` is the first of
// the kind `standard`.
import { describe, expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { createWebhookWorld, type Delivery, type Owned, URL_OF_OWNER, unknownId } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)
const { call } = world
const SECOND = { kind: 'standard', url: 'https://second.example/hook', events: ['vote.created'] }

const at = ({ id }: Owned, rest = '') => `/servers/${id}/endpoints${rest}`
const add = (owned: Owned, body: object = SECOND) => call(owned.owner, 'POST', at(owned), body)

async function list(owned: Owned) {
  const { body } = await call(owned.owner, 'GET', at(owned))
  return body.endpoints as Record<string, unknown>[]
}

async function deliveriesOf(owned: Owned, endpointId: unknown): Promise<Delivery[]> {
  const { body } = await call(owned.owner, 'GET', at(owned, `/${endpointId}/deliveries`))
  return body.deliveries as unknown as Delivery[]
}

describe('the endpoints of a server', () => {
  it('are at most five, listed oldest first, each with its secret shown once', async () => {
    const owned = await world.addServer()
    const secrets = new Set<unknown>()
    for (let n = 1; n <= 5; n++) {
      const { status, body } = await add(owned, { ...SECOND, url: `https://owner.example/${n}` })
      expect(status).toBe(201)
      expect(body.secret).toMatch(/^whsec_/)
      secrets.add(body.secret)
    }
    expect(secrets.size).toBe(5)
    expect(await add(owned)).toMatchObject({ status: 400, body: { error: 'too_many_endpoints' } })
    const endpoints = await list(owned)
    expect(endpoints.map(({ url }) => url)).toEqual([1, 2, 3, 4, 5].map((n) => `https://owner.example/${n}`))
    expect(JSON.stringify(endpoints)).not.toContain('whsec_')
    const [first] = endpoints
    expect((await call(owned.owner, 'GET', at(owned, `/${first?.id}`))).body).toEqual(first)
  })

  it('are at most five when they are added at once', async () => {
    const owned = await world.addServer()
    const replies = await Promise.all(Array.from({ length: 8 }, () => add(owned)))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(3).fill(400)])
    expect(await world.set(owned, { url: URL_OF_OWNER, events: ['vote.created'] })).toMatchObject({ status: 200 })
    expect(await list(owned)).toHaveLength(5)
  })

  it('get each their own delivery of an event, with an id of its own, and one job', async () => {
    const owned = await world.addWebhook()
    const { body: second } = await add(owned)
    await add(owned, { ...SECOND, events: ['auction.won'] })
    const { body: vote } = await call(undefined, 'POST', `/servers/${owned.id}/vote`, { visitorId: 'a-visitor-of-two' })
    expect(vote.webhookSent).toBe(true)
    const [[one], [two]] = [await deliveriesOf(owned, owned.id), await deliveriesOf(owned, second.id)]
    expect(one?.payload).toEqual(two?.payload)
    expect(one?.payload.type).toBe('vote.created')
    expect(one?.id).not.toBe(two?.id)
    expect([await world.wakes(owned.id), await world.wakes(String(second.id))]).toEqual([1, 1])
    expect(
      (await pool.query('select from endpoint_deliveries where id = any($1)', [[one?.id, two?.id]])).rowCount,
    ).toBe(2)
    const { body } = await call(owned.owner, 'POST', at(owned, `/${second.id}/deliveries/${one?.id}/redeliver`))
    expect(body.error).toBe('not_found')
  })

  it('are tested, disabled, changed and deleted one by one', async () => {
    const owned = await world.addWebhook()
    const { body: second } = await add(owned, { ...SECOND, events: ['auction.won'] })
    const path = at(owned, `/${second.id}`)
    const { body: tested } = await call(owned.owner, 'POST', `${path}/test`)
    expect(tested).toMatchObject({ type: 'webhook.test', status: 'pending' })
    expect((await world.deliveries(owned)).deliveries).toEqual([])
    expect(await deliveriesOf(owned, second.id)).toEqual([tested])

    await pool.query(`update endpoints set disabled_at = now(), disabled_reason = 'gone' where id = $1`, [second.id])
    expect(await call(owned.owner, 'POST', `${path}/test`)).toMatchObject({ body: { error: 'webhook_disabled' } })
    expect((await call(owned.owner, 'POST', `/servers/${owned.id}/webhook/test`)).status).toBe(200)
    const { body: changed } = await call(owned.owner, 'PATCH', path, { events: ['vote.created', 'vote.created'] })
    expect(changed).toMatchObject({ url: SECOND.url, events: ['vote.created'], isActive: true, disabledReason: null })
    expect((await call(owned.owner, 'PATCH', path, { url: 'https://third.example/' })).body).toMatchObject({
      url: 'https://third.example/',
      events: ['vote.created'],
    })

    expect(await call(owned.owner, 'DELETE', path)).toEqual({ status: 200, body: { success: true } })
    expect((await list(owned)).map(({ id }) => id)).toEqual([owned.id])
    const { rows } = await pool.query('select distinct status from endpoint_deliveries where endpoint_id = $1', [
      second.id,
    ])
    expect(rows).toEqual([{ status: 'canceled' }])
    expect((await world.deliveries(owned)).deliveries).toMatchObject([{ status: 'pending' }])
  })

  it('get new secrets apart from each other', async () => {
    const owned = await world.addWebhook()
    const { body: second } = await add(owned)
    const { body } = await call(owned.owner, 'POST', at(owned, `/${second.id}/rotate-secret`))
    expect(body).toMatchObject({ id: second.id, kind: 'standard', previousSecretUntil: expect.any(String) })
    expect(body.secret).toMatch(/^whsec_/)
    expect(body.secret).not.toBe(second.secret)
    expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)).body.previousSecretUntil).toBeNull()
  })
})

describe('the webhook of a server', () => {
  it('is its first standard endpoint, however that was added', async () => {
    const owned = await world.addServer()
    const { body: first } = await add(owned)
    await add(owned, { ...SECOND, url: 'https://third.example/' })
    const { body: webhook } = await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)
    const { id, kind, secret, ...shown } = first
    expect(webhook).toEqual(shown)
    const { body: set } = await world.set(owned, { url: URL_OF_OWNER, events: ['auction.won'] })
    expect(set).not.toHaveProperty('secret')
    expect((await call(owned.owner, 'GET', at(owned, `/${id}`))).body).toMatchObject({ id, kind, url: URL_OF_OWNER })
    await call(owned.owner, 'DELETE', `/servers/${owned.id}/webhook`)
    expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook`)).body.url).toBe('https://third.example/')
  })
})

describe('an endpoint', () => {
  it('of another server, an unknown one and a malformed id are not found', async () => {
    const [mine, other] = [await world.addWebhook(), await world.addWebhook()]
    const { body } = await add(other)
    for (const id of [other.id, body.id, unknownId(), 'no-id'])
      for (const [method, rest] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/rotate-secret'],
        ['POST', '/test'],
        ['GET', '/deliveries'],
        ['POST', `/deliveries/${unknownId()}/redeliver`],
      ] as const)
        expect(
          (await call(mine.owner, method, at(mine, `/${id}${rest}`), method === 'PATCH' ? {} : undefined)).status,
        ).toBe(404)
    expect(await list(other)).toHaveLength(2)
  })

  it.each([
    [{ url: URL_OF_OWNER, events: ['vote.created'] }, 'body.kind', expect.stringMatching(/^must be standard/)],
    [{ ...SECOND, kind: 'carrier-pigeon' }, 'body.kind', expect.stringMatching(/^must be standard/)],
    [{ kind: 'standard', events: ['vote.created'] }, 'body.url', 'is required'],
    [{ kind: 'standard', url: URL_OF_OWNER }, 'body.events', 'is required'],
  ])('is refused for %j', async (body, path, message) => {
    const owned = await world.addServer()
    expect(await add(owned, body)).toMatchObject({ status: 400, body: { details: [{ path, message }] } })
    expect(await list(owned)).toEqual([])
  })

  it('is dropped with all others of its server when that gets another owner', async () => {
    const owned = await world.addWebhook()
    await add(owned)
    const admin = await addPerson(pool, { isAdmin: true })
    const heir = await addPerson(pool)
    await call(admin, 'PATCH', `/admin/servers/${owned.id}`, { ownerId: heir.id })
    expect(await list({ ...owned, owner: heir })).toEqual([])
  })
})
