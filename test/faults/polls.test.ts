// Polls that lose datagrams, an outage of our own network, and a worker killed during a batch.
import { once } from 'node:events'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { seededRandom, startFleet } from '../../dev/simulator/fleet.ts'
import type { Tries } from '../../workers/polling/attempts.ts'
import { emptyTables } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'
import { storedSamples } from '../support/stored-samples.ts'
import { createTestDirectory, createTestPoller } from '../workers/polling/support.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const directory = await createTestDirectory()

beforeEach(async () => {
  await emptyTables(directory.pool, 'servers', 'player_history_pending', 'player_history_recent')
})

const LOST = 0.1

it(
  'polls under loss: of a thousand servers, one datagram in ten lost each way, none goes offline but the dead',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const fleet = await startFleet({
      count: 1_000,
      first: 820_000,
      each: (index) => ({ info: { players: 1 + (index % 60) }, random: seededRandom(run.random() * 2 ** 32) }),
    })
    onTestFinished(fleet.close)
    const ids = await directory.list(fleet.servers)
    // Loopback is fast, but other runs may keep the machine busy: a late answer must not look lost.
    const tries: Tries = { online: [300, 400, 500, 600, 700], offline: [500, 500, 1_000] }
    const poller = createTestPoller(directory, { tries, concurrency: 150 })
    await poller.cycle()
    expect(await directory.count('is_online')).toBe(1_000)

    for (const server of fleet.servers) server.faults.loss = LOST
    const cycles = Math.min(20, run.rounds + 4)
    const diesAt = Math.floor(run.between(1, cycles - 2))
    const chosen = new Set(Array.from({ length: 3 }, () => Math.floor(run.random() * 1_000)))
    const dying = fleet.servers.filter((_, index) => chosen.has(index))
    const dead = ids.filter((_, index) => chosen.has(index))
    const falselyOffline: unknown[] = []
    const seenLate: unknown[] = []
    for (let cycle = 1; cycle <= cycles; cycle++) {
      if (cycle === diesAt) for (const server of dying) server.faults.silent = true
      await poller.cycle()
      const { rows } = await directory.pool.query<{ id: string; isOnline: boolean; players: number }>(
        'select server_id as id, is_online as "isOnline", current_players as players from server_status',
      )
      const offline = rows.filter(({ isOnline }) => !isOnline)
      falselyOffline.push(...offline.filter(({ id }) => !dead.includes(id) || cycle < diesAt))
      if (cycle >= diesAt + 2)
        seenLate.push(...rows.filter((row) => dead.includes(row.id) && (row.isOnline || row.players)))
    }
    const samples = await storedSamples(directory.pool)
    run.tried('cycles with one datagram in ten lost', cycles)
    run.tried('servers dead', dying.length)
    run.worked('polls', (cycles + 1) * 1_000)
    run.expectNothingLost({
      'servers falsely offline': falselyOffline,
      'deaths seen later than in three cycles': seenLate,
      'samples missing or twice': samples.length === (cycles + 1) * 1_000 ? [] : [samples.length],
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)

it(
  'polls in an outage of our own: an hour of silence takes no server offline, is reported, and ends with the first answers',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    let time = Date.now()
    const fleet = await startFleet({ count: 120, first: 830_000, each: () => ({ info: { players: 5 } }) })
    onTestFinished(fleet.close)
    await directory.list(fleet.servers)
    const poller = createTestPoller(directory, { tries: { online: [20, 20], offline: [500, 1_000] }, now: () => time })
    await poller.cycle()
    const falselyOffline: unknown[] = []
    for (const server of fleet.servers) server.faults.silent = true
    for (const end = time + 55 * 60_000; time < end; time += 5 * 60_000) {
      const report = await poller.cycle()
      expect(report).toEqual({ servers: 120, answered: 0, failed: 0, postponed: 120 })
      const { rows: fallen } = await directory.pool.query(
        'select server_id from server_status where not is_online or current_players <> 5 or consecutive_failures > 0',
      )
      falselyOffline.push(...fallen)
      run.tried('silent cycles')
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
    const samples = await storedSamples(directory.pool)
    expect(samples.filter(({ players }) => players === null)).toHaveLength(1)
    run.worked('polls held back', 120 * 11)
    run.expectNothingLost({ 'servers falsely offline': falselyOffline })
  },
  FAULT_RUN_TIMEOUT_MS,
)

it(
  'polls under kills: a batch whose worker dies is repeated, and nothing is counted twice',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    // 400 servers, 20 at a time, 0.6 s each: batches of twelve seconds that write answers from the first second on.
    const fleet = await startFleet({
      count: 400,
      first: 840_000,
      each: () => ({ info: { players: 3 }, faults: { delayMs: 300 } }),
    })
    onTestFinished(fleet.close)
    await directory.list(fleet.servers)
    const env = { POLL_INTERVAL_SECONDS: '3600', POLL_CONCURRENCY: '20' }
    const killed = await startProcess('workers/main.ts', directory.url, env)
    const metrics = await (await fetch(`${killed.url}/metrics`)).text()
    expect(metrics).toContain('directory_poll')
    expect(metrics, 'a worker has no directory').not.toContain('directory_snapshot')
    await expect
      .poll(() => directory.count('last_polled_at is not null'), { timeout: 20_000 })
      .toBeGreaterThan(run.between(0, 80))
    killed.child.kill('SIGKILL')
    run.tried('worker killed in mid-batch')
    await once(killed.child, 'exit')
    const done = await directory.count('last_polled_at is not null')
    expect(done).toBeLessThan(400)

    for (const server of fleet.servers) server.faults.delayMs = 0
    await startProcess('workers/main.ts', directory.url, env)
    await expect.poll(() => directory.count('is_online'), { timeout: 60_000, interval: 250 }).toBe(400)
    // The same cycle is repeated without a new claim; one sample for each server.
    expect(await directory.count('applied_cycle = 1 and consecutive_failures = 0')).toBe(400)
    const samples = await storedSamples(directory.pool)
    run.worked('servers polled before', done)
    run.worked('servers polled by the next', 400 - done)
    run.expectNothingLost({
      'samples missing': Array(400 - new Set(samples.map(({ serverId }) => serverId)).size).fill('a sample'),
      'samples twice': samples.slice(400),
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)
