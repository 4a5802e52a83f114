// Player history on a real Citus cluster: every statement gives what it gives on one PostgreSQL, nodes may be away,
// and nothing is lost.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { decodeHours } from '../../../src/features/history/hour-bytes.ts'
import {
  addPending,
  deleteOldTotals,
  dropOldHours,
  dropOldPartitions,
  findPeaks,
  findPlayersOfHour,
  findSamples,
  findTotals,
  HISTORY_TABLES,
  insertTotals,
  movePendingSamples,
  packDays,
  readCitus,
  readHoursTo,
  readPendingSeconds,
  readPlayerHistory,
  readUnreadable,
  refreshUptime,
  rollUpDays,
  rollUpHours,
  runHistoryMove,
  sizeOfTable,
} from '../../../src/features/history/index.ts'
import { deleteExpiredPending } from '../../../src/features/history/pending.sql.ts'
import { dropOldDays } from '../../../src/features/history/roll-up.service.ts'
import { insertUnreadable, markUnreadableReported } from '../../../src/features/history/unreadable.sql.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { prepareDatabase } from '../../../src/migrate.ts'
import { MIGRATIONS, migrate } from '../../../src/platform/db/migrate.ts'
import { isOutage } from '../../../src/platform/db/pg-errors.ts'
import { createPool, type Pool } from '../../../src/platform/db/pool.ts'
import { backup, createEmptyDatabase, restore, temporaryFile, withPool } from '../../support/backups.ts'
import { type CitusCluster, findCitus, startCitus } from '../../support/citus.ts'
import { createTestDatabase, emptyTables, testLog } from '../../support/database.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { DAY, forgetHistory, HOUR, MINUTE } from './samples.ts'

const SERVERS = 40
const START = new Date('2031-05-10T00:00:00Z')
const since = (ms: number) => new Date(START.getTime() + ms)
const ALWAYS = Number.POSITIVE_INFINITY
const run = promisify(execFile)

const programs = findCitus()

async function listServers(pool: Pool): Promise<string[]> {
  await emptyTables(pool, 'servers')
  const added = await createServers({ pool }).addMany(
    Array.from({ length: SERVERS }, (_, n) => ({ name: `Server ${n}`, ipAddress: `10.0.0.${n + 1}`, gamePort: 7777 })),
  )
  return added.map((server) => ('id' in server ? server.id : ''))
}

const playersAt = (server: number, hour: number) => ((server + hour) % 7 ? (server * 3 + hour) % 50 : null)

/** Two days and a half of polls, from the first one to the deletion of all of them. @returns what each step left */
async function live(pool: Pool): Promise<unknown[]> {
  await forgetHistory(pool)
  await emptyTables(pool, 'player_history_totals')
  const ids = await listServers(pool)
  const place = (serverId: string) => ids.indexOf(serverId)
  const samples = async () =>
    (await storedSamples(pool, ids)).map(({ serverId, ...sample }) => [place(serverId), sample])
  const chart = (server: number, range: '24h' | '7d' | '30d' | '90d', now: Date) =>
    readPlayerHistory(
      {
        db: pool,
        directory: { lookup: { maxPlayersOf: () => 70 } },
        settings: { POLL_INTERVAL_SECONDS: 60 },
        now: () => now,
      },
      ids[server] ?? '',
      range,
    )
  const left: unknown[] = []
  for (let hour = 0; hour < 60; hour++)
    await addPending(pool, {
      serverIds: ids,
      polledAt: since(hour * HOUR + MINUTE),
      players: ids.map((_, n) => playersAt(n, hour)),
      maxPlayers: ids.map(() => 70),
    })
  left.push(await movePendingSamples(pool), await samples())
  for (const hour of [25, 49, 61]) {
    const now = since(hour * HOUR + 10 * MINUTE)
    left.push(await rollUpHours(pool, now), await rollUpDays(pool, now), await refreshUptime(pool, now))
    left.push(await insertTotals(pool, now), await packDays(pool, { until: ALWAYS }))
  }
  const now = since(61 * HOUR)
  const all = async (sql: string) => (await pool.query<Record<string, unknown>>(sql)).rows
  const sorted = async (sql: string) =>
    (await all(sql)).map((row) => JSON.stringify({ ...row, server_id: place(row.server_id as string) })).sort()
  left.push(await samples(), await readHoursTo(pool))
  left.push(await sorted('select * from player_history_hours'), await sorted('select * from player_history_daily'))
  left.push(
    await all('select * from player_history_totals order by 1, 2, 3'),
    (await findTotals(pool, START, now)).map((row) => JSON.stringify(row)).sort(),
  )
  const { rows: months } = await pool.query<{ server_id: string; hours: Buffer }>('select * from player_history_months')
  left.push(months.map((row) => [place(row.server_id), decodeHours(row.hours)]).sort())
  left.push(await sorted('select server_id, day, week, month from server_uptime'))
  for (const range of ['24h', '7d', '30d', '90d'] as const) left.push(await chart(3, range, now))
  left.push([...(await findPeaks(pool, ids))].length)
  const ofHour = await findPlayersOfHour(pool, { hour: since(50 * HOUR), after: null, limit: SERVERS })
  left.push(ofHour.map(({ serverId, players }) => [place(serverId), players]).sort())

  // Polls of a day that is rolled up and in its month, and bytes that can't be decoded.
  await addPending(pool, {
    serverIds: ids,
    polledAt: since(47 * HOUR),
    players: ids.map(() => 9),
    maxPlayers: ids.map(() => 70),
  })
  left.push(await rollUpHours(pool, now), await rollUpDays(pool, now), await packDays(pool, { until: ALWAYS }))
  await insertUnreadable(pool, [{ serverId: ids[0] ?? '', source: 'open', day: '2031-05-11', bytes: Buffer.from('?') }])
  left.push(
    (await markUnreadableReported(pool)).map(({ source, day }) => [source, day]),
    (await readUnreadable(pool))?.chunks,
  )

  left.push(await dropOldPartitions(pool, { now: since(3 * DAY), retentionDays: 1 }), await samples())
  left.push(await dropOldHours(pool, since(7 * DAY)), await deleteOldTotals(pool, since(60 * DAY)))
  const keep = { hoursKeptDays: 92, daysKeptDays: 92 }
  left.push(
    await dropOldDays(pool, { ...keep, now: since(40 * DAY) }),
    await sorted('select * from player_history_daily'),
  )
  left.push(
    await dropOldDays(pool, { ...keep, now: since(400 * DAY) }),
    await deleteExpiredPending(pool, 24),
    await readPendingSeconds(pool),
  )
  return left
}

/** @returns the texts of all statements that connections of the pool run from now on */
function recordStatements(pool: Pool): Set<string> {
  const texts = new Set<string>()
  const record = (client: pg.ClientBase) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const [statement] = args
      texts.add(typeof statement === 'string' ? statement : (statement as { text: string }).text)
      return query(...args)
    }) as typeof client.query
  }
  pool.on('connect', record)
  const { openSession } = pool
  pool.openSession = async () => {
    const session = await openSession()
    record(session)
    return session
  }
  return texts
}

const command = async (url: string, ...args: string[]) => {
  const main = ['--import', './commands/require-node.mjs', 'commands/distribute/main.ts']
  const env = { ...process.env, DATABASE_URL: url }
  return run(process.execPath, [...main, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
  )
}

describe.skipIf(!programs)('on a Citus cluster', () => {
  let cluster: CitusCluster
  let pool: Pool
  let statements: Set<string>

  beforeAll(async () => {
    cluster = await startCitus(programs ?? '', 2)
    const { url } = cluster.coordinator
    await prepareDatabase({ DATABASE_URL: url }, testLog)
    pool = createPool({ url, max: 6, applicationName: 'test', log: testLog })
    statements = recordStatements(pool)
  })

  afterAll(async () => {
    await pool?.end()
    await cluster?.remove()
  })

  const poll = (ids: string[], at: Date) =>
    addPending(pool, { serverIds: ids, polledAt: at, players: ids.map((_, n) => n), maxPlayers: ids.map(() => 70) })

  /** @returns those of the servers whose node answers */
  async function findReachable(ids: string[]): Promise<string[]> {
    const answers = await Promise.all(
      ids.map((id) =>
        findPeaks(pool, [id]).then(
          () => true,
          () => false,
        ),
      ),
    )
    return ids.filter((_, n) => answers[n])
  }

  const pendingOf = async (ids: string[]) => {
    const { rows } = await pool.query<{ samples: number }>(
      'select count(*) as samples from player_history_pending, unnest(server_ids) as server_id where server_id = any($1::uuid[])',
      [ids],
    )
    return rows[0]?.samples
  }

  const recentOf = async (ids: string[]) => {
    const found = await findSamples(pool, ids, new Date(0), new Date('2087-01-01'))
    return [...found.values()].flat().length
  }

  test('`npm run distribute` distributes all of history, and its way back leaves the same rows', async () => {
    const { url } = cluster.coordinator
    const ids = await listServers(pool)
    for (let hour = 0; hour < 30; hour++) await poll(ids, since(hour * HOUR))
    await rollUpHours(pool, since(31 * HOUR))
    await rollUpDays(pool, since(31 * HOUR))
    const before = await storedSamples(pool)
    expect(before).toHaveLength(30 * SERVERS)
    const steps = [
      ['--plan', [], 'player_history_chunks: '],
      ['', HISTORY_TABLES, 'player_history_chunks: '],
      ['', HISTORY_TABLES, 'nothing to do: player history is distributed'],
      ['--undo', [], 'player_history_chunks: '],
      ['--undo', [], 'nothing to do: player history is not distributed'],
      ['', HISTORY_TABLES, 'player_history_chunks: '],
    ] as const
    for (const [option, distributed, says] of steps) {
      expect(await command(url, ...(option ? [option] : []))).toEqual({
        code: 0,
        output: expect.stringContaining(says),
      })
      expect((await readCitus(pool))?.distributed, option).toEqual([...distributed].sort())
      expect(await storedSamples(pool)).toEqual(before)
    }
    for (const table of HISTORY_TABLES) expect(await sizeOfTable(pool, table, true), table).toBeGreaterThan(0)
  })

  test('every statement gives what it gives on one PostgreSQL', async () => {
    const { pool: one } = await createTestDatabase()
    const distributed = await live(pool)
    for (const [step, left] of (await live(one)).entries()) expect(distributed[step], `step ${step}`).toEqual(left)
  })

  test('a node that is away: live data continues, servers of other nodes have charts, and its return loses nothing', async () => {
    await forgetHistory(pool)
    const ids = await listServers(pool)
    const now = new Date()
    await poll(ids, new Date(now.getTime() - HOUR))
    await movePendingSamples(pool)
    const [, away] = cluster.nodes
    await away?.kill()
    const startedAt = performance.now()
    for (let n = 0; n < 5; n++) await poll(ids, new Date(now.getTime() + n * 1_000))
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await runHistoryMove({ pool, log: testLog })
    const reachable = await findReachable(ids)
    expect(await pendingOf(reachable)).toBe(0)
    expect(await recentOf(reachable)).toBe(6 * reachable.length)
    const read = (id: string) =>
      findPeaks(pool, [id]).then(
        () => 'chart',
        (error: unknown) => isOutage(error) && '503',
      )
    const answers = Map.groupBy(await Promise.all(ids.map(read)), (answer) => answer)
    expect([...answers.keys()].sort()).toEqual(['503', 'chart'])
    expect((await readCitus(pool))?.nodes.map(({ answers }) => answers).sort()).toEqual([false, true])
    expect(await command(cluster.coordinator.url, '--undo')).toMatchObject({
      code: 1,
      output: expect.stringContaining('can’t be reached'),
    })
    await away?.start()
    await runHistoryMove({ pool, log: testLog })
    expect(await storedSamples(pool)).toHaveLength(6 * SERVERS)
  })

  test('a node away for a day: its servers’ polls wait, are examined once, and only those older than a day are lost', async () => {
    await forgetHistory(pool)
    const ids = await listServers(pool)
    const now = new Date()
    const age = (minutes: number) => new Date(now.getTime() - minutes * MINUTE)
    const MINUTES = 26 * 60
    const EXPIRED = 24 * 60
    await cluster.nodes[0]?.kill()
    const examined = { shards: [], to: 0 }
    // The day is simulated: first its older polls, and an hour as it passes.
    for (let minute = MINUTES; minute > 60; minute--) await poll(ids, age(minute))
    await runHistoryMove({ pool, log: testLog }, undefined, examined)
    const reachable = await findReachable(ids)
    const waiting = ids.filter((id) => !reachable.includes(id))
    expect(Math.min(reachable.length, waiting.length)).toBeGreaterThan(0)
    const { rows } = await pool.query<{ last: number }>('select max(id) as last from player_history_pending')
    expect(examined).toEqual({ shards: expect.objectContaining({ length: 4 }), to: rows[0]?.last })
    for (let minute = 60; minute >= 0; minute--) {
      await poll(ids, age(minute))
      if (minute % 20 === 0) await runHistoryMove({ pool, log: testLog }, undefined, examined)
    }
    expect(await pendingOf(reachable)).toBe(0)
    expect(await recentOf(reachable)).toBe((MINUTES + 1) * reachable.length)
    const kept = (await pendingOf(waiting)) ?? 0
    expect(kept).toBeGreaterThanOrEqual(EXPIRED * waiting.length)
    expect(kept).toBeLessThanOrEqual((EXPIRED + 1) * waiting.length)
    await cluster.nodes[0]?.start()
    await runHistoryMove({ pool, log: testLog }, undefined, examined)
    expect(await storedSamples(pool)).toHaveLength((MINUTES + 1) * reachable.length + kept)
  })

  test('no statement of history is left that has not run on the cluster', () => {
    const sources = fs
      .globSync('src/features/history/!(distribution).sql.ts')
      .map((file) => fs.readFileSync(file, 'utf8'))
    const heads = sources.flatMap((source) =>
      [...source.matchAll(/^\s*(?:text: )?[`']\s*((?:select|insert|update|delete|with)\b[^`'$]{20,60})/gm)].map(
        ([, head = '']) => head.trim(),
      ),
    )
    expect(heads.length).toBeGreaterThan(30)
    const missing = heads.filter((head) => ![...statements].some((text) => text.includes(head)))
    expect(missing).toEqual([])
  })

  test('a coordinator or a node killed while polls are moved: each is stored once', async () => {
    await forgetHistory(pool)
    const ids = await listServers(pool)
    let polls = 0
    for (const victim of [cluster.nodes[0], cluster.coordinator, cluster.nodes[1], cluster.coordinator]) {
      for (let n = 0; n < 60; n++, polls += SERVERS) await poll(ids, since(polls * 1_000))
      const moving = movePendingSamples(pool).catch(() => undefined)
      await victim?.kill()
      await moving
      await victim?.start()
      await pool.query('select recover_prepared_transactions()')
      await runHistoryMove({ pool, log: testLog })
      expect(await storedSamples(pool)).toHaveLength(polls)
    }
  })

  test('a backup that is made while polls are moved has each of them once, and is restored to one PostgreSQL', async () => {
    await forgetHistory(pool)
    const ids = await listServers(pool)
    const file = temporaryFile('cluster.backup')
    let polls = 0
    let isDone = false
    const made = backup(file, cluster.coordinator.url).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await poll(ids, since(polls++ * 5_000))
      await movePendingSamples(pool).catch(() => undefined) // it gives up waiting for a backup
    }
    expect(await made).toMatchObject({ code: 0 })
    const copy = await createEmptyDatabase(inject('postgresUrl'))
    expect(await restore(file, copy)).toMatchObject({ code: 0 })
    const restored = await withPool(copy, storedSamples)
    expect(restored.length).toBeGreaterThan(0)
    for (const [, samples] of Map.groupBy(restored, ({ serverId }) => serverId))
      expect(samples.map(({ at }) => at)).toEqual(samples.map((_, n) => since(n * 5_000).getTime() / 1000))
    await movePendingSamples(pool)
    expect(await storedSamples(pool)).toHaveLength(polls * SERVERS)
  })

  test('a third node takes its share while polls continue, and nothing is lost', async () => {
    await forgetHistory(pool)
    const ids = await listServers(pool)
    await poll(ids, since(0))
    await movePendingSamples(pool)
    const third = await cluster.addNode()
    let polls = 1
    let isDone = false
    const moved = pool.query(`select rebalance_table_shards('player_history_recent')`).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await poll(ids, since(polls++ * 5_000))
      await runHistoryMove({ pool, log: testLog })
    }
    await moved
    const { rows } = await pool.query('select from citus_shards where nodeport = $1', [third.port])
    expect(rows.length).toBeGreaterThan(0)
    await movePendingSamples(pool)
    expect(await storedSamples(pool)).toHaveLength(polls * SERVERS)
  })

  test('a later release’s migration of history tables is the same on one PostgreSQL and on a cluster', async () => {
    const { pool: one, url } = await createTestDatabase()
    const folder = temporaryFile('migrations')
    fs.cpSync(MIGRATIONS, folder, { recursive: true })
    const migrations = {
      '9000_column': `alter table player_history_recent add column note text not null default 'none'`,
      '9001_column_of_partitions': 'alter table player_history_chunks add column note text',
      '9002_default': 'alter table player_history_daily alter column polls set default 0',
      '9003_index': 'create index player_history_daily_by_day on player_history_daily (day) where polls > 0',
      '9004_index':
        '-- no-transaction\ncreate index concurrently history_by_server on player_history_hours (server_id)',
      '9005_undone': 'alter table player_history_chunks drop column note',
    }
    for (const [name, sql] of Object.entries(migrations)) {
      fs.mkdirSync(`${folder}/${name}`)
      fs.writeFileSync(`${folder}/${name}/migration.sql`, sql)
    }
    const stored = await storedSamples(pool)
    expect(stored.length).toBeGreaterThan(0)
    for (const database of [url, cluster.coordinator.url])
      expect(await migrate({ url: database, log: testLog, folder })).toEqual(Object.keys(migrations))
    const schema = async (db: Pool) => {
      const columns = await db.query(
        `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
         where table_name = any($1) order by 1, 2`,
        [HISTORY_TABLES],
      )
      const indexes = await db.query('select indexdef from pg_indexes where tablename = any($1) order by 1', [
        HISTORY_TABLES,
      ])
      return [columns.rows, indexes.rows]
    }
    expect(await schema(pool)).toEqual(await schema(one))
    expect(await storedSamples(pool)).toEqual(stored)
    const { rows } = await pool.query(
      `select distinct result from run_command_on_shards('player_history_recent', $$select min(note) from %s having count(*) > 0$$)
       where result <> ''`,
    )
    expect(rows).toEqual([{ result: 'none' }])
    // The next test restores into this database, whose backup has the columns of this release.
    await pool.query('alter table player_history_recent drop column note')
    await pool.query(`delete from _prisma_migrations where migration_name like '9%'`)
  })

  test('a backup replaces the content of a distributed database, which is distributed again afterwards', async () => {
    const { url } = cluster.coordinator
    const before = await storedSamples(pool)
    const file = temporaryFile('cluster.backup')
    expect(await backup(file, url)).toMatchObject({ code: 0 })
    await forgetHistory(pool)
    await pool.end()
    expect(await restore(file, url, '--replace')).toMatchObject({ code: 0 })
    pool = createPool({ url, max: 6, applicationName: 'test', log: testLog })
    expect((await readCitus(pool))?.distributed).toEqual([])
    expect(await storedSamples(pool)).toEqual(before)
    expect(await command(url)).toMatchObject({ code: 0 })
    expect((await readCitus(pool))?.distributed).toEqual([...HISTORY_TABLES].sort())
    expect(await storedSamples(pool)).toEqual(before)
  })
})
