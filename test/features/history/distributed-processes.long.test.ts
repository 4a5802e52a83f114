// The product's processes on a real Citus cluster: what clients see, and what is stored, while nodes and the
// coordinator are away.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startFleet } from '../../../dev/simulator/fleet.ts'
import { addPending, distributeHistory, historyRollUp } from '../../../src/features/history/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { prepareDatabase } from '../../../src/migrate.ts'
import { createPool, type Pool } from '../../../src/platform/db/pool.ts'
import { openJobs } from '../../../src/platform/queue/jobs.ts'
import { type CitusCluster, findCitus, startCitus } from '../../support/citus.ts'
import { testLog } from '../../support/database.ts'
import { startProcess } from '../../support/processes.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { HOUR } from './samples.ts'

const SERVERS = 24
/** A worker moves polls every ten seconds. */
const WAIT_OPTIONS = { timeout: 60_000, interval: 200 }
const TEST_TIMEOUT_MS = 300_000

const programs = findCitus()

describe.skipIf(!programs)('API and worker on a Citus cluster', () => {
  let cluster: CitusCluster
  let pool: Pool

  beforeAll(async () => {
    cluster = await startCitus(programs ?? '', 2)
    const { url } = cluster.coordinator
    await prepareDatabase({ DATABASE_URL: url }, testLog)
    pool = createPool({ url, max: 4, applicationName: 'test', log: testLog })
    await distributeHistory(pool, 'nodes', () => undefined)
    // What polls committed, to compare with what history has.
    await pool.query(`
      create table committed_polls (server_id uuid, at bigint);
      create function note_poll() returns trigger language plpgsql as $$ begin
        insert into committed_polls values (new.server_id, floor(extract(epoch from new.last_polled_at)));
        return new;
      end $$;
      create trigger note_poll after update of last_polled_at on server_status for each row execute function note_poll()`)
  })

  afterAll(async () => {
    await pool?.end()
    await cluster?.remove()
  })

  test(
    'polls, charts and roll-ups run; a node and the coordinator that are killed lose nothing',
    async () => {
      const fleet = await startFleet({
        count: SERVERS,
        first: 860_000,
        each: (n) => ({ info: { name: `Server ${n}`, players: n } }),
      })
      onTestFinished(fleet.close)
      const added = await createServers({ pool }).addMany(
        fleet.servers.map(({ address, port, info }) => ({ name: info.name, ipAddress: address, queryPort: port })),
      )
      const ids = added.map((server) => ('id' in server ? server.id : ''))
      const { url } = cluster.coordinator
      const api = await startProcess('src/main.ts', url)
      const worker = await startProcess('workers/main.ts', url, { POLL_INTERVAL_SECONDS: '1' })

      const get = async (path: string) => {
        const reply = await fetch(api.url + path, { headers: { accept: 'application/problem+json, application/json' } })
        return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> }
      }
      const chart = async (id: string) => ({ id, ...(await get(`/api/servers/${id}/player-history`)) })
      const charts = async () => Map.groupBy(await Promise.all(ids.map(chart)), ({ status }) => status)
      const statuses = async () => [...(await charts()).keys()].sort()
      const peaks = async () => (await Promise.all(ids.map(chart))).map(({ body }) => body.peak)
      const online = async () =>
        ((await get('/api/servers?limit=50')).body.servers as { isOnline: boolean }[]).filter((each) => each.isOnline)
          .length
      const movedOf = async (id: string) => {
        const { rows } = await pool.query<{ bytes: number }>(
          'select length(samples) as bytes from player_history_recent where server_id = $1',
          [id],
        )
        return rows[0]?.bytes ?? 0
      }
      const committed = async () =>
        (await pool.query<{ polls: number }>('select count(*) as polls from committed_polls')).rows[0]?.polls ?? 0

      await expect.poll(peaks, WAIT_OPTIONS).toEqual(ids.map((_, n) => n))
      expect(await online()).toBe(SERVERS)

      // An hour that has ended is rolled up by the worker.
      const earlier = new Date(Date.now() - 2 * HOUR)
      await addPending(pool, {
        serverIds: ids,
        polledAt: earlier,
        players: ids.map(() => 5),
        maxPlayers: ids.map(() => 70),
      })
      const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
      await jobs.enqueue(pool, historyRollUp, [{}])
      const hours = () => pool.query('select from player_history_hours').then(({ rowCount }) => rowCount)
      await expect.poll(hours, WAIT_OPTIONS).toBeGreaterThanOrEqual(SERVERS)
      await jobs.boss.stop({ graceful: false })

      const [, away] = cluster.nodes
      await away?.kill()
      await expect.poll(statuses, WAIT_OPTIONS).toEqual([200, 503])
      const answers = await charts()
      const [reachable, outOfReach] = [answers.get(200) ?? [], answers.get(503) ?? []]
      for (const { body, headers } of outOfReach) {
        expect(body).toMatchObject({
          error: 'unavailable',
          status: 503,
          detail: expect.stringContaining('out of reach'),
        })
        expect(headers.get('content-type')).toContain('application/problem+json')
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|remote node/)
      }
      expect(api.output()).toContain(`127.0.0.1:${away?.port}`)
      const before = await Promise.all(reachable.map(({ id }) => movedOf(id)))
      const polledBefore = await committed()
      await expect
        .poll(
          async () =>
            (await Promise.all(reachable.map(({ id }) => movedOf(id)))).every((bytes, n) => bytes > (before[n] ?? 0)),
          WAIT_OPTIONS,
        )
        .toBe(true)
      expect(await committed()).toBeGreaterThan(polledBefore)
      expect(await online()).toBe(SERVERS)
      expect(await statuses()).toEqual([200, 503])
      await away?.start()
      await expect.poll(statuses, WAIT_OPTIONS).toEqual([200])

      await cluster.coordinator.kill()
      expect((await get('/api/servers?limit=50')).status).toBe(200)
      expect(await statuses()).toEqual([503])
      await cluster.coordinator.start()
      await expect.poll(statuses, WAIT_OPTIONS).toEqual([200])
      const polledAfter = await committed()
      await expect.poll(committed, WAIT_OPTIONS).toBeGreaterThan(polledAfter + SERVERS)

      worker.child.kill('SIGKILL')
      await once(worker.child, 'exit')
      const { rows } = await pool.query<{ id: string; at: number }>('select server_id as id, at from committed_polls')
      const keys = (polls: { id: string; at: number }[]) => polls.map(({ id, at }) => `${id} ${at}`).sort()
      const stored = await storedSamples(pool, ids)
      const ofPolls = stored.filter(({ at }) => at !== Math.floor(earlier.getTime() / 1000))
      expect(stored.length - ofPolls.length).toBe(SERVERS)
      expect(keys(ofPolls.map(({ serverId, at }) => ({ id: serverId, at })))).toEqual(keys(rows))
    },
    TEST_TIMEOUT_MS,
  )
})
