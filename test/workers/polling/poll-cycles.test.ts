// Whole poll cycles over simulated servers: loss, deaths, and an outage of our own. Timeouts are short, cycles follow at once.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom, startFleet } from '../../../tools/simulator/fleet.ts'
import { startSimulatedServer } from '../../../tools/simulator/server.ts'
import type { Tries } from '../../../workers/polling/query.ts'
import { createTestDirectory, createTestPoller, type TestDirectory } from './support.ts'

const directory: TestDirectory = await createTestDirectory()

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

beforeEach(async () => {
  await directory.pool.query('truncate servers, player_history cascade')
})

describe('a thousand servers of which one datagram in ten is lost each way', () => {
  it('stay online for twenty cycles, and a real death is seen within three', async () => {
    const fleet = await startFleet({
      count: 1_000,
      first: 820_000,
      each: (index) => ({ info: { players: 1 + (index % 60) }, random: seededRandom(index + 1) }),
    })
    closing.push(fleet.close)
    const ids = await directory.list(fleet.servers)
    const tries: Tries = { online: [120, 150, 200, 250, 300], offline: [500, 500, 1_000] }
    const poller = createTestPoller(directory, { tries, concurrency: 150 })
    await poller.cycle()
    expect(await directory.count('is_online')).toBe(1_000)

    for (const server of fleet.servers) server.faults.loss = 0.1
    const dying = [fleet.servers[17], fleet.servers[333], fleet.servers[999]]
    const dead = [ids[17], ids[333], ids[999]] as string[]
    let falselyOffline = 0
    for (let cycle = 1; cycle <= 20; cycle++) {
      if (cycle === 12) for (const server of dying) if (server) server.faults.silent = true
      await poller.cycle()
      const alive = cycle < 12 ? 1_000 : 997
      const { rows } = await directory.pool.query<{ online: number }>(
        'select count(*) as online from server_status where is_online and not server_id = any($1::uuid[])',
        [cycle < 12 ? [] : dead],
      )
      falselyOffline += alive - (rows[0]?.online ?? 0)
      if (cycle === 13) for (const id of dead) expect((await directory.status(id)).isOnline).toBe(true)
      if (cycle === 14)
        for (const id of dead) expect(await directory.status(id)).toMatchObject({ isOnline: false, currentPlayers: 0 })
    }
    expect(falselyOffline).toBe(0)
    const { rows } = await directory.pool.query<{ samples: number }>('select count(*) as samples from player_history')
    expect(rows[0]?.samples).toBe(21_000)
  }, 120_000)
})

describe('an outage of our own', () => {
  it('takes nobody offline for an hour of silence, tells so, and is over with the first answers', async () => {
    let time = Date.now()
    const fleet = await startFleet({ count: 120, first: 830_000, each: () => ({ info: { players: 5 } }) })
    closing.push(fleet.close)
    await directory.list(fleet.servers)
    const poller = createTestPoller(directory, { tries: { online: [20, 20], offline: [500, 1_000] }, now: () => time })
    await poller.cycle()
    for (const server of fleet.servers) server.faults.silent = true
    for (const end = time + 55 * 60_000; time < end; time += 5 * 60_000) {
      const report = await poller.cycle()
      expect(report).toEqual({ servers: 120, answered: 0, failed: 0, postponed: 120 })
      expect(await directory.count('is_online and current_players = 5 and consecutive_failures = 0')).toBe(120)
      const { rows } = await directory.pool.query<{ soon: number }>(
        `select count(*) as soon from server_polls where next_poll_at < now() + interval '6 seconds'`,
      )
      expect(rows[0]?.soon).toBe(120)
    }
    for (const server of fleet.servers) server.faults.silent = false
    const [dead] = fleet.servers
    if (dead) dead.faults.silent = true
    time += 15_000
    const patient = createTestPoller(directory, {
      tries: { online: [500, 1_000], offline: [] },
      guard: poller.guard,
      now: () => time,
    })
    expect(await patient.cycle()).toEqual({ servers: 120, answered: 119, failed: 1, postponed: 0 })
    const { rows } = await directory.pool.query('select 1 from player_history where players is null')
    expect(rows).toHaveLength(1)
  }, 60_000)

  it('is not what a hoster is whose many servers at one address die', async () => {
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
})

describe('a batch', () => {
  it('writes what the quick answered without waiting for the slow', async () => {
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

  it('done twice, or twice at once, counts once', async () => {
    const fleet = await startFleet({ count: 50, first: 832_000 })
    closing.push(fleet.close)
    await directory.list(fleet.servers)
    const poller = createTestPoller(directory)
    const [batch] = await directory.claimAll()
    if (!batch) throw new Error('nothing was claimed')
    await Promise.all([poller.handle(batch), poller.handle(batch)])
    expect(await poller.handle(batch)).toEqual({ servers: 0, answered: 0, failed: 0, postponed: 0 })
    const { rows } = await directory.pool.query<{ samples: number }>('select count(*) as samples from player_history')
    expect(rows[0]?.samples).toBe(50)
  })

  it('told to stop finishes whom it asks and hands the others back, due at once', async () => {
    const servers = await Promise.all(
      Array.from({ length: 12 }, () => startSimulatedServer({ address: '127.83.2.1', faults: { delayMs: 40 } })),
    )
    closing.push(() => Promise.all(servers.map((server) => server.close())))
    await directory.list(servers)
    const poller = createTestPoller(directory, { tries: { online: [1_000], offline: [1_000] } })
    const [batch] = await directory.claimAll()
    if (!batch) throw new Error('nothing was claimed')
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 100)
    const report = await poller.handle(batch, stop.signal)
    expect(report.answered).toBeGreaterThan(0)
    expect(report.postponed).toBe(12 - report.answered)
    expect(report.postponed).toBeGreaterThan(0)
    const { rows } = await directory.pool.query<{ due: number }>(
      'select count(*) as due from server_polls where next_poll_at <= now()',
    )
    expect(rows[0]?.due).toBe(report.postponed)
  })

  it('with a game nobody knows and a name that leads nowhere fails for these two alone', async () => {
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
