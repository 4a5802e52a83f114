// How an API process follows the database: it misses no row, in any order of begins and commits.
import pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { readCounters } from '../../../src/features/directory/directory.sql.ts'
import { FEED_TIMING, type FeedTiming } from '../../../src/features/directory/feed/feed.ts'
import { createDirectory, type Directory } from '../../../src/features/directory/index.ts'
import { notifyDirectory } from '../../../src/features/servers/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { RenderedJson } from '../../../src/platform/http/reply-kinds.ts'
import { createTestDatabase, emptyTables, testLog } from '../../support/database.ts'
import { createGateway } from './gateway.ts'
import { insertServer, putStatus, putUptime, putVotes, setDeleted } from './rows-in-database.ts'

const database = await createTestDatabase()
const { pool } = database
/** Reads only on request. */
const BY_HAND: FeedTiming = { ...FEED_TIMING, pollMs: 1e6, coalesceMs: 1e6 }
const opened: Directory[] = []
afterEach(async () => {
  for (const directory of opened.splice(0)) await directory.stop()
})

async function open(timing: FeedTiming, settings: Record<string, string> = {}, clock = Date.now): Promise<Directory> {
  const directory = createDirectory(
    {
      settings: requireProcessSettings(
        readSettings({
          DATABASE_URL: database.url,
          APP_SECRET: 'a secret of the tests, 32 characters and more',
          ...settings,
        }),
      ),
      log: testLog,
      pool,
      clock,
    },
    timing,
  )
  opened.push(directory)
  return directory
}
async function started(timing = BY_HAND, settings: Record<string, string> = {}, clock = Date.now): Promise<Directory> {
  const directory = await open(timing, settings, clock)
  await directory.start()
  return directory
}

/** The process' current answer. */
function get(directory: Directory, path: string, params: Record<string, string> = {}) {
  const operation = directory.operations.find((declared) => declared.path === path)
  const req = { headers: {} } as never
  const rendered = operation?.handle({
    params,
    query: {},
    headers: {},
    body: undefined,
    actor: undefined as never,
    clientKey: '',
    req,
    rawBody: Buffer.alloc(0),
  })
  if (!(rendered instanceof RenderedJson)) throw new Error(`${path} is not rendered`)
  return JSON.parse(rendered.bytes.toString())
}
const detail = (directory: Directory, id: string) => get(directory, '/servers/{id}', { id })
const isListed = (directory: Directory, id: string) => {
  try {
    detail(directory, id)
    return true
  } catch {
    return false
  }
}

async function transaction() {
  const client = await pool.connect()
  await client.query('begin')
  return {
    client,
    async end(how: 'commit' | 'rollback' = 'commit') {
      await client.query(how)
      client.release()
    },
  }
}

it('a transaction that commits after a younger one was read is not missed', async () => {
  const directory = await started()
  const [a, b] = [await transaction(), await transaction()]
  const fromA = await insertServer(a.client, { name: 'A' })
  const fromB = await insertServer(b.client, { name: 'B' })
  await b.end()
  await directory.refresh()
  expect([fromA, fromB].map((id) => isListed(directory, id))).toEqual([false, true])
  await a.end()
  await directory.refresh()
  expect([fromA, fromB].map((id) => isListed(directory, id))).toEqual([true, true])
})

it('a transaction that commits before an older one is read at once, and the older one follows', async () => {
  const directory = await started()
  const [a, b] = [await transaction(), await transaction()]
  const fromB = await insertServer(b.client, { name: 'B' })
  const fromA = await insertServer(a.client, { name: 'A' })
  await a.end()
  await directory.refresh()
  expect([fromA, fromB].map((id) => isListed(directory, id))).toEqual([true, false])
  await b.end()
  await directory.refresh()
  expect([fromA, fromB].map((id) => isListed(directory, id))).toEqual([true, true])
})

it('a transaction open since before the first load is followed through every read, and a rolled back one leaves nothing', async () => {
  const [a, b] = [await transaction(), await transaction()]
  const fromA = await insertServer(a.client)
  const fromB = await insertServer(b.client)
  const directory = await started()
  for (let i = 0; i < 3; i++) {
    const id = await insertServer(pool)
    await directory.refresh()
    expect(isListed(directory, id)).toBe(true)
  }
  await a.end()
  await b.end('rollback')
  await directory.refresh()
  expect([fromA, fromB].map((id) => isListed(directory, id))).toEqual([true, false])
})

it('a server, its status, votes and uptime from different transactions are combined in any order of commits', async () => {
  const directory = await started()
  const id = await insertServer(pool)
  const [status, votes] = [await transaction(), await transaction()]
  await putStatus(status.client, id, { currentPlayers: 12, map: 'TheIsland' })
  await putVotes(votes.client, id, 7)
  await votes.end()
  await directory.refresh()
  expect(detail(directory, id)).toMatchObject({ currentPlayers: 0, totalVotes: 7, map: '' })
  await putUptime(pool, id, 0.9983, null, 1)
  await status.end()
  await directory.refresh()
  expect(detail(directory, id)).toMatchObject({
    currentPlayers: 12,
    totalVotes: 7,
    map: 'TheIsland',
    uptime: { day: 0.9983, week: null, month: 1 },
  })
})

it('a server that leaves and returns has its old status and votes', async () => {
  const directory = await started()
  const id = await insertServer(pool)
  await putStatus(pool, id, { currentPlayers: 12 })
  await putVotes(pool, id, 7)
  await setDeleted(pool, id, true)
  await directory.refresh()
  expect(isListed(directory, id)).toBe(false)
  await setDeleted(pool, id, false)
  await directory.refresh()
  expect(detail(directory, id)).toMatchObject({ currentPlayers: 12, totalVotes: 7 })
})

it('where listing requires verification, a server appears once it is verified and leaves when it is not', async () => {
  const before = await insertServer(pool, { isVerified: false })
  const directory = await started(BY_HAND, { LISTING_REQUIRES_VERIFICATION: 'true' })
  const id = await insertServer(pool, { isVerified: true })
  await putStatus(pool, id, { currentPlayers: 3 })
  await putStatus(pool, before, { currentPlayers: 4 })
  await directory.refresh()
  expect([before, id].map((which) => isListed(directory, which))).toEqual([false, true])
  await pool.query('update servers set is_verified = not is_verified where id = any($1)', [[before, id]])
  await directory.refresh()
  expect([before, id].map((which) => isListed(directory, which))).toEqual([true, false])
  expect(detail(directory, before)).toMatchObject({ currentPlayers: 4 })
})

it('rows of a restored dump, with transaction numbers in the future, are shown, followed, and not read again', async () => {
  const own = await createTestDatabase()
  const id = await insertServer(own.pool, { name: 'Restored' })
  await putVotes(own.pool, id, 5)
  // A restore copies the numbers: it creates triggers after the rows.
  await own.pool.query(`
    set session_replication_role = replica;
    update servers set changed_in = '4000000000'; update server_counters set changed_in = '4000000000';
    set session_replication_role = origin`)
  const directory = createDirectory(
    {
      settings: requireProcessSettings(
        readSettings({ DATABASE_URL: own.url, APP_SECRET: 'a secret of the tests, 32 characters and more' }),
      ),
      log: testLog,
      pool: own.pool,
      clock: Date.now,
    },
    BY_HAND,
  )
  opened.push(directory)
  await directory.start()
  expect(detail(directory, id)).toMatchObject({ name: 'Restored', totalVotes: 5 })
  // A real transaction may get such a number one day, so the number must not identify the row.
  await inTransaction(own.pool, async (tx) => {
    await readCounters(tx, 'all', ({ changedIn }) => expect(changedIn).toBe(0))
  })
  const read = async () => {
    const before = await rowsRead()
    await directory.refresh()
    return (await rowsRead()) - before
  }
  expect(await read()).toBe(0)
  await putVotes(own.pool, id, 6)
  expect(await read()).toBe(1)
  expect(detail(directory, id)).toMatchObject({ totalVotes: 6 })
})

async function rowsRead(): Promise<number> {
  const { rowsRead: counter } = await import('../../../src/features/directory/metrics.ts')
  return (await counter.get()).values[0]?.value ?? 0
}

it('while an old transaction stays open, rows are not read again', async () => {
  const directory = await started()
  const old = await transaction()
  await insertServer(old.client)
  for (let i = 0; i < 20; i++) await putVotes(pool, await insertServer(pool), i)
  await directory.refresh()
  const before = await rowsRead()
  await directory.refresh()
  await putVotes(pool, await insertServer(pool), 3)
  await directory.refresh()
  expect((await rowsRead()) - before).toBe(2)
  await old.end('rollback')
})

it('an emptied and refilled table is loaded again', async () => {
  const own = await createTestDatabase()
  const before = await insertServer(own.pool)
  const directory = await open(BY_HAND, { DATABASE_URL: own.url })
  await directory.start()
  await emptyTables(own.pool, 'servers')
  const after = await insertServer(own.pool)
  await directory.refresh()
  expect([before, after].map((id) => isListed(directory, id))).toEqual([false, true])
})

it('a change with a notification is read without waiting for the next poll', async () => {
  const directory = await started({ ...FEED_TIMING, pollMs: 1e6 })
  const { client, end } = await transaction()
  const id = await insertServer(client)
  await notifyDirectory(client)
  await end()
  await vi.waitFor(() => expect(isListed(directory, id)).toBe(true), { timeout: 10_000, interval: 5 })
})

it('a change without a notification is found by the poll', async () => {
  const directory = await started({ ...FEED_TIMING, pollMs: 50, coalesceMs: 1 })
  const id = await insertServer(pool)
  await vi.waitFor(() => expect(isListed(directory, id)).toBe(true), { timeout: 10_000, interval: 5 })
})

it('many notifications at once cause one read', async () => {
  const directory = await started({ ...FEED_TIMING, pollMs: 1e6 })
  const { refreshSeconds } = await import('../../../src/features/directory/metrics.ts')
  const reads = async () =>
    (await refreshSeconds.get()).values.find(
      ({ metricName, labels }) => metricName?.endsWith('_count') && labels.kind === 'changes',
    )?.value ?? 0
  const before = await reads()
  const startedAt = performance.now()
  let id = ''
  for (let i = 0; i < 200; i++) {
    id = await insertServer(pool)
    await notifyDirectory(pool)
  }
  await vi.waitFor(() => expect(isListed(directory, id)).toBe(true), { timeout: 10_000, interval: 5 })
  const mostReads = 2 + (performance.now() - startedAt) / FEED_TIMING.coalesceMs
  expect((await reads()) - before).toBeLessThanOrEqual(mostReads)
})

it('refresh resolves only when everything committed before the call is shown, also during other reads', async () => {
  const directory = await started({ ...FEED_TIMING, pollMs: 1, coalesceMs: 0 })
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const id = await insertServer(pool)
      await directory.refresh()
      expect(isListed(directory, id)).toBe(true)
    }),
  )
})

it('the age counts from the start of the last successful read, and past the limit nothing is answered', async () => {
  let now = Date.UTC(2026, 10, 20)
  const directory = await open(BY_HAND, { DIRECTORY_MAX_STALENESS_SECONDS: '30' }, () => now)
  const paths = ['/public/servers', '/public/stats', '/servers']
  const unavailable = { status: 503, code: 'unavailable', headers: { 'Retry-After': '5' } }
  expect(directory.ageSeconds()).toBe(Number.POSITIVE_INFINITY)
  for (const path of paths) expect(() => get(directory, path)).toThrow(expect.objectContaining(unavailable))
  await directory.start()
  const id = await insertServer(pool)
  await directory.refresh()
  now += 30_000
  expect(directory.ageSeconds()).toBe(30)
  expect(detail(directory, id)).toMatchObject({ id })
  now += 1
  for (const path of paths) expect(() => get(directory, path)).toThrow(expect.objectContaining(unavailable))
  for (const path of ['/servers/{id}', '/public/servers/{id}'])
    expect(() => get(directory, path, { id })).toThrow(expect.objectContaining(unavailable))
  const reading = directory.refresh()
  now += 10_000
  await reading
  expect(directory.ageSeconds()).toBe(10)
  expect(detail(directory, id)).toMatchObject({ id })
})

it('a new month resets the shown votes while the process runs', async () => {
  let now = Date.UTC(2026, 10, 30, 23, 59, 59, 999)
  const directory = await started(BY_HAND, {}, () => now)
  const id = await insertServer(pool)
  await putVotes(pool, id, 9, 4, '2026-11-01')
  await directory.refresh()
  expect(detail(directory, id)).toMatchObject({ totalVotes: 9, monthlyVotes: 4 })
  now += 1
  expect(detail(directory, id)).toMatchObject({ totalVotes: 9, monthlyVotes: 0 })
  await putVotes(pool, id, 10, 1, '2026-12-01')
  await directory.refresh()
  expect(detail(directory, id)).toMatchObject({ totalVotes: 10, monthlyVotes: 1 })
})

it('a database that is down for a while: the old answers stay meanwhile, then the new ones', async () => {
  const gateway = await createGateway(database.url)
  const directory = await started({ pollMs: 50, coalesceMs: 1, answerMs: 500 }, { DATABASE_URL: gateway.url })
  const before = await insertServer(pool)
  await directory.refresh()

  await gateway.cut()
  await expect(directory.refresh()).rejects.toThrow()
  const meanwhile = await insertServer(pool)
  expect([before, meanwhile].map((id) => isListed(directory, id))).toEqual([true, false])
  await gateway.restore()
  await vi.waitFor(() => expect(isListed(directory, meanwhile)).toBe(true), { timeout: 10_000, interval: 5 })

  // Frozen: connections stay open and new ones are accepted, without answers.
  gateway.freeze()
  await expect(directory.refresh()).rejects.toThrow()
  await expect(directory.refresh()).rejects.toThrow()
  const frozen = await insertServer(pool)
  expect([before, frozen].map((id) => isListed(directory, id))).toEqual([true, false])
  gateway.thaw()
  await vi.waitFor(() => expect(isListed(directory, frozen)).toBe(true), { timeout: 10_000, interval: 5 })

  // The new connection receives notifications.
  await directory.stop()
  await gateway.close()
})

it('a database that is down at the start is waited for', async () => {
  const gateway = await createGateway(database.url)
  await gateway.cut()
  const directory = await open({ ...FEED_TIMING, pollMs: 20 }, { DATABASE_URL: gateway.url })
  const starting = directory.start()
  await expect(directory.refresh()).rejects.toThrow()
  expect(directory.ageSeconds()).toBe(Number.POSITIVE_INFINITY)
  await gateway.restore()
  await starting
  expect(directory.ageSeconds()).toBeLessThan(30)
  await directory.stop()
  await gateway.close()
})

it('a failed read is repeated as a whole: a server it had read keeps its older status', async () => {
  const gateway = await createGateway(database.url)
  const directory = await started(BY_HAND, { DATABASE_URL: gateway.url })
  const id = await insertServer(pool)
  await putStatus(pool, id, { currentPlayers: 12 })
  await setDeleted(pool, id, true)
  await directory.refresh()
  await setDeleted(pool, id, false)
  gateway.cutAfter('server_status')
  await expect(directory.refresh()).rejects.toThrow()
  await gateway.restore()
  await directory.refresh()
  expect(detail(directory, id)).toMatchObject({ currentPlayers: 12 })
  await directory.stop()
  await gateway.close()
})

it('stopping closes its connection, also during a read', async () => {
  const directory = await started()
  const reading = directory.refresh().catch(() => undefined)
  await directory.stop()
  await reading
  await expect(directory.refresh()).rejects.toThrow('stopped')
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      `select count(*)::integer as n from pg_stat_activity where application_name = 'directory feed' and datname = current_database()`,
    )
    expect(rows).toEqual([{ n: 0 }])
  })
})

it('the snapshot of a large directory is read in batches, each row once', async () => {
  const own = await createTestDatabase()
  await own.pool.query(
    `insert into servers (id, game, name, ip_address, game_port, query_port)
     select gen_random_uuid(), 'ase', 'Server ' || n, '198.18.' || n / 256 || '.' || n % 256, 7777, 27015
     from generate_series(1, 5000) n`,
  )
  await own.pool.query(
    'insert into server_status (server_id, is_online, current_players) select id, true, 1 from servers',
  )
  const directory = await open(BY_HAND, { DATABASE_URL: own.url })
  await directory.start()
  expect(get(directory, '/public/stats')).toEqual({
    totalServers: 5000,
    onlineServers: 5000,
    totalPlayers: 5000,
    totalVotes: 0,
  })
  const client = new pg.Client({ connectionString: own.url })
  await client.connect()
  await client.query('update server_status set current_players = 2')
  await client.end()
  await directory.refresh()
  expect(get(directory, '/public/stats')).toMatchObject({ totalPlayers: 10_000 })
})

it('a read makes the directory young again, also by a clock that stands still', async () => {
  const directory = await started(BY_HAND, {}, () => Date.UTC(2026, 10, 20))
  const from = performance.now()
  await expect
    .poll(async () => {
      await directory.refresh()
      return directory.ageSeconds() < (performance.now() - from) / 2000
    })
    .toBe(true)
})

it('the directory gets no younger when the clock is set back', async () => {
  let now = Date.UTC(2026, 10, 20)
  const directory = await started(BY_HAND, {}, () => now)
  now -= 60_000
  expect(directory.ageSeconds()).toBeGreaterThan(0)
})
