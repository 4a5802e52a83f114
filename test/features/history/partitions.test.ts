// Daily partitions of chunks: created when a day ends, dropped when old, and recovered after kills.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { dropOldPartitions } from '../../../src/features/history/index.ts'
import { ensurePartitions } from '../../../src/features/history/partitions.service.ts'
import { countLockWaits, createTestDatabase } from '../../support/database.ts'

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

const store = (day: string) => pool.query(`insert into player_history_chunks values ($1, $2, '')`, [randomUUID(), day])
const DAYS = ['20310330', '20310331', '20310401', '20310402']

beforeEach(async () => {
  for (const name of await dayTables()) await pool.query(`drop table player_history_days.${name.replace(/[()]/g, '')}`)
  await ensurePartitions(pool, DAYS)
})

test('days that are missing are created, each once', async () => {
  expect(await dayTables()).toEqual(DAYS.map((day) => `c${day}`))
  expect(await ensurePartitions(pool, DAYS)).toEqual([])
  expect(await ensurePartitions(pool, ['20310402', '20310403'])).toEqual(['20310403'])
  await store('2031-04-02')
  await store('2031-04-03')
  const { rows } = await pool.query('select tableoid::regclass::text as day from player_history_chunks order by day')
  expect(rows).toEqual([{ day: 'player_history_days.c20310402' }, { day: 'player_history_days.c20310403' }])
})

test('only days that are wholly past the retention are dropped', async () => {
  const drop = (now: string, retentionDays = 2) => dropOldPartitions(pool, { now: new Date(now), retentionDays })
  expect(await drop('2031-04-01T23:59:59.999Z')).toEqual([])
  expect(await drop('2031-04-02T00:00:00Z')).toEqual(['c20310330'])
  expect(await drop('2031-04-02T12:00:00Z')).toEqual([])
  expect(await dayTables()).toEqual(['c20310331', 'c20310401', 'c20310402'])
  expect(await drop('2031-04-09T00:00:00Z', 1)).toEqual(['c20310331', 'c20310401', 'c20310402'])
})

describe('while a reader locks the whole history', () => {
  test('creating and dropping days does not delay a writer', async () => {
    const reader = await pool.connect()
    try {
      await reader.query('begin')
      await reader.query('select count(*) from player_history_chunks')
      const made = ensurePartitions(pool, ['20310403', '20310404'])
      const dropped = dropOldPartitions(pool, { now: new Date('2031-04-02T00:00:00Z'), retentionDays: 1 })
      // The drop waits for the reader, and chunks are inserted all the same.
      await expect.poll(() => countLockWaits(pool)).toBeGreaterThan(0)
      await store('2031-04-01')
      expect(await made).toEqual(['20310403', '20310404'])
      await reader.query('commit')
      expect(await dropped).toEqual(['c20310330', 'c20310331'])
    } finally {
      reader.release(true)
    }
    expect(await dayTables()).toEqual(['c20310401', 'c20310402', 'c20310403', 'c20310404'])
  })

  test('a drop killed at any point is completed by the next one', async () => {
    const old = { now: new Date('2031-04-09T00:00:00Z'), retentionDays: 1 }
    // Killed between detaching and dropping.
    await pool.query('alter table player_history_chunks detach partition player_history_days.c20310331 concurrently')
    // Killed while a detach waited for a reader: it stays incomplete.
    const reader = await pool.connect()
    await reader.query('begin')
    await reader.query('select count(*) from player_history_chunks')
    const victim = new pg.Client({ connectionString: url })
    victim.on('error', () => {})
    await victim.connect()
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
    const detach = victim
      .query('alter table player_history_chunks detach partition player_history_days.c20310401 concurrently')
      .catch((error: Error) => error)
    const half = 'select inhrelid::regclass::text as day from pg_inherits where inhdetachpending'
    await expect.poll(async () => (await pool.query(half)).rows).toEqual([{ day: 'player_history_days.c20310401' }])
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    expect(await detach).toBeInstanceOf(Error)
    await victim.end().catch(() => {})
    await reader.query('commit')
    reader.release()
    expect(await dayTables()).toContain('(c20310331)')
    // Chunks and further days work despite the incomplete detach.
    await store('2031-04-02')
    await ensurePartitions(pool, ['20310408'])

    expect(await dropOldPartitions(pool, old)).toEqual(['c20310330', 'c20310331', 'c20310401', 'c20310402'])
    expect(await dropOldPartitions(pool, old)).toEqual([])
    expect(await dayTables()).toEqual(['c20310408'])
  })
})

test('many processes may create and drop days at once', async () => {
  const later = ['20310403', '20310404', '20310405', '20310406', '20310407']
  const old = { now: new Date('2031-04-03T00:00:00Z'), retentionDays: 1 }
  const five = (work: () => Promise<string[]>) =>
    Promise.all(Array.from({ length: 5 }, work)).then((results) => results.flat().sort())
  const [made, dropped] = await Promise.all([
    five(() => ensurePartitions(pool, later)),
    five(() => dropOldPartitions(pool, old)),
  ])
  expect(made).toEqual(later)
  expect(dropped).toEqual(['c20310330', 'c20310331', 'c20310401'])
  expect(await dayTables()).toEqual(['c20310402', ...later.map((day) => `c${day}`)])
})
