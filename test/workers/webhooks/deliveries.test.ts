// A delivery's life: sent and signed, retried, given up, and in order.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { listFailedJobs, redriveJobs } from '../../../src/features/queues/index.ts'
import { webhookWake } from '../../../src/features/webhooks/index.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { registry } from '../../../src/platform/observability/metrics.ts'
import { startNameServer } from '../../support/name-server.ts'
import { createWorld, newSecret, startReceiver } from './support.ts'

const world = await createWorld()
const SOON = { timeout: 20_000, interval: 30 }
/** Makes the next attempt due at once. */
const QUICK = { WEBHOOK_RETRY_SCALE: '0' }

describe('a delivery', () => {
  it('is sent within a second, and the official library verifies it with the present and the previous secret', async () => {
    const receiver = await startReceiver((_, res) => res.writeHead(202).end('thank you'))
    const previous = newSecret()
    const { serverId, secret } = await world.addEndpoint(`${receiver.url}/hook?a=1`, previous)
    await world.startWorker()
    await world.queue(serverId) // opens connections
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON)

    const queuedAt = Date.now()
    const id = await world.queue(serverId, { text: 'ünï ✓' })
    await vi.waitFor(() => expect(receiver.ids()).toContain(id), SOON)
    const message = receiver.received.find((one) => one.id === id)
    if (!message) throw new Error('lost')
    expect(message.at - queuedAt).toBeLessThan(1_000)
    const headers = message.headers as Record<string, string>
    expect(message.path).toBe('/hook?a=1')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': expect.stringMatching(/\S/) })
    for (const known of [secret, previous])
      expect(new Webhook(known).verify(message.body, headers)).toMatchObject({ data: { text: 'ünï ✓' } })
    expect(() => new Webhook(newSecret()).verify(message.body, headers)).toThrow()
    const flip = (text: string, at: number) =>
      text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
    for (let at = 0; at < message.body.length; at++)
      expect(() => new Webhook(secret).verify(flip(message.body, at), headers)).toThrow()
    const [signature = ''] = String(headers['webhook-signature']).split(' ')
    for (const [name, value] of Object.entries({
      'webhook-id': id,
      'webhook-timestamp': headers['webhook-timestamp'] ?? '',
      'webhook-signature': signature,
    }))
      for (let at = 0; at < value.length; at++)
        expect(() => new Webhook(secret).verify(message.body, { ...headers, [name]: flip(value, at) })).toThrow()

    await expect.poll(() => world.delivery(id), SOON).toEqual({ status: 'delivered', attempts: 1, dueIn: null })
    expect(await world.attempts(id)).toEqual([
      { number: 1, status: 202, error: null, latencyMs: expect.any(Number), response: 'thank you' },
    ])
    await expect
      .poll(() => world.endpoint(serverId), SOON)
      .toEqual({ isSlow: false, isFailing: false, isLeased: false, disabledReason: null })
  })

  it('that fails is retried with the same id and body, and a redirect is a failure', async () => {
    const inside = await startReceiver()
    const answers = [500, 302, 200]
    const receiver = await startReceiver((_, res) =>
      res.writeHead(answers.shift() ?? 200, { location: inside.url }).end('\0\xff'),
    )
    const { serverId, secret } = await world.addEndpoint(receiver.url)
    await world.startWorker(QUICK)
    const id = await world.queue(serverId)
    await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered', attempts: 3 })
    expect(receiver.ids()).toEqual([id, id, id])
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    for (const { body, headers } of receiver.received)
      new Webhook(secret).verify(body, headers as Record<string, string>)
    expect((await world.attempts(id)).map(({ status }) => status)).toEqual([500, 302, 200])
    expect(inside.received).toEqual([])
    expect(await world.endpoint(serverId)).toMatchObject({ isSlow: false, isFailing: false })
  })

  it('waits about 5 s and then 5 min for its next attempts, or longer if Retry-After says so', async () => {
    const receiver = await startReceiver((_, res) => res.writeHead(503).end())
    const busy = await startReceiver((_, res) => res.writeHead(429, { 'retry-after': '7200' }).end())
    const dated = await startReceiver((_, res) =>
      res.writeHead(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end(),
    )
    const forever = await startReceiver((_, res) => res.writeHead(503, { 'retry-after': '99999999' }).end())
    await world.startWorker()
    const dues = await Promise.all(
      [receiver, busy, dated, forever].map(async ({ url }) => {
        const { serverId } = await world.addEndpoint(url)
        const id = await world.queue(serverId)
        await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'pending', attempts: 1 })
        return { id, serverId, dueIn: (await world.delivery(id)).dueIn ?? 0 }
      }),
    )
    const [plain, asked, until, longest] = dues.map(({ dueIn }) => dueIn)
    expect(plain).toBeGreaterThan(0)
    expect(plain).toBeLessThan(6.1)
    expect(asked).toBeGreaterThan(7_000)
    expect(until).toBeGreaterThan(3_400)
    expect(until).toBeLessThan(3_601)
    expect(longest).toBeLessThan(86_401)
    expect(longest).toBeGreaterThan(86_000)
    const first = dues[0]
    await expect.poll(() => world.delivery(first?.id ?? ''), SOON).toMatchObject({ attempts: 2 })
    const { dueIn } = await world.delivery(first?.id ?? '')
    expect(dueIn).toBeGreaterThan(230)
    expect(dueIn).toBeLessThan(361)
  })

  it('is dead after ten attempts, becomes a dead letter, and is sent once more when that is redriven', async () => {
    let isUp = false
    const receiver = await startReceiver((_, res) => res.writeHead(isUp ? 200 : 500).end())
    const { serverId } = await world.addEndpoint(receiver.url)
    await world.startWorker(QUICK)
    const id = await world.queue(serverId)
    await expect.poll(() => world.delivery(id), SOON).toEqual({ status: 'dead', attempts: 10, dueIn: null })
    expect(receiver.ids()).toEqual(Array(10).fill(id))
    const { jobs } = await listFailedJobs(world.pool, 'webhook', { page: 1, limit: 20 })
    expect(jobs).toMatchObject([{ payload: { endpointId: serverId, deliveryId: id } }])

    isUp = true
    expect(await redriveJobs(world.pool, world.jobs, 'webhook')).toBe(1)
    await expect.poll(() => world.delivery(id), SOON).toEqual({ status: 'delivered', attempts: 11, dueIn: null })
    expect(await world.attempts(id)).toHaveLength(11)
    expect(await world.endpoint(serverId)).toMatchObject({ isSlow: false, isFailing: false, disabledReason: null })
  })

  it('is not made due again by a redrive while its endpoint is disabled', async () => {
    const receiver = await startReceiver((_, res) => res.writeHead(500).end())
    const { serverId } = await world.addEndpoint(receiver.url)
    await world.startWorker(QUICK)
    const id = await world.queue(serverId)
    await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'dead' })
    await world.pool.query(`update endpoints set disabled_at = now(), disabled_reason = 'gone' where server_id = $1`, [
      serverId,
    ])
    await redriveJobs(world.pool, world.jobs, 'webhook')
    await expect.poll(() => world.openJobs(serverId), SOON).toBe(0)
    expect(await world.delivery(id)).toMatchObject({ status: 'dead', attempts: 10 })
  })

  it('answered by 410 disables the endpoint and cancels its pending deliveries', async () => {
    const receiver = await startReceiver((_, res) => res.writeHead(410).end())
    const { serverId } = await world.addEndpoint(receiver.url)
    const ids = [await world.queue(serverId), await world.queue(serverId), await world.queue(serverId)]
    await world.startWorker(QUICK)
    for (const id of ids)
      await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'canceled', dueIn: null })
    expect(await world.endpoint(serverId)).toMatchObject({ disabledReason: 'gone' })
    expect(receiver.ids()).toEqual([ids[0]])
    const late = await world.queue(serverId)
    await expect.poll(() => world.openJobs(serverId), SOON).toBe(0)
    expect(receiver.ids()).not.toContain(late)
  })

  it('goes to no URL that the owner has replaced or deleted: neither the rest of a lease nor an attempt that hangs', async () => {
    const answers = Promise.withResolvers<void>()
    const replaced = await startReceiver((_, res) => void answers.promise.then(() => res.end()))
    const hanging = await startReceiver(() => undefined)
    const next = await startReceiver()
    const first = await world.addEndpoint(replaced.url)
    const ids = [
      await world.queue(first.serverId),
      await world.queue(first.serverId),
      await world.queue(first.serverId),
    ]
    const [second, third] = [await world.addEndpoint(hanging.url), await world.addEndpoint(hanging.url)]
    const hung = await world.queue(second.serverId)
    await world.queue(third.serverId)
    await world.startWorker(QUICK)
    await expect.poll(() => replaced.ids(), SOON).toEqual([ids[0]])
    await expect.poll(() => hanging.ids(), SOON).toHaveLength(2)
    await world.setUrl([first.serverId, second.serverId], next.url)
    await world.pool.query(`update endpoint_deliveries set status = 'canceled', due_at = null where endpoint_id = $1`, [
      third.serverId,
    ])
    await world.pool.query('delete from endpoints where server_id = $1', [third.serverId])
    answers.resolve()
    await expect.poll(() => next.ids().toSorted(), SOON).toEqual([ids[1], ids[2], hung].toSorted())
    expect(replaced.ids()).toEqual([ids[0]])
    expect(hanging.ids()).toHaveLength(2)
    await expect
      .poll(() => world.attempts(hung), SOON)
      .toMatchObject([{ error: 'the endpoint was changed' }, { status: 204 }])
  })

  it('is not sent twice because its URL is encrypted under a new APP_SECRET meanwhile', async () => {
    const answers = Promise.withResolvers<void>()
    const slow = await startReceiver((_, res) => void answers.promise.then(() => res.end()))
    const hanging = await startReceiver(() => undefined)
    const next = await startReceiver()
    const { serverId } = await world.addEndpoint(slow.url)
    const { serverId: changed } = await world.addEndpoint(hanging.url)
    const id = await world.queue(serverId)
    const hung = await world.queue(changed)
    const secrets = {
      APP_SECRET: 'another secret of the tests, 32 characters and more',
      APP_SECRET_PREVIOUS: world.settings.APP_SECRET,
    }
    await world.startWorker({ ...QUICK, ...secrets })
    await expect.poll(() => [...slow.ids(), ...hanging.ids()], SOON).toEqual([id, hung])
    const { encrypt } = createSecretCipher(secrets)
    await world.pool.query('update endpoints set url = $2 where id = $1', [serverId, encrypt('webhook-url', slow.url)])
    // The worker looks up both at once: once it has noticed this change, it has looked at the other endpoint too.
    await world.setUrl([changed], next.url)
    await expect.poll(() => next.ids(), SOON).toEqual([hung])
    answers.resolve()
    await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(slow.ids()).toEqual([id])
  })

  it('to an endpoint that was deleted and added again during an attempt is sent at once', async () => {
    const former = await startReceiver(() => undefined)
    const next = await startReceiver()
    const { serverId } = await world.addEndpoint(former.url)
    await world.startWorker()
    await world.queue(serverId)
    await expect.poll(() => former.ids().length, SOON).toBe(1)
    const { rows } = await world.pool.query<{ row: object }>(
      `select to_jsonb(endpoints) - 'lease_id' - 'leased_until' as row from endpoints where id = $1`,
      [serverId],
    )
    await world.pool.query('delete from endpoints where id = $1', [serverId])
    await world.pool.query(
      `update endpoint_deliveries set status = 'canceled', due_at = null, settled_at = now() where endpoint_id = $1`,
      [serverId],
    )
    await world.pool.query('insert into endpoints select * from jsonb_populate_record(null::endpoints, $1)', [
      rows[0]?.row,
    ])
    await world.setUrl([serverId], next.url)
    const id = await world.queue(serverId)
    await expect.poll(() => world.delivery(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(next.ids()).toEqual([id])
  })

  it('that fails at a URL the owner has replaced since is sent to the new one at once, and neither kept dead nor counted', async () => {
    const answers = Promise.withResolvers<void>()
    const replaced = await startReceiver((_, res) => void answers.promise.then(() => res.writeHead(410).end()))
    const next = await startReceiver()
    const { serverId } = await world.addEndpoint(replaced.url)
    const id = await world.queue(serverId)
    await world.startWorker()
    await expect.poll(() => replaced.ids(), SOON).toEqual([id])
    await world.setUrl([serverId], next.url)
    answers.resolve()
    await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(next.ids()).toEqual([id])
    expect(await world.endpoint(serverId)).toMatchObject({ isFailing: false, disabledReason: null })
  })

  it('that fails for the fourth time after five days of failures disables the endpoint; a success restarts the five days', async () => {
    let status = 500
    const receiver = await startReceiver((_, res) => res.writeHead(status).end())
    const { serverId } = await world.addEndpoint(receiver.url)
    const age = (days: number) =>
      world.pool.query(
        `update endpoints set failing_since = now() - make_interval(days => $2, mins => 1) where server_id = $1`,
        [serverId, days],
      )
    await world.startWorker({ WEBHOOK_RETRY_SCALE: '10' })
    const failsOnce = async () => {
      const id = await world.queue(serverId)
      await expect.poll(() => world.delivery(id), SOON).toMatchObject({ attempts: 1 })
      return id
    }
    await failsOnce()
    await age(4)
    const pending = await failsOnce()
    expect(await world.endpoint(serverId)).toMatchObject({ isFailing: true, disabledReason: null })
    status = 200
    await age(6)
    await failsOnce()
    expect(await world.endpoint(serverId)).toMatchObject({ isFailing: false, disabledReason: null })
    status = 500
    await failsOnce()
    expect(await world.endpoint(serverId)).toMatchObject({ isFailing: true, disabledReason: null })
    await age(5)
    const last = await failsOnce()
    expect(await world.endpoint(serverId)).toMatchObject({ isFailing: true, disabledReason: null })
    await world.pool.query('update endpoint_deliveries set attempts = 3, due_at = now() where id = $1', [last])
    await world.jobs.enqueue(world.pool, webhookWake, [{ endpointId: serverId }])
    await expect.poll(() => world.endpoint(serverId), SOON).toMatchObject({ disabledReason: 'failing' })
    expect(await world.delivery(pending)).toMatchObject({ status: 'canceled' })
  })

  it('without its server, or with an unreadable secret, does not affect others', async () => {
    const receiver = await startReceiver()
    const removed = await world.addEndpoint(receiver.url)
    const unreadable = await world.addEndpoint(receiver.url)
    const fine = await world.addEndpoint(receiver.url)
    await world.pool.query(`update endpoints set secret = 'v1.gone.x' where server_id = $1`, [unreadable.serverId])
    await world.queue(removed.serverId)
    await world.pool.query('delete from servers where id = $1', [removed.serverId])
    const encrypted = await world.queue(unreadable.serverId)
    const id = await world.queue(fine.serverId)
    await world.startWorker()
    await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered' })
    await expect
      .poll(() => world.attempts(encrypted), SOON)
      .toMatchObject([{ status: null, error: 'the secret can’t be read' }])
    expect(receiver.ids()).toEqual([id])
  })
})

describe('a worker', () => {
  it('connects to no private address where the settings forbid it, and only with TLS in production', async () => {
    const receiver = await startReceiver()
    const forbidden = await world.addEndpoint(receiver.url)
    const first = await world.startWorker({ ALLOW_PRIVATE_TARGETS: 'false' })
    const refused = await world.queue(forbidden.serverId)
    await expect.poll(() => world.attempts(refused), SOON).toMatchObject([{ error: 'not a public address' }])
    await first.stop()
    const plain = await world.addEndpoint(receiver.url)
    const loopback = await world.addEndpoint(receiver.url.replace('http:', 'https:'))
    await world.startWorker({ NODE_ENV: 'production' })
    const [unencrypted, inside] = [await world.queue(plain.serverId), await world.queue(loopback.serverId)]
    await expect.poll(() => world.attempts(unencrypted), SOON).toMatchObject([{ error: 'not an https address' }])
    await expect.poll(() => world.attempts(inside), SOON).toMatchObject([{ error: 'not a public address' }])
    expect(receiver.received).toEqual([])
  })

  it('asks the name servers of DNS_SERVERS', async () => {
    const receiver = await startReceiver()
    const dns = await startNameServer((name) => (name === 'hooks.example' ? ['127.0.0.1'] : 'missing'))
    const { serverId } = await world.addEndpoint(receiver.url.replace('127.0.0.1', 'hooks.example'))
    await world.startWorker({ DNS_SERVERS: dns.address })
    const id = await world.queue(serverId)
    await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered' })
    expect(receiver.ids()).toEqual([id])
  })

  it('counts its attempts by outcome, and the endpoints it serves', async () => {
    const receiver = await startReceiver()
    const { serverId } = await world.addEndpoint(receiver.url)
    await world.startWorker()
    const count = async (outcome: string) => {
      const [, value] =
        new RegExp(`attempts_total\\{outcome="${outcome}"\\} (\\d+)`).exec(await registry.metrics()) ?? []
      return Number(value ?? 0)
    }
    const before = await count('delivered')
    const id = await world.queue(serverId)
    await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered' })
    expect(await count('delivered')).toBe(before + 1)
    expect(await count('failed')).toBeGreaterThan(0)
    await expect.poll(() => registry.metrics(), SOON).toContain('directory_webhook_slots_in_use{lane="fast"} 0')
  })
})

describe('the order of a server’s deliveries', () => {
  it('is kept by first attempts over two workers, and no endpoint gets two requests at once', async () => {
    const SERVERS = 20
    const EACH = 60
    const receiver = await startReceiver((_, res) => setTimeout(() => res.writeHead(204).end(), Math.random() * 3))
    const endpoints = await Promise.all(
      Array.from({ length: SERVERS }, (_, n) => world.addEndpoint(`${receiver.url}/${n}`)),
    )
    const queued = new Map<string, string[]>()
    await Promise.all([world.startWorker(), world.startWorker()])
    await Promise.all(
      endpoints.map(async ({ serverId }, n) => {
        const ids: string[] = []
        for (let i = 0; i < EACH; i++) ids.push(await world.queue(serverId))
        queued.set(`/${n}`, ids)
      }),
    )
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(SERVERS * EACH), SOON)
    for (const [path, ids] of queued) {
      expect(receiver.ids(path)).toEqual(ids)
      expect(receiver.mostAtOnce(path)).toBe(1)
    }
    await expect
      .poll(
        () =>
          world.pool
            .query(`select from endpoint_deliveries where status = 'pending' and endpoint_id = any($1)`, [
              endpoints.map(({ serverId }) => serverId),
            ])
            .then(({ rowCount }) => rowCount),
        SOON,
      )
      .toBe(0)
  })

  it('is not held up by a failed delivery', async () => {
    const receiver = await startReceiver((one, res) => res.writeHead(one.body.includes('bad') ? 500 : 200).end())
    const { serverId } = await world.addEndpoint(receiver.url)
    const bad = await world.queue(serverId, { is: 'bad' })
    const good = [await world.queue(serverId), await world.queue(serverId)]
    await world.startWorker()
    for (const id of good) await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered' })
    expect(receiver.ids().slice(0, 3)).toEqual([bad, ...good])
    expect(await world.delivery(bad)).toMatchObject({ status: 'pending' })
  })
})
