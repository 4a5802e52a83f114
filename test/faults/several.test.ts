// Two API and three worker processes on one PostgreSQL, under mixed load with kills.
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startFleet } from '../../dev/simulator/fleet.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { MIGRATIONS, migrate } from '../../src/platform/db/migrate.ts'
import { createTestDatabase, testLog } from '../support/database.ts'
import { addPerson } from '../support/people.ts'
import { createMembers } from './support/members.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'
import { missSchedules, slotsNotRunOnce, slotsOf } from './support/schedules.ts'

const { pool, url } = await createTestDatabase()

const PER_MINUTE = 60
const WORKERS = ['worker 0', 'worker 1', 'worker 2'] as const
const APIS = ['api 0', 'api 1'] as const

/** A simple balancer: round robin, with one retry on the other process when one gives no reply. */
async function startBalancer(targets: string[]): Promise<string> {
  let turn = 0
  const server = http.createServer((req, res) => {
    const first = turn++
    const forward = (triesLeft: number) => {
      const target = new URL(targets[(first + 1 - triesLeft) % targets.length] ?? '')
      const away = http.request(
        {
          port: target.port,
          host: target.hostname,
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
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Visitors without end; each sends a few requests, so that none exceeds its limit. */
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
        // Both are idempotent, so a balancer may retry them.
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
const changes = (before: [string, number][], after: [string, number][]) =>
  after.filter(([what, count]) => count !== new Map(before).get(what))
const total = (statuses: Map<string, number>) => [...statuses.values()].reduce((sum, count) => sum + count, 0)

it(
  'several of each: two API and three worker processes are one service while one after the other is killed',
  async ({ task }) => {
    const run = beginFaultRun({ task })
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

    const members = createMembers(url, {
      DATABASE_POOL_MAX: '5',
      TRUST_PROXY: '1',
      RATE_LIMIT_STORE: 'postgres',
      RATE_LIMIT_IP_PER_MINUTE: String(PER_MINUTE),
      POLL_INTERVAL_SECONDS: '5',
    })
    await members.start(WORKERS[0])
    await members.stop(WORKERS[0])
    const schedules = await missSchedules(pool)
    expect(schedules.length).toBeGreaterThan(3)
    await members.start(...WORKERS, ...APIS)
    const urls = APIS.map(members.url)
    const due = async () => (await slotsOf(pool)).map(({ name }) => name)
    await expect.poll(due, { timeout: 60_000, interval: 500 }).toEqual(schedules)

    // Processes share limits. A busy machine may count too slowly: then each process counts by itself for two seconds,
    // and another visitor tries again.
    let visitors = 0
    const burst = async () => {
      const headers = { 'x-forwarded-for': `192.0.2.${++visitors}` }
      const statuses = await Promise.all(
        Array.from({ length: PER_MINUTE + 40 }, async (_, n) => {
          const response = await fetch(`${urls[n % 2]}/api/public/stats`, { headers })
          await response.arrayBuffer()
          return response.status
        }),
      )
      return [200, 429].map((status) => statuses.filter((one) => one === status).length)
    }
    await expect.poll(burst, { timeout: 60_000, interval: 3_000 }).toEqual([PER_MINUTE, 40])

    const base = await startBalancer(urls)
    const load = createLoad(base, cookie, ids)
    onTestFinished(() => load.stop())

    // Killed, but never both API processes at once, since the balancer needs one.
    for (const name of run.deal([...WORKERS, ...APIS], 0.75)) {
      await sleep(run.between(0, 1_000))
      await members.kill(name)
      run.tried(`${name.startsWith('api') ? 'API' : 'worker'} process killed`)
    }

    // A rolling restart, with the schema one version ahead of the code, which ignores the additions.
    const migrations = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-next-'))
    onTestFinished(() => fs.rmSync(migrations, { recursive: true, force: true }))
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
    for (const name of [...APIS, ...WORKERS]) {
      await members.restart(name)
      run.tried('rolling restart')
    }
    const failedInRestart = changes(before, failures(load.statuses))

    // All servers are polled by now, also those that killed workers had claimed, and continue to be polled.
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
    expect(total(load.statuses)).toBeGreaterThan(500)
    const slots = await slotsOf(pool)
    run.worked('requests answered', total(load.statuses))
    run.worked(
      'slots of schedules',
      slots.reduce((sum, slot) => sum + slot.slots, 0),
    )
    // Both processes have the same directory.
    const shown = await Promise.all(
      urls.map(async (one, n) => {
        const response = await fetch(`${one}/api/public/stats`, { headers: { 'x-forwarded-for': `198.51.100.${n}` } })
        return (await response.json()) as { totalServers: number; onlineServers: number }
      }),
    )
    run.expectNothingLost({
      'requests in the rolling restart': failedInRestart,
      requests: failures(load.statuses),
      'slots that did not run once': await slotsNotRunOnce(pool),
      'API processes that show less': shown.filter(
        ({ totalServers, onlineServers }) => totalServers + onlineServers !== 240,
      ),
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)
