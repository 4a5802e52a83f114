// The rules of queue administration, for the operations and for `npm run queues`.
import type * as z from 'zod'
import { isUnadoptedCopy } from '../../platform/db/installation.ts'
import type { Db } from '../../platform/db/pool.ts'
import { notFound } from '../../platform/http/errors.ts'
import { type PageQuery, paginate } from '../../platform/http/paging.ts'
import { asBossDb, type Jobs } from '../../platform/queue/jobs.ts'
import { classifyQueue, isSupervised } from './queue-verdict.ts'
import type { JobsQuery } from './queues.schema.ts'
import {
  avoidNestedLoops,
  countFailed,
  countJobs,
  findDeadLetter,
  findFailed,
  findJobs,
  findRetryable,
  readQueues,
  readSupervisionAge,
} from './queues.sql.ts'

/** Jobs that one statement retries or moves, within some seconds. Each statement reads all jobs that are left. */
const BATCH = 20_000

/** The current state of all queues, dead letter queues included. */
export async function listQueues(db: Db) {
  const supervisedSecondsAgo = await readSupervisionAge(db)
  const hasWorker = isSupervised(supervisedSecondsAgo)
  const isCopy = await isUnadoptedCopy(db)
  const rows = await readQueues(db)
  const queues = rows.map((row) => {
    const { isDeadLetter: _, ...state } = row
    return { ...state, ...classifyQueue(row, { hasWorker, isCopy }) }
  })
  return { hasWorker, supervisedSecondsAgo, queues }
}

/** Jobs that failed permanently, in the queue and in its dead letter queue; newest first. @throws ApiError 404 */
export async function listFailedJobs(db: Db, name: string, page: PageQuery) {
  await requireDeadLetter(db, name)
  return paginate('jobs', page, {
    count: () => countFailed(db, name),
    find: (range) => findFailed(db, name, range),
  })
}

/** The jobs of a queue in one state. @throws ApiError 404 */
export async function listJobs(db: Db, name: string, { state, ...page }: z.output<typeof JobsQuery>) {
  await requireDeadLetter(db, name)
  return paginate('jobs', page, {
    count: () => countJobs(db, name, state),
    find: (range) => findJobs(db, name, state, range),
  })
}

/**
 * Retries failed jobs that are in the queue itself, in the caller's transaction. Of those whose queue allows one such
 * job, such as the runs of one source or of a schedule, the newest.
 * @param ids only these; all if undefined
 * @returns how many. @throws ApiError 404
 */
export async function retryJobs(tx: Db, { boss }: Pick<Jobs, 'boss'>, name: string, ids?: string[]): Promise<number> {
  await requireDeadLetter(tx, name)
  let retried = 0
  for (;;) {
    const batch = await findRetryable(tx, name, ids, BATCH)
    if (!batch.length) return retried
    // Fewer than the batch if another call has retried some meanwhile. The type of pg-boss lacks `affected`.
    const { affected } = (await boss.retry(name, batch, { db: asBossDb(tx) })) as { affected: number }
    retried += affected
  }
}

/**
 * Moves dead letters back into the queue they came from, as new jobs, in the caller's transaction. One whose singleton
 * key the queue already has stays, failed, and the next call tries it again.
 * @param name a dead letter queue, or the queue its jobs came from
 * @param ids only these; all if undefined
 * @returns how many. @throws ApiError 404
 */
export async function redriveJobs(tx: Db, { boss }: Pick<Jobs, 'boss'>, name: string, ids?: string[]): Promise<number> {
  const deadLetter = await requireDeadLetter(tx, name)
  if (deadLetter === null) return 0
  await retryJobs(tx, { boss }, deadLetter, ids) // pg-boss moves only jobs that wait
  const chosen = {
    db: asBossDb(tx),
    ...(deadLetter === name ? {} : { sourceName: name }),
    ...(ids ? { ids } : {}),
  }
  // Counted first, so that the loop ends although jobs fail meanwhile, and not at a batch of which none can be moved.
  const { total } = await boss.previewRedrive(deadLetter, chosen)
  let redriven = 0
  await avoidNestedLoops(tx)
  for (let tried = 0; tried < total; tried += BATCH)
    redriven += await boss.redrive(deadLetter, { ...chosen, limit: BATCH })
  return redriven
}

/** @returns the queue's dead letter queue; null if it has none. @throws ApiError 404 */
async function requireDeadLetter(db: Db, name: string): Promise<string | null> {
  const deadLetter = await findDeadLetter(db, name)
  if (deadLetter === undefined) throw notFound('There is no such queue.')
  return deadLetter
}
