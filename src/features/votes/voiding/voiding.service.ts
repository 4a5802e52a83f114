// The job that voids and restores votes: in batches of one server, each in a transaction that leaves the server's
// counters, months, score and streaks as if the batch's votes had never been, or had never been voided
// (docs/decisions/0075).
import type { Deps } from '../../../deps.ts'
import { type Db, inTransaction } from '../../../platform/db/pool.ts'
import { limitStatements } from '../../../platform/db/statement-timeout.ts'
import type { JobQueue } from '../../../platform/queue/jobs.ts'
import { notify } from '../../notifications/index.ts'
import { rankVoteMonths } from '../upkeep.service.ts'
import {
  addBatchToCounters,
  addToVoiding,
  type BatchCounts,
  findNextSelected,
  findNextVoided,
  findVoidedOfServer,
  lockCounters,
  lockVoidingState,
  recountRestored,
  recountVoided,
  restoreBatch,
  saveVoidingState,
  type VoidingState,
  voidBatch,
} from './batches.sql.ts'

/** Votes of one transaction: votes for its server wait for less than that takes. */
const BATCH = 5_000

export interface VoidingOptions {
  limit?: number
  /** Replaces the database's clock. */
  now?: Date
}

/**
 * Voids or restores all votes of a voiding, from where it was interrupted. Any number of workers may do so at once.
 * @param signal when it is aborted, another worker continues
 */
export async function runVoteVoiding(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log'>,
  { voidingId }: { voidingId: string },
  signal?: AbortSignal,
  options: VoidingOptions = {},
): Promise<void> {
  const { pool, jobs, log } = deps
  for (let isOver = false; !isOver; ) {
    signal?.throwIfAborted()
    isOver = await inTransaction(pool, (tx) => runStep(tx, jobs, voidingId, options))
  }
  await rankVoteMonths(pool, options.now)
  log.info({ voidingId }, 'votes voided or restored')
}

/** One step of a voiding, behind the lock on its row. @returns whether it is over */
async function runStep(tx: Db, jobs: JobQueue, voidingId: string, options: VoidingOptions): Promise<boolean> {
  await limitStatements(tx)
  const state = await lockVoidingState(tx, voidingId)
  if (state?.status === 'voiding') return voidNext(tx, jobs, state, options)
  if (state?.status === 'restoring') return restoreNext(tx, jobs, state, options)
  return true
}

async function voidNext(tx: Db, jobs: JobQueue, state: VoidingState, { limit = BATCH }: VoidingOptions) {
  const { id, selection, afterServer, afterNumber } = state
  const until = untilOf(state)
  let serverId = afterServer
  if (afterNumber === 0) {
    const next = await findNextSelected(tx, selection, { until, after: afterServer })
    if (next.last === null) return finish(tx, state, 'voided')
    serverId = next.serverId
    if (serverId === null) return proceed(tx, state, next.last, 0)
  }
  if (serverId === null) throw new Error('a voiding has a vote but no server')
  const batch = await voidBatch(tx, state, { serverId, until, after: afterNumber, limit })
  if (batch?.last) {
    await takeFromCounters(tx, serverId, batch)
    await addToVoiding(tx, { id, serverId, votes: batch.votes, restored: 0 })
  }
  return batch?.votes === limit
    ? proceed(tx, state, serverId, batch.last ?? 0)
    : finishServer(tx, jobs, state, serverId)
}

async function takeFromCounters(tx: Db, serverId: string, batch: BatchCounts) {
  await lockCounters(tx, serverId)
  await addBatchToCounters(tx, serverId, batch, -1)
  await recountVoided(tx, serverId, batch)
}

async function restoreNext(tx: Db, jobs: JobQueue, state: VoidingState, { limit = BATCH, now }: VoidingOptions) {
  const { id, afterServer, afterNumber } = state
  const serverId = afterNumber > 0 ? afterServer : await findNextVoided(tx, id, afterServer)
  if (serverId === null) return finish(tx, state, 'restored')
  const batch = await restoreBatch(tx, id, { serverId, after: afterNumber, limit })
  if (batch?.last) {
    await lockCounters(tx, serverId)
    await addBatchToCounters(tx, serverId, batch, 1)
    await recountRestored(tx, { serverId, now }, batch)
    await addToVoiding(tx, { id, serverId, votes: 0, restored: batch.votes })
  }
  return batch?.votes === limit
    ? proceed(tx, state, serverId, batch.last ?? 0)
    : finishServer(tx, jobs, state, serverId)
}

/** No vote that came after the administrator's decision is voided. */
const untilOf = ({ selection: { until }, createdAt }: VoidingState) =>
  until === undefined ? createdAt : new Date(Math.min(Date.parse(until), createdAt.getTime()))

/** @param afterNumber 0: the server is done. @returns whether the voiding is over */
async function proceed(tx: Db, state: VoidingState, afterServer: string, afterNumber: number) {
  await saveVoidingState(tx, { ...state, afterServer, afterNumber })
  return false
}

/** Notifies the owner, once for all batches of the server. */
async function finishServer(tx: Db, jobs: JobQueue, state: VoidingState, serverId: string) {
  const effect = await findVoidedOfServer(tx, state.id, serverId)
  if (effect?.ownerId) {
    const isVoided = state.status === 'voiding'
    const data = { votes: isVoided ? effect.votes : effect.restored, reason: state.reason, voidingId: state.id }
    const event = isVoided ? ('votesVoided' as const) : ('votesRestored' as const)
    await jobs.enqueue(tx, notify, [{ event, at: new Date().toISOString(), serverId, userId: effect.ownerId, data }])
  }
  return proceed(tx, state, serverId, 0)
}

async function finish(tx: Db, state: VoidingState, status: 'voided' | 'restored') {
  await saveVoidingState(tx, { ...state, status, afterServer: null, afterNumber: 0 })
  return true
}
