// Moves samples from the outbox to the recent ones of their servers, apart from the polls that took them, so that live
// data never waits for history (docs/decisions/0052).
import { Counter, Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { findUnreachableShards } from './distribution.sql.ts'
import {
  appendPending,
  appendPendingOutsideShards,
  deleteExpiredPending,
  deletePending,
  findNewestBatchOlderThanAMinute,
  findPending,
  keepPendingOfShards,
  readPendingSeconds,
} from './pending.sql.ts'
import { lockRollUps } from './roll-up.sql.ts'

/** 10,000 samples in full batches: short transactions, so that the change feed's cursor advances between them. */
const BATCHES_A_TRANSACTION = 50
/**
 * Bounds the outbox while history can't be written: 24 bytes a sample, 3.5 GB for 100,000 servers at a poll a minute.
 */
const MAX_PENDING_HOURS = 24

const pendingSeconds = new Gauge({
  name: 'directory_history_pending_seconds',
  help: 'How long the oldest poll waited to be written to player history, when this process last looked',
})

const droppedTotal = new Counter({
  name: 'directory_history_dropped_samples_total',
  help: 'Polls that this process deleted unwritten, because player history could not be written for a day',
})

/**
 * Moves the samples that are pending now. Samples are deleted and appended in one transaction, so each is in one table
 * at any time.
 * @param signal ends it after the current transaction
 * @returns number of samples that this call moved
 */
export async function movePendingSamples(pool: Pool, signal?: AbortSignal): Promise<number> {
  for (let moved = 0; ; ) {
    const ids = await findPending(pool, BATCHES_A_TRANSACTION)
    if (!ids.length || signal?.aborted) return moved
    moved += await inTransaction(pool, async (tx) => {
      await limitWaits(tx)
      // Another process may have moved them until here; then both statements find nothing.
      await lockRollUps(tx)
      await appendPending(tx, ids)
      return deletePending(tx, ids)
    })
    // Batches that polls add during this call wait for the next one, which moves many at once.
    if (ids.length < BATCHES_A_TRANSACTION) return moved
  }
}

/** Which batches have been examined while nodes of a distributed database can't be reached. */
export interface ExaminedBatches {
  /** Shards of those nodes. */
  shards: number[]
  /** Up to this one, batches hold only samples of servers in those shards. */
  to: number
}

/**
 * Moves the samples of servers whose node answers, while others can't be reached. The rest stays in its batches.
 * @param examined kept from one call to the next, so that a batch is examined once and not every ten seconds
 * @returns number of samples that this call moved
 */
async function moveReachable(pool: Pool, examined: ExaminedBatches, signal?: AbortSignal): Promise<number> {
  const shards = await inTransaction(pool, async (tx) => {
    await limitWaits(tx)
    return findUnreachableShards(tx)
  })
  if (!shards.length) return 0
  if (shards.join() !== examined.shards.join()) Object.assign(examined, { shards, to: 0 })
  const newestOldEnough = await findNewestBatchOlderThanAMinute(pool)
  let moved = 0
  for (let last = examined.to; ; ) {
    const ids = await findPending(pool, BATCHES_A_TRANSACTION, last)
    if (!ids.length || signal?.aborted) break
    moved += await inTransaction(pool, async (tx) => {
      await limitWaits(tx)
      await lockRollUps(tx)
      await appendPendingOutsideShards(tx, ids, shards)
      return keepPendingOfShards(tx, ids, shards)
    })
    last = ids.at(-1) ?? last
    examined.to = Math.max(examined.to, Math.min(last, newestOldEnough))
    if (ids.length < BATCHES_A_TRANSACTION) break
  }
  return moved
}

/**
 * A table that is locked, or a node that does not answer, must not keep a transaction open. Without Citus the last is
 * ignored.
 */
const limitWaits = (tx: Db) =>
  tx.query(
    `set local lock_timeout = '5s'; set local statement_timeout = '20s'; set local citus.node_connection_timeout = '5s'`,
  )

/**
 * One round of a worker: moves what is pending; while nodes can't be reached, what the others take. Deletes only what
 * history did not accept for a day.
 */
export async function runHistoryMove(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  signal?: AbortSignal,
  examined: ExaminedBatches = { shards: [], to: 0 },
): Promise<void> {
  try {
    await movePendingSamples(pool, signal)
  } catch (err) {
    log.warn({ err }, 'player history can’t be written: polls wait in player_history_pending')
    await moveReachable(pool, examined, signal).catch((err: unknown) =>
      log.warn({ err }, 'polls of servers on other nodes can’t be moved either'),
    )
    const dropped = await deleteExpiredPending(pool, MAX_PENDING_HOURS)
    droppedTotal.inc(dropped)
    if (dropped) log.error({ dropped }, 'polls deleted: player history could not be written for a day')
  }
  pendingSeconds.set(await readPendingSeconds(pool))
}
