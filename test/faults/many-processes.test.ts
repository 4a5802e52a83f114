// Many API processes and workers on one PostgreSQL behind PgBouncer: work is divided, and its traffic stays bounded.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startFleet } from '../../dev/simulator/fleet.ts'
import { FEED_TIMING } from '../../src/features/directory/feed/feed.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { createTestDatabase } from '../support/database.ts'
import { isMissing } from '../support/installed.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { createMembers } from './support/members.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'
import { missSchedules, slotsNotRunOnce, slotsOf } from './support/schedules.ts'

const { pool, url } = await createTestDatabase()

const PER_MINUTE = 60
const POOLED_CONNECTIONS = 20
/** As docs/SCALING.md says. */
const DIRECT_CONNECTIONS_EACH = 6
/** More than a worker takes in advance, so that each always has work. */
const SERVERS_EACH = 1_500
const QUERIES_AT_ONCE = 40
const REPLY_MS = 500
const MEASURE_MS = 30_000

it.skipIf(isMissing('pgbouncer'))(
  'many processes: polls are divided evenly, schedules run once, limits are exact, connections and reads are bounded',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const each = run.rounds > 16 ? 8 : 3
    const fleet = await startFleet({
      count: SERVERS_EACH * each,
      first: 400_000,
      each: () => ({ info: { players: 3 }, faults: { delayMs: REPLY_MS } }),
    })
    onTestFinished(fleet.close)
    const members = createMembers(await startPgBouncer(url, { default_pool_size: String(POOLED_CONNECTIONS) }), {
      DATABASE_DIRECT_URL: url,
      TRUST_PROXY: '1',
      RATE_LIMIT_STORE: 'postgres',
      RATE_LIMIT_IP_PER_MINUTE: String(PER_MINUTE),
      POLL_INTERVAL_SECONDS: '1',
      POLL_CONCURRENCY: String(QUERIES_AT_ONCE),
    })
    const workers = Array.from({ length: each }, (_, n) => `worker ${n}`)
    const apis = Array.from({ length: each }, (_, n) => `api ${n}`)
    await members.start('worker 0')
    await members.stop('worker 0')
    const schedules = await missSchedules(pool)
    // Two at a time, and before there is work: many starts at once would delay each other.
    for (const [n, worker] of workers.entries()) await members.start(worker, apis[n] ?? '')
    await createServers({ pool }).addMany(
      fleet.servers.map(({ address, port }, n) => ({
        name: `Server ${n}`,
        ipAddress: address,
        gamePort: port,
        queryPort: port,
        game: 'protocol-valve',
      })),
    )

    let visitors = 0
    const burst = async () => {
      const headers = { 'x-forwarded-for': `192.0.2.${++visitors}` }
      const request = async (_: unknown, n: number) => {
        const response = await fetch(`${members.url(apis[n % each] ?? '')}/api/public/stats`, { headers })
        await response.arrayBuffer()
        return response.status
      }
      const statuses = await Promise.all(Array.from({ length: PER_MINUTE + 40 }, request))
      return [200, 429].map((status) => statuses.filter((one) => one === status).length)
    }
    // A store that answers too slowly is not asked for two seconds: then each process counts by itself.
    await expect.poll(burst, { timeout: 60_000, interval: 3_000 }).toEqual([PER_MINUTE, 40])

    const counts = async (names: string[], series: RegExp) => {
      const texts = await Promise.all(names.map(async (name) => (await fetch(`${members.url(name)}/metrics`)).text()))
      return texts.map((text) => [...text.matchAll(series)].reduce((sum, [, value]) => sum + Number(value), 0))
    }
    const polls = () => counts(workers, /^directory_polls_total\{outcome="answered"\} (\d+)/gm)
    const reads = () => counts(apis, /^directory_refresh_duration_seconds_count\{kind="changes"\} (\d+)/gm)
    await expect.poll(async () => Math.min(...(await polls())), { timeout: 60_000 }).toBeGreaterThan(QUERIES_AT_ONCE)

    const since = (before: number[], after: number[]) => after.map((count, n) => count - (before[n] ?? 0))
    const measure = async () => {
      const connections: number[] = []
      const [pollsBefore, readsBefore, began] = [await polls(), await reads(), performance.now()]
      while (performance.now() < began + MEASURE_MS) {
        const { rows } = await pool.query<{ connections: number }>(
          `select count(*) as connections from pg_stat_activity
           where datname = current_database() and backend_type = 'client backend' and application_name <> 'test'`,
        )
        connections.push(rows[0]?.connections ?? 0)
        await sleep(500)
      }
      const polled = since(pollsBefore, await polls())
      const fairShare = polled.reduce((sum, count) => sum + count, 0) / each
      const uneven = polled.filter((count) => Math.abs(count - fairShare) > 0.1 * fairShare)
      return { connections, polled, uneven, read: since(readsBefore, await reads()), ms: performance.now() - began }
    }
    let measured = await measure()
    // A busy machine may give one process less time than another for a while. An uneven division would stay.
    for (let again = 0; again < 3 && measured.uneven.length > 0; again++) measured = await measure()
    const { connections, polled, uneven, read, ms } = measured
    run.tried('processes of each kind', each)
    run.worked('polls of a worker, at least', Math.min(...polled))
    run.worked('polls of a worker, at most', Math.max(...polled))
    run.worked('reads of the feed by a process, at most', Math.max(...read))
    run.worked('connections to PostgreSQL, at most', Math.max(...connections))

    expect(Math.max(...connections)).toBeLessThanOrEqual(DIRECT_CONNECTIONS_EACH * 2 * each + POOLED_CONNECTIONS)
    // However many workers notify, each process reads at most once in this time.
    expect(Math.max(...read)).toBeLessThanOrEqual(ms / FEED_TIMING.coalesceMs + 1)
    expect(Math.min(...read)).toBeGreaterThan(0)
    await expect.poll(async () => (await slotsOf(pool)).map(({ name }) => name), { timeout: 60_000 }).toEqual(schedules)
    run.expectNothingLost({
      'workers whose polls are more than 10 % from the mean': uneven,
      'slots that did not run once': await slotsNotRunOnce(pool),
    })
  },
  FAULT_RUN_TIMEOUT_MS + 300_000,
)
