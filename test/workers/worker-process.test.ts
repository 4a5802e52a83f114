// The real worker process: killed in mid-batch, told to stop, its database restarted, started wrongly.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { startPostgres } from '../../tools/launcher/embedded-postgres.ts'
import { freePort } from '../../tools/launcher/ports.ts'
import { type Fleet, startFleet } from '../../tools/simulator/fleet.ts'
import { testLog } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'
import { createTestDirectory } from './polling/support.ts'

async function openFleet(count: number, first: number, delayMs = 0): Promise<Fleet> {
  const fleet = await startFleet({ count, first, each: () => ({ info: { players: 3 }, faults: { delayMs } }) })
  onTestFinished(fleet.close)
  return fleet
}

/** Runs the worker until it ends by itself. */
async function runWorker(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, ['workers/main.ts'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stderr }
}

describe('a worker killed in mid-batch', async () => {
  const directory = await createTestDirectory()

  it('leaves a batch that is done again, with nothing counted twice', async () => {
    // 400 servers, 20 at a time, 0.6 s each: twelve seconds of batches, answers written from the first second on.
    const fleet = await openFleet(400, 840_000, 300)
    await directory.list(fleet.servers)
    const env = { POLL_INTERVAL_SECONDS: '3600', POLL_CONCURRENCY: '20' }
    const killed = await startProcess('workers/main.ts', directory.url, env)
    const metrics = await (await fetch(`${killed.url}/metrics`)).text()
    expect(metrics).toContain('directory_poll')
    expect(metrics, 'a worker holds no directory whose age could alarm').not.toContain('directory_snapshot')
    await expect.poll(() => directory.count('last_polled_at is not null'), { timeout: 20_000 }).toBeGreaterThan(20)
    killed.child.kill('SIGKILL')
    await once(killed.child, 'exit')
    const done = await directory.count('last_polled_at is not null')
    expect(done).toBeLessThan(400)

    for (const server of fleet.servers) server.faults.delayMs = 0
    await startProcess('workers/main.ts', directory.url, env)
    await expect.poll(() => directory.count('is_online'), { timeout: 60_000, interval: 250 }).toBe(400)
    // The same cycle, not a new claim; one sample each.
    expect(await directory.count('applied_cycle = 1 and consecutive_failures = 0')).toBe(400)
    const { rows } = await directory.pool.query<{ samples: number; servers: number }>(
      'select count(*) as samples, count(distinct server_id) as servers from player_history',
    )
    expect(rows).toEqual([{ samples: 400, servers: 400 }])
  }, 100_000)
})

describe('a worker told to stop', async () => {
  const directory = await createTestDirectory()

  it('finishes whom it asks, hands the rest back, leaves no job running and ends with 0', async () => {
    const fleet = await openFleet(300, 841_000, 200)
    await directory.list(fleet.servers)
    const env = { POLL_INTERVAL_SECONDS: '3600', POLL_CONCURRENCY: '20' }
    const { child } = await startProcess('workers/main.ts', directory.url, env)
    await expect.poll(() => directory.count('last_polled_at is not null'), { timeout: 20_000 }).toBeGreaterThan(0)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    const { rows } = await directory.pool.query<{ active: number; due: number; done: number }>(
      `select (select count(*) from pgboss.job where name = 'poll' and state in ('active', 'failed')) as active,
         (select count(*) from server_polls where next_poll_at <= now()) as due,
         (select count(*) from server_status where last_polled_at is not null) as done`,
    )
    const [{ active, due, done } = { active: -1, due: 0, done: 0 }] = rows
    expect(active).toBe(0)
    expect(due).toBeGreaterThan(0)
    expect(due + done).toBe(300)
    expect(await directory.count('consecutive_failures > 0')).toBe(0)
  }, 60_000)
})

describe('a worker whose PostgreSQL restarts', () => {
  it('goes on polling by itself', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-worker-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
    const port = await freePort()
    const open = () => startPostgres({ folder, database: 'worker', port, settings: { fsync: 'off' } })
    let postgres = await open()
    onTestFinished(() => postgres.stop())
    await prepareDatabase({ DATABASE_URL: postgres.url() }, testLog)
    const fleet = await openFleet(20, 842_000)
    await withPool(postgres.url(), (pool) =>
      createServers({ pool }).addMany(
        fleet.servers.map(({ address, port: queryPort }, n) => ({
          name: `Server ${n}`,
          game: 'ase',
          ipAddress: address,
          gamePort: 7777,
          queryPort,
        })),
      ),
    )
    const worker = await startProcess('workers/main.ts', postgres.url(), { POLL_INTERVAL_SECONDS: '1' })
    const polledSince = (instant: Date) =>
      withPool(postgres.url(), async (pool) => {
        const { rows } = await pool.query<{ polled: number }>(
          'select count(*) as polled from server_status where is_online and last_polled_at > $1',
          [instant],
        )
        return rows[0]?.polled
      })
    await expect.poll(() => polledSince(new Date(0)), { timeout: 20_000 }).toBe(20)
    await postgres.stop()
    postgres = await open()
    const back = new Date()
    await expect.poll(() => polledSince(back), { timeout: 40_000 }).toBe(20)
    expect(worker.running()).toBe(true)
  }, 100_000)
})

describe('a worker started wrongly', async () => {
  const directory = await createTestDirectory()
  const APP_SECRET = 'a secret of the tests, 32 characters and more'

  it('names the bad setting in one line and ends with 1', async () => {
    const { code, stderr } = await runWorker({ DATABASE_URL: directory.url, APP_SECRET, POLL_CONCURRENCY: 'many' })
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 1,
      lines: ['worker: bad setting: POLL_CONCURRENCY must be a whole number'],
    })
  })

  it('says that its port is taken', async () => {
    const port = await freePort()
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => {
      taken.close()
    })
    const { code, stderr } = await runWorker({ DATABASE_URL: directory.url, APP_SECRET, WORKER_PORT: String(port) })
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 1,
      lines: [`worker: port ${port} on 127.0.0.1 is taken: set WORKER_PORT to another`],
    })
  })
})

async function withPool<T>(url: string, use: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, max: 1, applicationName: 'test', log: testLog })
  try {
    return await use(pool)
  } finally {
    await pool.end()
  }
}
