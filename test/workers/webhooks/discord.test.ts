// Events as messages in a channel of Discord, and its answers.
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { acquireLeases, applyResults, attemptDelivery } from '../../../src/features/webhooks/index.ts'
import { createSender } from '../../../workers/webhooks/send.ts'
import { testLog } from '../../support/database.ts'
import { createWorld, startReceiver } from './support.ts'

const world = await createWorld()
const SOON = { timeout: 20_000, interval: 30 }
const ENV = { WEBHOOK_RETRY_SCALE: '10', PUBLIC_BASE_URL: 'https://directory.example' }
const DATA = { serverId: 'the-id', serverName: 'A *bold* server', username: 'Ann', totalVotes: 12, monthlyVotes: 3 }

describe('a message', () => {
  it('has an embed in which names mention no one and format nothing', async () => {
    const receiver = await startReceiver()
    const id = await world.addDiscord(`${receiver.url}/api/webhooks/1/token`)
    await world.startWorker(ENV)
    const named = await world.queue(id, { ...DATA, username: '@everyone <@1> **x** [a](http://evil.example) `' })
    const unnamed = await world.queue(id, { ...DATA, username: '' })
    for (const delivery of [named, unnamed])
      await expect.poll(() => world.delivery(delivery), SOON).toMatchObject({ status: 'delivered', attempts: 1 })
    const [first, second] = receiver.received.map(({ body }) => JSON.parse(body))
    expect(first).toEqual({
      embeds: [
        {
          title: 'A \\*bold\\* server',
          url: 'https://directory.example/servers/the-id',
          description:
            '**\\@everyone \\<\\@1\\> \\*\\*x\\*\\* \\[a\\]\\(http\\://evil.example\\) \\`** voted: 3 votes this month, 12 in total.',
          color: expect.any(Number),
          timestamp: expect.any(String),
        },
      ],
      allowed_mentions: { parse: [] },
    })
    expect(second.embeds[0].description).toMatch(/^A visitor voted/)
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  it('that Discord refuses is dead at once and holds up nothing', async () => {
    const receiver = await startReceiver((one, res) => res.writeHead(one.body.includes('bad') ? 400 : 204).end())
    const id = await world.addDiscord(receiver.url)
    const [bad, good] = [await world.queue(id, { ...DATA, username: 'bad' }), await world.queue(id, DATA)]
    await world.startWorker(ENV)
    await expect.poll(() => world.delivery(good), SOON).toMatchObject({ status: 'delivered' })
    expect(await world.delivery(bad)).toMatchObject({ status: 'dead', attempts: 1 })
    expect(await world.endpoint(id)).toMatchObject({ isFailing: false })
  })

  it('waits as long as a 429 says, as do later ones, and they arrive in order', async () => {
    let limitedAt = 0
    const receiver = await startReceiver((_, res) => {
      if (limitedAt) return res.writeHead(204).end()
      limitedAt = Date.now()
      res
        .writeHead(429, { 'retry-after': '2' })
        .end('{"message":"You are being rate limited.","retry_after":1.5,"global":false}')
    })
    const id = await world.addDiscord(receiver.url)
    await world.startWorker(ENV)
    const first = await world.queue(id, { ...DATA, username: 'first' })
    await expect.poll(() => limitedAt, SOON).toBeGreaterThan(0)
    await expect.poll(() => world.delivery(first), SOON).toMatchObject({ attempts: 1, status: 'pending' })
    const second = await world.queue(id, { ...DATA, username: 'second' })
    for (const delivery of [first, second])
      await expect.poll(() => world.delivery(delivery), SOON).toMatchObject({ status: 'delivered' })
    expect(receiver.received.map(({ body }) => /first|second/.exec(body)?.[0])).toEqual(['first', 'first', 'second'])
    expect((receiver.received[1]?.at ?? 0) - limitedAt).toBeGreaterThanOrEqual(1_490)
    expect(await world.endpoint(id)).toMatchObject({ isFailing: false, disabledReason: null })
  })

  it.each([
    ['in its body', {}, '{"retry_after":60,"global":true}'],
    ['in a header', { 'x-ratelimit-scope': 'global' }, '{"retry_after":60}'],
  ])('waits, and so do those to other webhooks, if a 429 says %s that it is global', async (_where, headers, body) => {
    const receiver = await startReceiver((_, res) => res.writeHead(429, headers).end(body))
    const limited = await world.addDiscord(`${receiver.url}/api/webhooks/1/token`)
    const worker = await world.startWorker(ENV)
    await world.queue(limited, DATA)
    const pauses = async () => (await world.pool.query('select scope from discord_pauses')).rows
    await expect.poll(pauses, SOON).toEqual([{ scope: 'global' }])
    await worker.stop()
    const other = await world.addDiscord(`${receiver.url}/api/webhooks/2/token`)
    await world.queue(other, DATA)
    const lease = { endpointIds: [other], leaseId: randomUUID(), slowToo: true }
    expect(await acquireLeases(world, lease)).toEqual([])
    await world.pool.query('delete from discord_pauses')
    expect(await acquireLeases(world, lease)).toMatchObject([{ endpointId: other }])
    expect(receiver.received).toHaveLength(1)
  })

  it.each([
    ['ahead of', 45_000],
    ['behind', -45_000],
  ])('is tried again after seconds by a worker whose clock is %s the database’s', async (_where, skewMs) => {
    const receiver = await startReceiver((_, res) => res.writeHead(500).end())
    const transport = createSender({ allowPrivate: true, requireHttps: false })
    onTestFinished(() => transport.close())
    const id = await world.addDiscord(receiver.url)
    const failed = await world.queue(id, DATA)
    const clock = () => Date.now() + skewMs
    const leaseId = randomUUID()
    const [lease] = await acquireLeases({ ...world, clock }, { endpointIds: [id], leaseId, slowToo: true })
    const [delivery] = lease?.deliveries ?? []
    if (!lease || !delivery) throw new Error('nothing is due')
    const attempt = await attemptDelivery(
      { settings: world.settings, log: testLog, clock, transport },
      lease,
      delivery,
      new AbortController().signal,
    )
    await applyResults(world, { attempts: [attempt], released: [id], leaseId })
    const { dueIn } = await world.delivery(failed)
    expect(dueIn).toBeGreaterThan(0)
    expect(dueIn).toBeLessThan(6)
  })

  it('that was sent again after the end of the schedule also waits as long as a 429 says', async () => {
    const receiver = await startReceiver((_, res) => {
      if (receiver.received.length > 1) return res.writeHead(204).end()
      res.writeHead(429, { 'retry-after': '1' }).end('{"retry_after":1}')
    })
    const id = await world.addDiscord(`${receiver.url}/api/webhooks/1/token`)
    const old = await world.queue(id, DATA)
    await world.pool.query(
      `update endpoint_deliveries set created_at = now() - interval '90 days', attempts = 12 where id = $1`,
      [old],
    )
    await world.startWorker(ENV)
    await expect.poll(() => world.delivery(old), SOON).toMatchObject({ status: 'delivered', attempts: 14 })
  })

  it('counts one vote as a vote', async () => {
    const receiver = await startReceiver()
    const id = await world.addDiscord(`${receiver.url}/api/webhooks/1/token`)
    await world.startWorker(ENV)
    await world.queue(id, { ...DATA, monthlyVotes: 1, totalVotes: 1 })
    await expect.poll(() => receiver.received.length, SOON).toBe(1)
    expect(receiver.received[0]?.body).toContain('voted: 1 vote this month, 1 in total.')
  })

  it('to a webhook that was deleted disables the endpoint', async () => {
    const receiver = await startReceiver((_, res) =>
      res.writeHead(404).end('{"message":"Unknown Webhook","code":10015}'),
    )
    const id = await world.addDiscord(receiver.url)
    await world.startWorker(ENV)
    await world.queue(id, DATA)
    await expect.poll(() => world.endpoint(id), SOON).toMatchObject({ disabledReason: 'gone' })
  })
})
