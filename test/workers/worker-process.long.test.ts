// The real worker process: stopped, and started with mistakes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { type Fleet, startFleet } from '../../dev/simulator/fleet.ts'
import { NODE_ARGS } from '../support/node.ts'
import { startProcess } from '../support/processes.ts'
import { createTestDirectory } from './polling/support.ts'

async function openFleet(count: number, first: number, delayMs = 0): Promise<Fleet> {
  const fleet = await startFleet({ count, first, each: () => ({ info: { players: 3 }, faults: { delayMs } }) })
  onTestFinished(fleet.close)
  return fleet
}

/** Runs the worker until it ends by itself. */
async function runWorker(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [...NODE_ARGS, 'workers/main.ts'], {
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

describe('a worker asked to stop', async () => {
  const directory = await createTestDirectory()

  it('finishes its queries, releases the other servers, leaves no job running and ends with 0', async () => {
    const fleet = await openFleet(300, 841_000, 200)
    await directory.list(fleet.servers)
    const env = { POLL_INTERVAL_SECONDS: '3600', POLL_CONCURRENCY: '20' }
    const { child } = await startProcess('workers/main.ts', directory.url, env)
    await expect.poll(() => directory.count('last_polled_at is not null')).toBeGreaterThan(0)
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
  })
})

describe('a worker started with a mistake', async () => {
  const directory = await createTestDirectory()
  const APP_SECRET = 'a secret of the tests, 32 characters and more'

  it('names the bad setting in one line and ends with 1', async () => {
    const { code, stderr } = await runWorker({ DATABASE_URL: directory.url, APP_SECRET, POLL_CONCURRENCY: 'many' })
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 1,
      lines: ['worker: bad setting: POLL_CONCURRENCY must be a whole number'],
    })
  })

  it.each([
    [{ COUNTRY_DATABASE: '/nowhere/countries.mmdb' }, 'COUNTRY_DATABASE must be a file in the MMDB format: ENOENT'],
    [{ HOST: 'nowhere.invalid' }, 'HOST must be an address of this machine: getaddrinfo '],
    [{ HOST: '192.0.2.1' }, 'HOST must be an address of this machine: listen EADDRNOTAVAIL'],
  ])('names the setting whose use fails: %o', async (env, message) => {
    const { code, stderr } = await runWorker({ DATABASE_URL: directory.url, APP_SECRET, WORKER_PORT: '0', ...env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^[^\n]*\n$/)
    expect(stderr).toContain(`worker: bad setting: ${message}`)
  })

  it('reports that its port is in use', async () => {
    const port = await freePort()
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => {
      taken.close()
    })
    const { code, stderr } = await runWorker({ DATABASE_URL: directory.url, APP_SECRET, WORKER_PORT: String(port) })
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 1,
      lines: [`worker: port ${port} on 127.0.0.1 is in use: set WORKER_PORT to another`],
    })
  })
})
