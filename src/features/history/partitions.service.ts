// Creates the partitions of the next days and drops old ones, without blocking polls.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inTransaction, type Pool, type Sql } from '../../platform/db/pool.ts'
import {
  attachDayTable,
  createDayIndex,
  createDayTable,
  type Day,
  detachConcurrently,
  dropDayTable,
  finalizeDetach,
  findMissingDays,
  findOldPartitions,
  type PartitionState,
} from './partitions.sql.ts'

/** Yesterday, for a sample from a worker whose clock is slightly slow after midnight; today; and a week ahead. */
const DAYS = 9
/**
 * Advisory lock numbers, arbitrary but unique. Two of them, because a drop may wait long for a reader and creating
 * partitions must not wait for it.
 */
const MAKING_LOCK = 727_073_691
const DROPPING_LOCK = 727_073_693
/** A statement that waits longer than this for a lock fails and is retried. */
const LOCK_TIMEOUT_MS = 2_000
const TRIES = 15
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Creates the missing partitions of `days` UTC days, starting with the day of `from`. Safe to run concurrently.
 * @param range default: yesterday to seven days ahead, by the database's clock
 * @returns names of the tables that this call created
 */
export async function ensurePartitions(pool: Pool, range: { from?: Date; days?: number } = {}): Promise<string[]> {
  const { from = null, days = DAYS } = range
  // Most runs find nothing to do and take no lock.
  if (!(await findMissingDays(pool, from, days)).length) return []
  return patiently(() =>
    inTransaction(pool, async (tx) => {
      await setLockTimeout(tx, 'transaction')
      await tx.query('select pg_advisory_xact_lock($1)', [MAKING_LOCK])
      const missing = await findMissingDays(tx, from, days)
      for (const day of missing) await createPartition(tx, day)
      return missing.map((day) => day.table)
    }),
  )
}

/** Makes the partitions of these UTC days (`20261121`) in the transaction that `db` is in: for a restore. */
export async function createPartitions(db: Sql, days: string[]): Promise<void> {
  for (const day of days) {
    const from = new Date(day.replace(/^(....)(..)(..)$/, '$1-$2-$3'))
    for (const missing of await findMissingDays(db, from, 1)) await createPartition(db, missing)
  }
}

async function createPartition(db: Sql, day: Day): Promise<void> {
  await createDayTable(db, day)
  await createDayIndex(db, day)
  await attachDayTable(db, day)
}

/** @returns names of the days, from yesterday to a week ahead, without a partition */
export const findMissingPartitions = async (pool: Pool): Promise<string[]> =>
  (await findMissingDays(pool, null, DAYS)).map(({ table }) => table)

/**
 * Drops the partitions of UTC days that ended `retentionDays` ago or earlier. Each step works on what it finds,
 * so the next run completes one that was killed.
 * @param options.now default: the database's clock
 * @returns names of the tables that this call dropped
 */
export async function dropOldPartitions(pool: Pool, options: { retentionDays: number; now?: Date }): Promise<string[]> {
  const { retentionDays, now = null } = options
  const dropped: string[] = []
  await patiently(async () => {
    const session = await pool.openSession()
    try {
      await setLockTimeout(session, 'session')
      await session.query('select pg_advisory_lock($1)', [DROPPING_LOCK])
      const old = await findOldPartitions(session, now, retentionDays)
      // PostgreSQL allows one unfinished detach at a time, so an earlier one is completed first.
      for (const partition of old.sort((a, b) => Number(b.detaching) - Number(a.detaching))) {
        await dropPartition(session, partition)
        dropped.push(partition.table)
      }
    } finally {
      await session.end() // releases the advisory lock, too
    }
  })
  return dropped.sort()
}

/**
 * Detaches, then drops: dropping an attached partition would wait for its readers with a lock on all of player_history,
 * which blocks every insert.
 */
async function dropPartition(db: Sql, { table, attached, detaching }: PartitionState): Promise<void> {
  if (detaching) await finalizeDetach(db, table)
  else if (attached) await detachConcurrently(db, table)
  await dropDayTable(db, table)
}

async function setLockTimeout(db: Sql, until: 'transaction' | 'session'): Promise<void> {
  await db.query(`select set_config('lock_timeout', $1, $2)`, [`${LOCK_TIMEOUT_MS}ms`, until === 'transaction'])
}

/** Retries `work` after lock timeouts. @throws the last error */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if ((error as pg.DatabaseError).code !== LOCK_NOT_AVAILABLE || attempt >= TRIES) throw error
      await sleep(50 * attempt)
    }
  }
}
