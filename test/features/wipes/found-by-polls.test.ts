// Wipes of simulated servers, found by whole poll cycles: stored once, shown, and announced.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type SimulatedServer, startSimulatedServer } from '../../../dev/simulator/server.ts'
import { recordFingerprints, type WorldFingerprint } from '../../../src/features/wipes/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { createOutageGuard } from '../../../workers/polling/outage-guard.ts'
import { createPollHandler } from '../../../workers/polling/poll.handler.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { emptyTables, testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { createTestDirectory, QUICK_TRIES, RULES } from '../../workers/polling/support.ts'

const directory = await createTestDirectory()
const { pool, jobs } = directory
const options = { jobs, justWipedDays: 7 }

beforeEach(async () => {
  await emptyTables(pool, 'servers', 'endpoint_deliveries', 'player_history_pending', 'player_history_recent')
  await pool.query(`delete from pgboss.job where name in ('webhook', 'notify')`)
})

function createPoller() {
  const queries = createQueryPool({ concurrency: 50, spacingMs: 1 })
  onTestFinished(() => queries.close())
  const handle = createPollHandler({
    ...directory,
    log: testLog,
    rules: RULES,
    guard: createOutageGuard({ intervalMs: RULES.intervalSeconds * 1000 }),
    ask: createAskServer({ pool: queries, resolve: createTargetResolver({ allowPrivate: true }), tries: QUICK_TRIES }),
  })
  return async (cycles = 1) => {
    for (let cycle = 0; cycle < cycles; cycle++) for (const batch of await directory.takeBatches()) await handle(batch)
  }
}

async function listServer(game: string, info: Partial<SimulatedServer['info']>) {
  const server = await startSimulatedServer({ info })
  onTestFinished(() => server.close())
  const [id = ''] = await directory.list([{ ...server, game }])
  return { id, server }
}

async function wipesOf(id: string) {
  const { rows } = await pool.query<{ kind: string; source: string; note: string; wipedAt: Date; lastWipeAt: Date }>(
    `select kind, wipes.source, note, wiped_at as "wipedAt", last_wipe_at as "lastWipeAt"
     from wipes join servers on servers.id = server_id where server_id = $1 order by wiped_at`,
    [id],
  )
  return rows
}
const notices = async () =>
  (
    await pool.query<{ data: object }>(
      `select data from pgboss.job where name = 'notify' and data->>'event' = 'serverWiped' order by created_on`,
    )
  ).rows.map(({ data }) => data)
/** As if the servers had reported their worlds for a while. */
const ageWorlds = (days: number) =>
  pool.query('update server_wipe_signs set changed_at = changed_at - make_interval(days => $1)', [days])
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds

describe('ARK', () => {
  it('is found wiped at its first answer after an outage, by its day counter, once', async () => {
    const { id, server } = await listServer('ase', { map: 'TheIsland', rules: { DayTime_s: '412' } })
    const poll = createPoller()
    const restart = async (day: string) => {
      server.faults.silent = true
      await poll()
      Object.assign(server, { info: { ...server.info, rules: { DayTime_s: day } } })
      server.faults.silent = false
      await poll()
    }
    await poll()
    await restart('412')
    await restart('413')
    expect(await wipesOf(id)).toEqual([])
    await restart('1')
    const [wipe, ...more] = await wipesOf(id)
    expect(more).toEqual([])
    expect(wipe).toMatchObject({ kind: 'full', source: 'detected', note: '' })
    expect(wipe?.lastWipeAt).toEqual(wipe?.wipedAt)
    await restart('2')
    expect(await wipesOf(id)).toHaveLength(1)
  })

  it('is asked for its rules at its first poll and at one in thirty, and stays online when it does not answer that', async () => {
    const { id, server } = await listServer('ase', { rules: { DayTime_s: '412' } })
    const poll = createPoller()
    await poll(30)
    // An answer takes 2 requests with its challenge; with rules at most those again and another 2.
    expect(server.requests).toBeGreaterThan(62)
    expect(server.requests).toBeLessThanOrEqual(68)
    server.info.rules = {}
    await poll(30)
    expect(await directory.status(id)).toMatchObject({ isOnline: true, consecutiveFailures: 0 })
    const { rows } = await pool.query('select day, map from server_wipe_signs')
    expect(rows).toEqual([{ day: 412, map: 'TheIsland' }])
  })
})

describe('Rust', () => {
  it('is found wiped at the next poll, as of its world’s creation; owner and endpoint are notified once', async () => {
    const first = secondsAgo(900_000)
    const { id, server } = await listServer('rust', { map: 'Procedural Map', keywords: `mp100,cp3,born${first}` })
    const owner = await addPerson(pool)
    await pool.query('update servers set owner_id = $1', [owner.id])
    await pool.query(
      `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, 'https://a.example/', '{server.wiped}', '')`,
      [id],
    )
    const poll = createPoller()
    await poll(2)
    await ageWorlds(1)
    const made = secondsAgo(7_200)
    server.info.keywords = `mp100,cp3,born${made}`
    await poll(3)
    expect(await wipesOf(id)).toEqual([
      { kind: 'map', source: 'detected', note: '', wipedAt: new Date(made * 1000), lastWipeAt: new Date(made * 1000) },
    ])
    const data = { serverId: id, serverName: 'Server 0', wipedAt: new Date(made * 1000).toISOString(), kind: 'map' }
    expect(await notices()).toEqual([{ event: 'serverWiped', serverId: id, at: expect.any(String), data }])
    const { rows } = await pool.query<{ body: string }>('select body from endpoint_deliveries')
    expect(rows.map(({ body }) => JSON.parse(body))).toEqual([
      { type: 'server.wiped', timestamp: expect.any(String), data },
    ])
  })

  it('with a wipe of long ago has it in the history, without a notification', async () => {
    const { id, server } = await listServer('rust', { keywords: `born${secondsAgo(9_000_000)}` })
    await pool.query('update servers set owner_id = $1', [(await addPerson(pool)).id])
    const poll = createPoller()
    await poll()
    await ageWorlds(31)
    server.info.keywords = `born${secondsAgo(30 * 86_400)}`
    await poll()
    expect(await wipesOf(id)).toHaveLength(1)
    expect(await notices()).toEqual([])
  })

  it('was not wiped before its former world was seen: worlds of many years in a few polls are one wipe', async () => {
    const { id, server } = await listServer('rust', { keywords: `born${secondsAgo(9_000_000)}` })
    const poll = createPoller()
    await poll()
    await ageWorlds(3)
    const [{ seen } = { seen: new Date(0) }] = (
      await pool.query<{ seen: Date }>('select changed_at as seen from server_wipe_signs')
    ).rows
    for (const days of [90, 80, 70, 60]) {
      server.info.keywords = `born${secondsAgo(days * 86_400)}`
      await poll()
    }
    const wipes = await wipesOf(id)
    expect(wipes.map(({ wipedAt }) => wipedAt)).toEqual([seen, expect.any(Date)])
    expect(Date.now() - (wipes[1]?.wipedAt.getTime() ?? 0)).toBeLessThan(60_000)
  })

  it('without that keyword is found by its seed, which is in the rules', async () => {
    const { id, server } = await listServer('rust', {
      map: 'Procedural Map',
      rules: { 'world.seed': '11', 'world.size': '4000' },
    })
    const poll = createPoller()
    await poll(30)
    server.info.rules = { 'world.seed': '12', 'world.size': '4000' }
    await poll(30)
    expect(await wipesOf(id)).toMatchObject([{ kind: 'map', source: 'detected' }])
  })
})

describe('the stored fingerprint', () => {
  const see = (fingerprint: Record<string, WorldFingerprint>, at = new Date()) =>
    inTransaction(pool, (tx) =>
      recordFingerprints(
        tx,
        options,
        Object.entries(fingerprint).map(([serverId, seen]) => ({ serverId, fingerprint: seen })),
        at,
      ),
    )
  const versions = async () => (await pool.query('select xmin, server_id from server_wipe_signs order by 2')).rows
  const list = async (count: number) =>
    directory.list(Array.from({ length: count }, (_, n) => ({ address: `10.9.0.${n + 1}`, port: 7777, game: 'ase' })))

  it('is written only when it changes, and kept when an answer has less', async () => {
    const [a = '', b = ''] = await list(2)
    await see({ [a]: { day: 5, map: 'M' }, [b]: { day: 8 } })
    const before = await versions()
    await see({ [a]: { day: 5, map: 'M' }, [b]: { day: 9 } })
    const after = await versions()
    expect(after.filter((row, index) => row.xmin !== before[index]?.xmin).map((row) => row.server_id)).toEqual([b])
    await see({ [a]: { day: 6 } })
    const { rows } = await pool.query('select day, map from server_wipe_signs where server_id = $1', [a])
    expect(rows).toEqual([{ day: 6, map: 'M' }])
  })

  it('is compared in one statement for a whole batch', async () => {
    const ids = await list(50)
    await see(Object.fromEntries(ids.map((id) => [id, { day: 100 }])))
    let statements = 0
    await inTransaction(pool, async (tx) => {
      const query = tx.query.bind(tx)
      const counting = {
        query(...parameters: Parameters<typeof query>) {
          statements++
          return query(...parameters)
        },
      }
      const sightings = ids.map((serverId, index) => ({ serverId, fingerprint: { day: 100 + (index % 3) } }))
      expect(await recordFingerprints(counting as typeof tx, options, sightings, new Date())).toEqual([])
    })
    expect(statements).toBe(1)
  })

  it('finds each of many wipes in a batch, also in two batches at once', async () => {
    const ids = await list(20)
    await see(Object.fromEntries(ids.map((id) => [id, { day: 100 }])))
    const now = Object.fromEntries(ids.map((id) => [id, { day: 1 }]))
    const reversed = Object.fromEntries(Object.entries(now).reverse())
    const found = await Promise.all([see(now), see(reversed)])
    expect(found.map((wiped) => wiped.length).sort((x, y) => x - y)).toEqual([0, 20])
    const { rows } = await pool.query('select count(*) as wipes from wipes')
    expect(rows).toEqual([{ wipes: 20 }])
  })
})
