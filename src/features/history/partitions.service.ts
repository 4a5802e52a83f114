// Creates and drops the daily partitions of player_history_chunks, without blocking readers and writers.
import { isLockTimeout } from '../../platform/db/pg-errors.ts'
import { inTransaction, type Pool, type Sql } from '../../platform/db/pool.ts'
import { retryOn } from '../../platform/retry.ts'
import { findDistributed } from './distribution.sql.ts'
import {
  attachDayTable,
  createDayTable,
  detach,
  detachConcurrently,
  dropDayTable,
  finalizeDetach,
  findMissingDays,
  findOldPartitions,
  type PartitionState,
} from './partitions.sql.ts'

/**
 * Advisory lock numbers, arbitrary but unique. Two of them, because a drop may wait long for a reader and creating
 * partitions must not wait for it.
 */
const MAKING_LOCK = 727_073_691
const DROPPING_LOCK = 727_073_693
/** A statement that waits longer than this for a lock fails and is retried. */
const LOCK_TIMEOUT_MS = 2_000
const TRIES = 15

/**
 * Creates the missing partitions of these UTC days (`20261121`). Safe to run concurrently.
 * @returns days whose partition this call created
 */
export async function ensurePartitions(pool: Pool, days: string[]): Promise<string[]> {
  // Most runs find nothing to do and take no lock.
  if (!(await findMissingDays(pool, days)).length) return []
  return retryLockTimeouts(() =>
    inTransaction(pool, async (tx) => {
      await setLockTimeout(tx, 'transaction')
      await tx.query('select pg_advisory_xact_lock($1)', [MAKING_LOCK])
      return createPartitions(tx, days)
    }),
  )
}

/** Creates the missing partitions of these UTC days in the transaction that `db` is in. A restore uses it, too. */
export async function createPartitions(db: Sql, days: string[]): Promise<string[]> {
  const missing = await findMissingDays(db, days)
  for (const day of missing) {
    await createDayTable(db, day)
    await attachDayTable(db, day)
  }
  return missing
}

/**
 * Drops the partitions of UTC days that ended `retentionDays` ago or earlier. Each step works on what it finds,
 * so the next run completes one that was killed.
 * @returns names of the tables that this call dropped
 */
export async function dropOldPartitions(
  pool: Pool,
  { retentionDays, now }: { retentionDays: number; now: Date },
): Promise<string[]> {
  const dropped: string[] = []
  await retryLockTimeouts(async () => {
    const session = await pool.openSession()
    try {
      await setLockTimeout(session, 'session')
      await session.query('select pg_advisory_lock($1)', [DROPPING_LOCK])
      const isDistributed = (await findDistributed(session)).includes('player_history_chunks')
      const old = await findOldPartitions(session, now, retentionDays)
      // PostgreSQL allows one unfinished detach at a time, so an earlier one is completed first.
      for (const partition of old.sort((a, b) => Number(b.detaching) - Number(a.detaching))) {
        await dropPartition(session, partition, isDistributed)
        dropped.push(partition.table)
      }
    } finally {
      await session.end() // releases the advisory lock, too
    }
  })
  return dropped.sort()
}

/**
 * Detaches, then drops: dropping an attached partition would wait for its readers with a lock on all of the history,
 * which blocks every reader. Citus can't detach concurrently; there a reader waits for as long as the lock timeout.
 */
async function dropPartition(
  db: Sql,
  { table, attached, detaching }: PartitionState,
  isDistributed: boolean,
): Promise<void> {
  if (detaching) await finalizeDetach(db, table)
  else if (attached) await (isDistributed ? detach : detachConcurrently)(db, table)
  await dropDayTable(db, table)
}

async function setLockTimeout(db: Sql, until: 'transaction' | 'session'): Promise<void> {
  await db.query(`select set_config('lock_timeout', $1, $2)`, [`${LOCK_TIMEOUT_MS}ms`, until === 'transaction'])
}

const retryLockTimeouts = <T>(work: () => Promise<T>): Promise<T> =>
  retryOn(isLockTimeout, work, { tries: TRIES, pauseMs: (attempt) => 50 * attempt })
