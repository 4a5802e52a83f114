// Gives each test file its own database, cloned from the migrated template.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { retryDeadlocks } from '../../src/platform/db/deadlock.ts'
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { atFileEnd } from './at-file-end.ts'
import { TEMPLATE } from './global-setup.ts'

export const testLog = createLog('test', process.env.TEST_LOG_LEVEL ?? 'silent')

export interface TestDatabase {
  url: string
  pool: Pool
}

/** Clones the template; drops the database after the file's tests. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await runStatement(serverUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  const pool = createPool({ url, max: 10, applicationName: 'test', log: testLog })
  pool.options.connectionTimeoutMillis = 60_000 // a busy machine is slow, not down
  await adoptInstallation(pool) // a clone counts as a restored copy
  atFileEnd(async () => {
    if (!pool.ended) await pool.end()
    await runStatement(serverUrl, `drop database ${name} with (force)`)
  })
  return { url, pool }
}

/**
 * Deletes all rows of these tables and of the tables that refer to them. It may deadlock with an API that
 * reads several of them.
 */
export const emptyTables = (pool: Pool, ...tables: readonly string[]): Promise<unknown> =>
  retryDeadlocks(() => pool.query(`truncate ${tables.join(', ')} cascade`))

/** How many statements of this database wait for a lock. */
export async function countLockWaits(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}

/**
 * Holds a lock until the time limit of the pool's statements has passed since `work` waits for it.
 * @param lock for example `table votes in access exclusive mode`
 * @param work gets a pool with a short limit
 */
export async function waitBeyondLimit<T>(
  { url, pool }: TestDatabase,
  lock: string,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  const impatient = createPool({ url, max: 10, applicationName: 'test', log: testLog, answerMs: 200 })
  const blocker = await pool.connect()
  try {
    await blocker.query(`begin; lock ${lock}`)
    const working = work(impatient)
    working.catch(() => undefined) // until it is awaited
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await expect(impatient.query('select pg_sleep(60)')).rejects.toThrow('Query read timeout')
    await blocker.query('rollback')
    return await working
  } finally {
    blocker.release()
    await impatient.end()
  }
}

/** Runs one statement on a connection of its own. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
