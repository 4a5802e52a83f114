// Poll cycles over simulated servers: an outage of our own, and batches that run twice, stop or contain dead servers.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startFleet } from '../../../dev/simulator/fleet.ts'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { emptyTables } from '../../support/database.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { createTestDirectory, createTestPoller, RULES, type TestDirectory } from './support.ts'

const directory: TestDirectory = await createTestDirectory()

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

beforeEach(async () => {
  await emptyTables(directory.pool, 'servers', 'player_history_pending', 'player_history_recent')
})

describe('an outage of our own', () => {
  it('is not detected when only many servers at one address fail', async () => {
    const hoster = await Promise.all(
      Array.from({ length: 12 }, () => startSimulatedServer({ address: '127.83.0.1', info: { players: 9 } })),
    )
    const others = await startFleet({ count: 10, first: 831_000 })
    closing.push(() => Promise.all(hoster.map((server) => server.close())), others.close)
    const ids = await directory.list([...hoster, ...others.servers])
    const poller = createTestPoller(directory, { tries: { online: [100, 400], offline: [500, 1_000] } })
    await poller.cycle()
    for (const server of hoster) server.faults.silent = true
    for (let cycle = 0; cycle < 3; cycle++) await poller.cycle()
    expect(await directory.count('is_online')).toBe(10)
    expect((await directory.status(ids[0] as string)).consecutiveFailures).toBe(3)
  })

  it('makes owners’ servers due again within seconds, not all at once, and unclaimed ones after the interval', async () => {
    const fleet = await startFleet({ count: 12, first: 833_000 })
    closing.push(fleet.close)
    const ids = await directory.list(fleet.servers)
    const unclaimed = ids.slice(0, 6)
    await directory.pool.query(`update servers set source = 'steam:rust' where id = any($1)`, [unclaimed])
    const poller = createTestPoller(directory, { tries: { online: [200], offline: [500, 1_000] } })
    await poller.cycle()
    for (const server of fleet.servers) server.faults.silent = true
    expect(await poller.cycle()).toEqual({ servers: 12, answered: 0, failed: 0, postponed: 12 })
    const dueIn = async (id: string) => (await directory.status(id)).dueIn
    for (const id of unclaimed) expect(await dueIn(id)).toBeGreaterThan(RULES.intervalSeconds * 0.8)
    const soon = await Promise.all(ids.slice(6).map(dueIn))
    expect(Math.max(...soon)).toBeLessThan(RULES.quickSeconds * 1.2)
    expect(Math.max(...soon) - Math.min(...soon)).toBeGreaterThan(0.1)
  })
})

describe('a batch', () => {
  it('writes the answers of fast servers without waiting for slow ones', async () => {
    const [quick, slow] = await Promise.all([
      startSimulatedServer({ address: '127.83.1.1' }),
      startSimulatedServer({ address: '127.83.1.2', faults: { silent: true } }),
    ])
    closing.push(quick.close, slow.close)
    const [quickId, slowId] = (await directory.list([quick, slow])) as [string, string]
    const poller = createTestPoller(directory, { tries: { online: [4_000], offline: [4_000] } })
    const cycle = poller.cycle()
    await expect.poll(async () => (await directory.status(quickId)).isOnline, { timeout: 3_500 }).toBe(true)
    expect((await directory.status(slowId)).lastPolledAt).toBeNull()
    expect(await cycle).toEqual({ servers: 2, answered: 1, failed: 1, postponed: 0 })
    expect((await directory.status(slowId)).consecutiveFailures).toBe(1)
  })

  it('keeps the results of others, and the status of a server whose query is a fault of ours', async () => {
    const [faulty, fine] = await Promise.all([
      startSimulatedServer({ address: '127.83.1.6' }),
      startSimulatedServer({ address: '127.83.1.7' }),
    ])
    closing.push(faulty.close, fine.close)
    const [faultyId, fineId] = (await directory.list([faulty, fine])) as [string, string]
    let isFaulty = false
    const poller = createTestPoller(directory, {
      hold: async ({ ipAddress }) => {
        if (isFaulty && ipAddress === faulty.address) throw new TypeError('a fault')
      },
    })
    await poller.cycle()
    isFaulty = true
    expect(await poller.cycle()).toEqual({ servers: 2, answered: 1, failed: 0, postponed: 1 })
    expect(await directory.status(faultyId)).toMatchObject({ isOnline: true, consecutiveFailures: 0 })
    expect(await directory.status(fineId)).toMatchObject({ isOnline: true })
  })

  it('writes failures while others are still being asked', async () => {
    const [answering, dead, lasting] = await Promise.all([
      startSimulatedServer({ address: '127.83.1.3' }),
      startSimulatedServer({ address: '127.83.1.4', faults: { silent: true } }),
      startSimulatedServer({ address: '127.83.1.5', faults: { silent: true } }),
    ])
    closing.push(answering.close, dead.close, lasting.close)
    const [, deadId, lastingId] = (await directory.list([answering, dead, lasting])) as [string, string, string]
    const over = Promise.withResolvers<void>()
    const poller = createTestPoller(directory, {
      flushEveryMs: 100,
      hold: async ({ ipAddress }) => (ipAddress === lasting.address ? await over.promise : undefined),
    })
    const cycle = poller.cycle()
    await expect.poll(async () => (await directory.status(deadId)).consecutiveFailures, { timeout: 30_000 }).toBe(1)
    expect((await directory.status(lastingId)).lastPolledAt).toBeNull()
    over.resolve()
    expect(await cycle).toEqual({ servers: 3, answered: 1, failed: 2, postponed: 0 })
    expect((await directory.status(lastingId)).consecutiveFailures).toBe(1)
    expect((await directory.status(deadId)).consecutiveFailures).toBe(1)
  })

  it('ends soon although many servers at one address do not answer: most of them are due after an interval', async () => {
    const [crowd, other] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, () => startSimulatedServer({ address: '127.83.1.8' }))),
      startSimulatedServer({ address: '127.83.1.9' }),
    ])
    closing.push(() => Promise.all(crowd.map((server) => server.close())), other.close)
    const ids = await directory.list([...crowd, other])
    const poller = createTestPoller(directory, {
      tries: { online: [1_000], offline: [1_000] },
      maxWaitMs: 3_000,
      flushEveryMs: 500,
      guard: { note: () => {}, forget: () => {}, suspectOutage: () => undefined },
    })
    expect(await poller.cycle()).toMatchObject({ answered: 61 })
    for (const server of crowd) server.faults.silent = true
    const [batch] = await directory.takeBatches()
    if (!batch) throw new Error('nothing is due')
    const report = await poller.handle(batch)
    expect(report.answered).toBe(1)
    expect(report.failed).toBeGreaterThanOrEqual(2)
    expect(report.postponed).toBeGreaterThan(30)
    expect(report.failed + report.postponed).toBe(60)
    const { rows } = await directory.pool.query<{ dueIn: number }>(
      `select extract(epoch from next_poll_at - now())::float8 as "dueIn" from server_polls join server_status using (server_id)
       where consecutive_failures = 0 and server_id <> $1`,
      [ids.at(-1)],
    )
    expect(rows).toHaveLength(report.postponed)
    for (const { dueIn } of rows) expect(dueIn).toBeGreaterThan(RULES.intervalSeconds * 0.8 - 12)
  })

  it('run twice, or twice at once, counts once', async () => {
    const fleet = await startFleet({ count: 50, first: 832_000 })
    closing.push(fleet.close)
    await directory.list(fleet.servers)
    const poller = createTestPoller(directory)
    const [batch] = await directory.takeBatches()
    if (!batch) throw new Error('nothing was claimed')
    await Promise.all([poller.handle(batch), poller.handle(batch)])
    expect(await poller.handle(batch)).toEqual({ servers: 0, answered: 0, failed: 0, postponed: 0 })
    expect(await storedSamples(directory.pool)).toHaveLength(50)
  })

  it('asked to stop finishes its queries and releases the other servers, due at once', async () => {
    const servers = await Promise.all(
      Array.from({ length: 12 }, () => startSimulatedServer({ address: '127.83.2.1', faults: { delayMs: 40 } })),
    )
    closing.push(() => Promise.all(servers.map((server) => server.close())))
    await directory.list(servers)
    const poller = createTestPoller(directory, { tries: { online: [1_000], offline: [1_000] } })
    const [batch] = await directory.takeBatches()
    if (!batch) throw new Error('nothing was claimed')
    const stop = new AbortController()
    for (const server of servers) server.onRequest = () => stop.abort()
    const report = await poller.handle(batch, stop.signal)
    expect(report.answered).toBeGreaterThan(0)
    expect(report.postponed).toBe(12 - report.answered)
    expect(report.postponed).toBeGreaterThan(0)
    const { rows } = await directory.pool.query<{ due: number }>(
      'select count(*) as due from server_polls where next_poll_at <= now()',
    )
    expect(rows[0]?.due).toBe(report.postponed)
  })

  it('with an unknown game and an unresolvable name fails for these two alone', async () => {
    const good = await startSimulatedServer({ address: '127.83.3.1' })
    closing.push(good.close)
    const [goodId, unknown, nowhere] = (await directory.list([
      good,
      { address: '127.83.3.2', port: 27015 },
      { address: 'no-such-host.invalid', port: 27015 },
    ])) as [string, string, string]
    await directory.pool.query(`update servers set game = 'gone' where id = $1`, [unknown])
    expect(await createTestPoller(directory).cycle()).toEqual({ servers: 3, answered: 1, failed: 2, postponed: 0 })
    expect((await directory.status(goodId)).isOnline).toBe(true)
    expect((await directory.status(unknown)).consecutiveFailures).toBe(1)
    expect((await directory.status(nowhere)).consecutiveFailures).toBe(1)
  })
})
