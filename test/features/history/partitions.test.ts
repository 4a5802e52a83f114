// Daily partitions of player history: created ahead, one read at a time, dropped when old, and recovered after kills.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  dropOldPartitions,
  ensurePartitions,
  insertSamples,
  runHistoryPartitions,
} from '../../../src/features/history/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'

const { pool, url } = await createTestDatabase()

/** Names of the day tables; detached ones in brackets. */
async function dayTables(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select case when inhrelid is null then '(' || relname || ')' else relname end as name
     from pg_class left join pg_inherits on inhrelid = pg_class.oid
     where relnamespace = 'player_history_days'::regnamespace and relkind = 'r' order by relname`,
  )
  return rows.map((row) => row.name)
}

const sample = (polledAt: Date, serverIds = [randomUUID()]) =>
  insertSamples(pool, { serverIds, polledAt, players: serverIds.map(() => 1), maxPlayers: serverIds.map(() => 8) })

async function dropAll(): Promise<void> {
  for (const name of await dayTables()) await pool.query(`drop table player_history_days.${name.replace(/[()]/g, '')}`)
}

test('a migrated database has the partitions of yesterday to seven days ahead', async () => {
  const { rows } = await pool.query<{ day: string }>(
    `select to_char(now() + n * interval '1 day', '"d"YYYYMMDD') as day from generate_series(-1, 6) as n`,
  )
  // The template may date from just before midnight, so the last of the nine is not checked.
  expect(await dayTables()).toEqual(expect.arrayContaining(rows.map((row) => row.day)))
  await sample(new Date())
})

describe('with partitions of known days', () => {
  const from = new Date('2031-03-30T00:00:00Z')
  beforeEach(async () => {
    await dropAll()
    await ensurePartitions(pool, { from, days: 4 })
  })

  test('days are whole UTC days for any time, and a second request creates nothing', async () => {
    expect(await dayTables()).toEqual(['d20310330', 'd20310331', 'd20310401', 'd20310402'])
    expect(await ensurePartitions(pool, { from, days: 4 })).toEqual([])
    expect(await ensurePartitions(pool, { from: new Date('2031-04-02T23:59:59.999Z'), days: 2 })).toEqual(['d20310403'])
  })

  test('samples on both sides of midnight are stored in their own days', async () => {
    const before = new Date('2031-03-30T23:59:59.999Z')
    await sample(before)
    await sample(new Date(before.getTime() + 1))
    const { rows } = await pool.query(
      'select tableoid::regclass::text as day, polled_at from player_history order by 2',
    )
    expect(rows).toEqual([
      { day: 'player_history_days.d20310330', polled_at: before },
      { day: 'player_history_days.d20310331', polled_at: new Date('2031-03-31T00:00:00Z') },
    ])
  })

  test('a batch of 3,400 rows opens exactly one partition, and the same batch again changes nothing', async () => {
    const serverIds = Array.from({ length: 3_400 }, () => randomUUID())
    const batch = {
      serverIds,
      polledAt: new Date('2031-03-31T12:00:00Z'),
      players: serverIds.map((_, index) => (index % 10 ? index % 64 : null)),
      maxPlayers: serverIds.map(() => 64),
    }
    const opened = await inTransaction(pool, async (tx) => {
      await insertSamples(tx, batch)
      const { rows } = await tx.query<{ relation: string }>(
        `select relname as relation from pg_locks join pg_class on pg_class.oid = relation
         where pid = pg_backend_pid() and relnamespace = 'player_history_days'::regnamespace and relkind = 'r'`,
      )
      return rows.map((row) => row.relation)
    })
    expect(opened).toEqual(['d20310331'])
    await insertSamples(pool, batch)
    const { rows } = await pool.query('select count(*) as rows, count(players) as answered from player_history')
    expect(rows).toEqual([{ rows: 3_400, answered: 3_060 }])
  })

  test('an hour is read from its day by the block range index', async () => {
    await pool.query(
      `insert into player_history select gen_random_uuid(), '2031-03-31'::timestamptz + n * interval '1 second', 1, 8
       from generate_series(1, 86399) as n`,
    )
    await pool.query('vacuum analyze player_history_days.d20310331')
    const { rows } = await pool.query(
      `explain select count(*) from player_history where polled_at >= '2031-03-31 12:00Z' and polled_at < '2031-03-31 13:00Z'`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('d20310331_polled_at_idx')
    expect(plan).not.toMatch(/d20310330|d20310401|d20310402/)
  })

  test('only days that are wholly past the retention are dropped', async () => {
    const drop = (now: string, retentionDays = 2) => dropOldPartitions(pool, { now: new Date(now), retentionDays })
    expect(await drop('2031-04-01T23:59:59.999Z')).toEqual([])
    expect(await drop('2031-04-02T00:00:00Z')).toEqual(['d20310330'])
    expect(await drop('2031-04-02T12:00:00Z')).toEqual([])
    expect(await dayTables()).toEqual(['d20310331', 'd20310401', 'd20310402'])
    expect(await drop('2031-04-09T00:00:00Z', 1)).toEqual(['d20310331', 'd20310401', 'd20310402'])
  })

  test('creating and dropping days does not delay a sample, even while a reader locks the whole history', async () => {
    const reader = await pool.connect()
    try {
      await reader.query('begin')
      await reader.query('select count(*) from player_history')
      const made = ensurePartitions(pool, { from: new Date('2031-04-03T00:00:00Z'), days: 2 })
      const dropped = dropOldPartitions(pool, { now: new Date('2031-04-02T00:00:00Z'), retentionDays: 1 })
      // The drop waits for the reader, and samples are inserted all the same.
      await expect
        .poll(async () => {
          const { rows } = await pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return rows.length
        })
        .toBeGreaterThan(0)
      await sample(new Date('2031-04-01T00:00:00Z'))
      expect(await made).toEqual(['d20310403', 'd20310404'])
      await reader.query('commit')
      expect(await dropped).toEqual(['d20310330', 'd20310331'])
    } finally {
      reader.release(true)
    }
    expect(await dayTables()).toEqual(['d20310401', 'd20310402', 'd20310403', 'd20310404'])
  })

  test('a run killed at any point is completed by the next one', async () => {
    const old = { now: new Date('2031-04-09T00:00:00Z'), retentionDays: 1 }
    // Killed between detaching and dropping.
    await pool.query('alter table player_history detach partition player_history_days.d20310331 concurrently')
    // Killed while a detach waited for a reader: it stays incomplete.
    const reader = await pool.connect()
    await reader.query('begin')
    await reader.query('select count(*) from player_history')
    const victim = new pg.Client({ connectionString: url })
    victim.on('error', () => {})
    await victim.connect()
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
    const detach = victim
      .query('alter table player_history detach partition player_history_days.d20310401 concurrently')
      .catch((error: Error) => error)
    const half = 'select inhrelid::regclass::text as day from pg_inherits where inhdetachpending'
    await expect.poll(async () => (await pool.query(half)).rows).toEqual([{ day: 'player_history_days.d20310401' }])
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    expect(await detach).toBeInstanceOf(Error)
    await victim.end().catch(() => {})
    await reader.query('commit')
    reader.release()
    expect(await dayTables()).toContain('(d20310331)')
    // Samples and future days work despite the incomplete detach.
    await sample(new Date('2031-04-02T00:00:00Z'))
    await ensurePartitions(pool, { from: new Date('2031-04-08T00:00:00Z'), days: 1 })

    expect(await dropOldPartitions(pool, old)).toEqual(['d20310330', 'd20310331', 'd20310401', 'd20310402'])
    expect(await dropOldPartitions(pool, old)).toEqual([])
    expect(await dayTables()).toEqual(['d20310408'])
  })

  test('a detached day table keeps its rows when its day is needed again', async () => {
    await sample(new Date('2031-03-31T12:00:00Z'))
    await pool.query('alter table player_history detach partition player_history_days.d20310331')
    expect(await ensurePartitions(pool, { from, days: 4 })).toEqual(['d20310331'])
    const { rows } = await pool.query('select count(*) as rows from player_history')
    expect(rows).toEqual([{ rows: 1 }])
  })

  test('many processes may create and drop days at once', async () => {
    const later = { from: new Date('2031-04-03T00:00:00Z'), days: 5 }
    const old = { now: new Date('2031-04-03T00:00:00Z'), retentionDays: 1 }
    const five = <T>(work: () => Promise<T[]>) =>
      Promise.all(Array.from({ length: 5 }, work)).then((results) => results.flat().sort())
    const [made, dropped] = await Promise.all([
      five(() => ensurePartitions(pool, later)),
      five(() => dropOldPartitions(pool, old)),
    ])
    expect(made).toEqual(['d20310403', 'd20310404', 'd20310405', 'd20310406', 'd20310407'])
    expect(dropped).toEqual(['d20310330', 'd20310331', 'd20310401'])
    expect(await dayTables()).toEqual(['d20310402', ...made])
  })

  test('the hourly job creates missing days', async () => {
    await dropAll()
    await runHistoryPartitions({ pool, log: testLog, settings: {} as never })
    await sample(new Date())
    expect(await dayTables()).toHaveLength(9)
  })
})
