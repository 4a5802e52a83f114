// How events become deliveries, and how their owner reads and repeats them.
import { describe, expect, it } from 'vitest'
import { disableEndpoint, queueDeliveries } from '../../../src/features/webhooks/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { createWebhookWorld, type Owned, unknownId } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { jobs } = api.deps
const world = createWebhookWorld(api)
const { call } = world

async function rowsOf(serverId: string): Promise<{ id: string; type: string; status: string; body: string }[]> {
  const { rows } = await pool.query(
    'select id, type, status, body from endpoint_deliveries where endpoint_id = $1 order by number',
    [serverId],
  )
  return rows
}

async function giveUp(serverId: string, at?: string) {
  const storedUrl = at ?? (await world.storedUrl(serverId))
  return inTransaction(pool, (tx) => disableEndpoint(tx, jobs, { endpointId: serverId, storedUrl, reason: 'gone' }))
}

const redeliver = ({ owner, id }: Owned, deliveryId: string) =>
  call(owner, 'POST', `/servers/${id}/webhook/deliveries/${deliveryId}/redeliver`)

describe('an event', () => {
  it('is queued for webhooks that subscribe to it, with its exact body, and one job a server', async () => {
    const [votes, wipes] = [await world.addWebhook(), await world.addWebhook({ events: ['server.wiped'] })]
    const none = await world.addServer()
    const at = new Date('2026-03-01T12:00:00.007Z')
    const events = [votes, wipes, none].flatMap(({ id }) => [
      { serverId: id, type: 'vote.created' as const, at, data: { username: 'Zoë "✓"', n: 1 } },
      { serverId: id, type: 'vote.created' as const, at, data: { username: '', n: 2 } },
    ])
    expect([...(await world.queue(...events))]).toEqual([votes.id])
    expect((await rowsOf(votes.id)).map(({ body }) => body)).toEqual([
      '{"type":"vote.created","timestamp":"2026-03-01T12:00:00.007Z","data":{"username":"Zoë \\"✓\\"","n":1}}',
      '{"type":"vote.created","timestamp":"2026-03-01T12:00:00.007Z","data":{"username":"","n":2}}',
    ])
    expect(await rowsOf(wipes.id)).toEqual([])
    expect(await rowsOf(none.id)).toEqual([])
    expect(await Promise.all([votes, wipes, none].map(({ id }) => world.wakes(id)))).toEqual([1, 0, 0])
    const [first] = (await world.deliveries(votes)).deliveries
    expect(first).toMatchObject({ type: 'vote.created', status: 'pending', attempts: 0, payload: { data: { n: 2 } } })
    expect(Date.parse(first?.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now() + 1_000)
  })

  it('leaves neither a delivery nor a job when its transaction is rolled back', async () => {
    const owned = await world.addWebhook()
    const failing = inTransaction(pool, async (tx) => {
      expect(await queueDeliveries(tx, jobs, [world.event(owned.id)])).toMatchObject([{ endpointId: owned.id }])
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await rowsOf(owned.id)).toEqual([])
    expect(await world.wakes(owned.id)).toBe(0)
  })

  it('is not queued for a disabled webhook, and a vote’s response says so', async () => {
    const owned = await world.addWebhook()
    const vote = async (visitorId: string) =>
      (await call(undefined, 'POST', `/servers/${owned.id}/vote`, { visitorId })).body.webhookSent
    expect(await vote('visitor-number-one')).toBe(true)
    await giveUp(owned.id)
    expect(await vote('visitor-number-two')).toBe(false)
    expect((await rowsOf(owned.id)).map(({ status }) => status)).toEqual(['canceled'])
    await world.set(owned, { url: 'https://owner.example/', events: ['vote.created'] })
    expect(await vote('visitor-number-three')).toBe(true)
    expect((await rowsOf(owned.id)).map(({ status }) => status)).toEqual(['canceled', 'pending'])
  })

  it('is sent to a webhook whose former URL answered 410 only now', async () => {
    const owned = await world.addWebhook()
    const before = await world.storedUrl(owned.id)
    await world.set(owned, { url: 'https://elsewhere.example/', events: ['vote.created'] })
    expect(await giveUp(owned.id, before)).toBe(false)
    expect((await world.queue(world.event(owned.id))).size).toBe(1)
    expect((await rowsOf(owned.id)).map(({ status }) => status)).toEqual(['pending'])
    expect(await giveUp(owned.id)).toBe(true)
  })

  it('keeps the order of each server’s events, in one statement and over several', async () => {
    const owned = await Promise.all([world.addWebhook(), world.addWebhook()])
    let n = 0
    for (let round = 0; round < 3; round++) {
      const events = Array.from({ length: 50 }, () =>
        owned.map(({ id }) => world.event(id, 'vote.created', { n: n++ })),
      )
      await world.queue(...events.flat())
    }
    for (const [place, { id }] of owned.entries()) {
      const numbers = (await rowsOf(id)).map(({ body }) => (JSON.parse(body) as { data: { n: number } }).data.n)
      expect(numbers).toEqual(Array.from({ length: 150 }, (_, k) => 2 * k + place))
    }
  })

  it('that is queued while its webhook is being disabled or deleted is either refused or canceled', async () => {
    for (const end of [giveUp, (id: string) => call(ownerOf(id), 'DELETE', `/servers/${id}/webhook`)]) {
      const owned = await world.addWebhook()
      owners.set(owned.id, owned)
      const queued = Array.from({ length: 12 }, () => world.queue(world.event(owned.id)))
      await Promise.all([...queued, end(owned.id)])
      expect((await rowsOf(owned.id)).filter(({ status }) => status !== 'canceled')).toEqual([])
    }
  })

  it('does not wait for the dispatch, which locks the webhook while it writes', async () => {
    const owned = await world.addWebhook()
    await inTransaction(pool, async (tx) => {
      await tx.query('select from endpoints where server_id = $1 for no key update', [owned.id])
      expect((await world.queue(world.event(owned.id))).size).toBe(1)
    })
  })
})

const owners = new Map<string, Owned>()
const ownerOf = (id: string) => owners.get(id)?.owner

describe('the log of deliveries', () => {
  it('is paged newest first and filtered by status, with every attempt', async () => {
    const owned = await world.addWebhook()
    await world.queue(...Array.from({ length: 5 }, (_, n) => world.event(owned.id, 'vote.created', { n })))
    const ids = (await rowsOf(owned.id)).map(({ id }) => id).reverse()
    await world.settle(ids[0] ?? '', 'delivered')
    await pool.query(
      `insert into endpoint_attempts (delivery_id, number, attempted_at, status, latency_ms, error, response)
       values ($1, 1, '2026-01-01T00:00:00Z', null, 10000, 'timeout', ''), ($1, 2, '2026-01-01T00:00:05.5Z', 200, 12, null, 'ok')`,
      [ids[0]],
    )
    const first = await world.deliveries(owned, '?limit=2')
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3 })
    const third = await world.deliveries(owned, '?limit=2&page=3')
    const second = await world.deliveries(owned, '?limit=2&page=2')
    expect([first, second, third].flatMap(({ deliveries }) => deliveries.map(({ id }) => id))).toEqual(ids)
    expect((await world.deliveries(owned, '?page=9')).deliveries).toEqual([])
    expect(first.deliveries[0]).toMatchObject({
      status: 'delivered',
      nextAttemptAt: null,
      settledAt: expect.any(String),
    })
    expect(first.deliveries[0]?.log).toEqual([
      { number: 1, at: '2026-01-01T00:00:00.000Z', status: null, latencyMs: 10_000, error: 'timeout', response: '' },
      { number: 2, at: '2026-01-01T00:00:05.500Z', status: 200, latencyMs: 12, error: null, response: 'ok' },
    ])
    expect((await world.deliveries(owned, '?status=delivered')).pagination.total).toBe(1)
    expect((await world.deliveries(owned, '?status=pending')).pagination.total).toBe(4)
    for (const bad of ['limit=51', 'page=0', 'status=lost'])
      expect((await call(owned.owner, 'GET', `/servers/${owned.id}/webhook/deliveries?${bad}`)).status, bad).toBe(400)
  })

  it('has no deliveries of other servers, nor of a former webhook', async () => {
    const [owned, other] = [await world.addWebhook(), await world.addWebhook()]
    await world.queue(world.event(owned.id), world.event(other.id))
    expect((await world.deliveries(owned)).pagination.total).toBe(1)
    const [delivery] = await rowsOf(other.id)
    expect((await redeliver(owned, delivery?.id ?? '')).status).toBe(404)
  })
})

describe('a redelivery', () => {
  it.each(['delivered', 'dead'] as const)('has the same id and body, and is due at once, after %s', async (status) => {
    const owned = await world.addWebhook()
    await world.queue(world.event(owned.id))
    const [before] = await rowsOf(owned.id)
    const id = before?.id ?? ''
    await world.settle(id, status)
    const { status: answer, body } = await redeliver(owned, id)
    expect(answer).toBe(200)
    expect(body).toMatchObject({ id, status: 'pending', attempts: 1, settledAt: null })
    expect(Date.parse(String(body.nextAttemptAt))).toBeLessThanOrEqual(Date.now() + 1_000)
    expect(await rowsOf(owned.id)).toEqual([before])
    expect(await world.wakes(owned.id)).toBe(2)
  })

  it('sends canceled deliveries once the webhook is enabled, and is refused before', async () => {
    const owned = await world.addWebhook()
    await world.queue(world.event(owned.id))
    const id = (await rowsOf(owned.id))[0]?.id ?? ''
    await giveUp(owned.id)
    expect(await redeliver(owned, id)).toMatchObject({ status: 400, body: { error: 'webhook_disabled' } })
    expect((await rowsOf(owned.id))[0]?.status).toBe('canceled')
    expect(await world.wakes(owned.id)).toBe(1)
    await world.set(owned, { url: 'https://owner.example/', events: ['vote.created'] })
    expect(await redeliver(owned, id)).toMatchObject({ status: 200, body: { id, status: 'pending' } })
  })

  it('of an unknown delivery is 404', async () => {
    const owned = await world.addWebhook()
    for (const id of [unknownId(), 'no-id']) expect((await redeliver(owned, id)).status).toBe(404)
  })
})
