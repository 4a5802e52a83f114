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
  let outcome: StepOutcome
  do {
    signal?.throwIfAborted()
    outcome = await inTransaction(pool, (tx) => runStep(tx, jobs, voidingId, options))
  } while (outcome === 'more')
  await rankVoteMonths(pool, options.now)
  log.info({ voidingId }, 'votes voided or restored')
}

/** Whether further steps follow, or the voiding is over. */
type StepOutcome = 'more' | 'over'

/** One step of a voiding, behind the lock on its row. */
async function runStep(tx: Db, jobs: JobQueue, voidingId: string, options: VoidingOptions): Promise<StepOutcome> {
  await limitStatements(tx)
  const state = await lockVoidingState(tx, voidingId)
  if (state?.status === 'voiding') return voidNext(tx, jobs, state, options)
  if (state?.status === 'restoring') return restoreNext(tx, jobs, state, options)
  return 'over'
}

async function voidNext(
  tx: Db,
  jobs: JobQueue,
  state: VoidingState,
  { limit = BATCH }: VoidingOptions,
): Promise<StepOutcome> {
  const { id, selection, afterServer, afterNumber } = state
  const until = untilOf(state)
  let serverId = unfinishedServer(state)
  if (serverId === null) {
    const next = await findNextSelected(tx, selection, { until, after: afterServer })
    if (next.examinedTo === null) return finish(tx, state, 'voided')
    if (next.serverId === null) return saveServerDone(tx, state, next.examinedTo)
    serverId = next.serverId
  }
  const batch = await voidBatch(tx, state, { serverId, until, after: afterNumber, limit })
  if (batch.votes > 0) {
    await lockCounters(tx, serverId)
    await addBatchToCounters(tx, serverId, batch, -1)
    await recountVoided(tx, serverId, batch)
    await addToVoiding(tx, { id, serverId, votes: batch.votes, restored: 0 })
  }
  return batch.votes === limit ? saveBatch(tx, state, serverId, batch) : finishServer(tx, jobs, state, serverId)
}

async function restoreNext(
  tx: Db,
  jobs: JobQueue,
  state: VoidingState,
  { limit = BATCH, now }: VoidingOptions,
): Promise<StepOutcome> {
  const { id, afterServer, afterNumber } = state
  const serverId = unfinishedServer(state) ?? (await findNextVoided(tx, id, afterServer))
  if (serverId === null) return finish(tx, state, 'restored')
  const batch = await restoreBatch(tx, id, { serverId, after: afterNumber, limit })
  if (batch.votes > 0) {
    await lockCounters(tx, serverId)
    await addBatchToCounters(tx, serverId, batch, 1)
    await recountRestored(tx, { serverId, now }, batch)
    await addToVoiding(tx, { id, serverId, votes: 0, restored: batch.votes })
  }
  return batch.votes === limit ? saveBatch(tx, state, serverId, batch) : finishServer(tx, jobs, state, serverId)
}

/** The server of the last batch, if it may have more votes; null: the next server begins. */
const unfinishedServer = ({ afterServer, afterNumber }: VoidingState): string | null =>
  afterNumber > 0 ? afterServer : null

/** No vote that came after the administrator's decision is voided. */
const untilOf = ({ selection: { until }, createdAt }: VoidingState) =>
  until === undefined ? createdAt : new Date(Math.min(Date.parse(until), createdAt.getTime()))

/** Saves that the server may have more votes after a full batch. */
async function saveBatch(tx: Db, state: VoidingState, serverId: string, { last }: BatchCounts): Promise<StepOutcome> {
  await saveVoidingState(tx, { ...state, afterServer: serverId, afterNumber: last ?? 0 })
  return 'more'
}

/** Saves that all servers up to this one are done. */
async function saveServerDone(tx: Db, state: VoidingState, serverId: string): Promise<StepOutcome> {
  await saveVoidingState(tx, { ...state, afterServer: serverId, afterNumber: 0 })
  return 'more'
}

/** Notifies the owner, once for all batches of the server. */
async function finishServer(tx: Db, jobs: JobQueue, state: VoidingState, serverId: string): Promise<StepOutcome> {
  const effect = await findVoidedOfServer(tx, state.id, serverId)
  if (effect?.ownerId) {
    const isVoided = state.status === 'voiding'
    const data = { votes: isVoided ? effect.votes : effect.restored, reason: state.reason, voidingId: state.id }
    const event = isVoided ? ('votesVoided' as const) : ('votesRestored' as const)
    await jobs.enqueue(tx, notify, [{ event, at: new Date().toISOString(), serverId, userId: effect.ownerId, data }])
  }
  return saveServerDone(tx, state, serverId)
}

async function finish(tx: Db, state: VoidingState, status: 'voided' | 'restored'): Promise<StepOutcome> {
  await saveVoidingState(tx, { ...state, status, afterServer: null, afterNumber: 0 })
  return 'over'
}
