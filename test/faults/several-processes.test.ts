// Two API and three worker processes on one PostgreSQL, under mixed load with kills: what has to hold when there are several.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { MIGRATIONS, migrate } from '../../src/platform/db/migrate.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { startPostgres } from '../../tools/launcher/embedded-postgres.ts'
import { freePort } from '../../tools/launcher/ports.ts'
import { startFleet } from '../../tools/simulator/fleet.ts'
import { testLog } from '../support/database.ts'
import { addPerson } from '../support/people.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-several-'))
const postgres = await startPostgres({ folder, database: 'directory' })
afterAll(async () => {
  await postgres.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})
const url = postgres.url('directory')
await prepareDatabase({ DATABASE_URL: url }, testLog)
const pool = createPool({ url, max: 5, applicationName: 'test', log: testLog })
afterAll(() => pool.end())

const PER_MINUTE = 60
/** Longer than a minute, so that schedules of each minute come due in it. */
const KILLS_MS = 65_000

/** A process that is started again on its port each time. */
interface Member {
  port: number
  child: ChildProcess
  output: string
}

const running = new Set<ChildProcess>()
afterAll(async () => {
  const ends = [...running].map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ends)
})

async function start(kind: 'api' | 'worker', member?: Member): Promise<Member> {
  const port = member?.port ?? (await freePort())
  const child = spawn(process.execPath, [kind === 'api' ? 'src/main.ts' : 'workers/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: url,
      DATABASE_POOL_MAX: '5',
      APP_SECRET: 'a secret of the tests, 32 characters and more',
      DATA_DIR: path.join(os.tmpdir(), 'server-directory-none'),
      TRUST_PROXY: '1',
      RATE_LIMIT_STORE: 'postgres',
      RATE_LIMIT_IP_PER_MINUTE: String(PER_MINUTE),
      RATE_LIMIT_IP_PER_HOUR: '0',
      POLL_INTERVAL_SECONDS: '5',
      [kind === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
    },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const started = Object.assign(member ?? ({} as Member), { port, child, output: '' })
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      started.output += chunk
    })
  await vi.waitFor(() => expectReady(port), { timeout: 40_000, interval: 100 })
  return started
}

async function expectReady(port: number): Promise<void> {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) })
  if (!ok) throw new Error('not ready')
}

async function end(member: Member, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const ended = once(member.child, 'exit')
  member.child.kill(signal)
  const [code] = (await ended) as [number | null]
  return code
}

/** A balancer as simple as they come: one after the other, and once more on the other when one gives no reply. */
async function startBalancer(members: Member[]): Promise<string> {
  let turn = 0
  const server = http.createServer((req, res) => {
    const first = turn++
    const forward = (triesLeft: number) => {
      const member = members[(first + 1 - triesLeft) % members.length]
      const away = http.request(
        {
          port: member?.port,
          host: '127.0.0.1',
          path: req.url,
          method: req.method,
          headers: { ...req.headers, connection: 'close' },
        },
        (reply) => {
          const chunks: Buffer[] = []
          reply.on('data', (chunk: Buffer) => chunks.push(chunk))
          reply.on('error', () => retry(triesLeft))
          reply.on('end', () => {
            if (!reply.complete) return retry(triesLeft)
            res.writeHead(reply.statusCode ?? 502, { 'content-type': reply.headers['content-type'] ?? '' })
            res.end(Buffer.concat(chunks))
          })
        },
      )
      away.on('error', () => retry(triesLeft))
      away.end()
    }
    const retry = (triesLeft: number) => {
      if (res.headersSent || res.writableEnded) return
      if (triesLeft > 0) forward(triesLeft - 1)
      else res.writeHead(502).end()
    }
    req.resume()
    forward(1)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Visitors without end: each asks a few times, so that none is over its limit. */
function createLoad(base: string, cookie: string, serverIds: string[]) {
  const statuses = new Map<string, number>()
  let stopped = false
  let n = 0
  async function visitor(): Promise<void> {
    while (!stopped) {
      const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n++ & 255}`
      const id = serverIds[n % serverIds.length]
      for (const [method, target] of [
        ['GET', '/api/public/servers?limit=5'],
        ['GET', `/api/servers/${id}`],
        ['GET', '/api/public/stats'],
        ['GET', '/api/user/favorites'],
        // Both are the same when done twice, so a balancer may try them again.
        [n % 2 ? 'POST' : 'DELETE', `/api/servers/${id}/favorite`],
      ] as const) {
        const response = await fetch(base + target, { method, headers: { cookie, 'x-forwarded-for': address } })
        await response.arrayBuffer()
        const what = `${method} ${response.status}`
        statuses.set(what, (statuses.get(what) ?? 0) + 1)
      }
      await sleep(20)
    }
  }
  const visitors = Array.from({ length: 4 }, visitor)
  return {
    statuses,
    async stop() {
      stopped = true
      await Promise.all(visitors)
    },
  }
}

const failures = (statuses: Map<string, number>) => [...statuses].filter(([what]) => !/ (200|201)$/.test(what))
const total = (statuses: Map<string, number>) => [...statuses.values()].reduce((sum, count) => sum + count, 0)

it('two API and three worker processes are one service', async () => {
  const fleet = await startFleet({ count: 120, first: 870_000, each: () => ({ info: { players: 3 } }) })
  onTestFinished(fleet.close)
  const listed = await createServers({ pool }).addMany(
    fleet.servers.map(({ address, port }, n) => ({
      name: `Server ${n}`,
      ipAddress: address,
      gamePort: port,
      queryPort: port,
      game: 'protocol-valve',
    })),
  )
  const ids = listed.flatMap((result) => ('id' in result ? [result.id] : []))
  expect(ids).toHaveLength(120)
  const { cookie } = await addPerson(pool)

  // Nobody worked for forty days: each schedule owes one run, however many it missed.
  const first = await start('worker')
  expect(await end(first, 'SIGTERM')).toBe(0)
  const { rows: schedules } = await pool.query<{ name: string }>('select name from pgboss.schedule order by name')
  expect(schedules.length).toBeGreaterThan(3)
  await pool.query(`delete from pgboss.job where name = any($1)`, [
    [...schedules.map(({ name }) => name), '__pgboss__send-it'],
  ])
  await pool.query(`update pgboss.schedule set created_on = now() - interval '50 days'`)
  await pool.query(`update pgboss.version set cron_on = now() - interval '40 days'`)
  const workers = [await start('worker', first), await start('worker'), await start('worker')]
  const apis = [await start('api'), await start('api')]
  const runsOf = async () => {
    const { rows } = await pool.query<{ name: string; runs: number; slots: number }>(
      `select name, count(*)::integer as runs, (
         select count(distinct data->>'slot')::integer from pgboss.job as due
         where due.name = '__pgboss__send-it' and due.data->>'name' = job.name) as slots
       from pgboss.job where name = any($1) group by name order by name`,
      [schedules.map(({ name }) => name)],
    )
    return rows
  }
  await vi.waitFor(
    async () => expect((await runsOf()).map(({ name }) => name)).toEqual(schedules.map(({ name }) => name)),
    {
      timeout: 60_000,
      interval: 500,
    },
  )

  const base = await startBalancer(apis)
  const load = createLoad(base, cookie, ids)
  onTestFinished(() => load.stop())

  // Limits are shared: a visitor gets no more from two processes than from one.
  const visitor = { 'x-forwarded-for': '192.0.2.77' }
  const answers = await Promise.all(
    Array.from({ length: PER_MINUTE + 40 }, async (_, n) => {
      const response = await fetch(`http://127.0.0.1:${apis[n % 2]?.port}/api/public/stats`, { headers: visitor })
      await response.arrayBuffer()
      return response.status
    }),
  )
  expect(answers.filter((status) => status === 200)).toHaveLength(PER_MINUTE)
  expect(answers.filter((status) => status === 429)).toHaveLength(40)

  // Kills: workers and APIs one after the other, as rudely as can be; never both APIs at once.
  const until = Date.now() + KILLS_MS
  for (let n = 0; Date.now() < until; n++) {
    const worker = workers[n % workers.length]
    const api = apis[n % apis.length]
    if (worker) {
      await end(worker, 'SIGKILL')
      await start('worker', worker)
    }
    if (api) {
      await end(api, 'SIGKILL')
      await start('api', api)
    }
  }

  // A rolling restart, with the schema one version ahead of the code: what it adds is not yet known, and does no harm.
  const migrations = path.join(folder, 'migrations')
  fs.cpSync(MIGRATIONS, migrations, { recursive: true })
  fs.mkdirSync(path.join(migrations, '9999_next'))
  fs.writeFileSync(
    path.join(migrations, '9999_next/migration.sql'),
    `alter table servers add column motto text not null default '';
     alter table server_status add column ping_ms integer;
     create table things_to_come (id uuid primary key, server_id uuid references servers (id) on delete cascade);`,
  )
  expect(await migrate({ url, log: testLog, folder: migrations })).toEqual(['9999_next'])
  const before = failures(load.statuses)
  for (const member of apis) {
    expect(await end(member, 'SIGTERM')).toBe(0)
    await start('api', member)
  }
  for (const member of workers) {
    expect(await end(member, 'SIGTERM')).toBe(0)
    await start('worker', member)
  }
  expect(failures(load.statuses), 'no request failed in the rolling restart').toEqual(before)

  // Everything is polled by now, also what killed workers had taken; and goes on being polled.
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ online: number; late: number }>(
        `select count(*) filter (where is_online)::integer as online,
           count(*) filter (where last_polled_at < now() - interval '15 seconds')::integer as late from server_status`,
      )
      expect(rows).toEqual([{ online: 120, late: 0 }])
    },
    { timeout: 60_000, interval: 500 },
  )
  await load.stop()
  expect(failures(load.statuses), 'nor when processes were killed').toEqual([])
  expect(total(load.statuses)).toBeGreaterThan(1000)

  // Each slot of each schedule ran once, whoever was alive.
  for (const { name, runs, slots } of await runsOf()) expect(runs, name).toBe(slots)
  // Both processes show the same.
  const shown = await Promise.all(
    apis.map(async ({ port }) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/public/stats`, {
        headers: { 'x-forwarded-for': `198.51.100.${port % 250}` },
      })
      return (await response.json()) as { totalServers: number; onlineServers: number }
    }),
  )
  for (const stats of shown) expect(stats).toMatchObject({ totalServers: 120, onlineServers: 120 })
}, 240_000)
