// What operators do with queues: look at all at once, look at what failed, and have it tried again.
import type * as z from 'zod'
import type { Pool } from '../../platform/db/pool.ts'
import { notFound } from '../../platform/http/errors.ts'
import { offsetOf, type PageQuery, paginationOf } from '../../platform/http/paging.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import type { FailedJobs, Queues } from './queues.schema.ts'
import { countFailed, findDeadLetter, findFailed, findRetryable, readQueues, readSupervisionAge } from './queues.sql.ts'
import { judgeQueue } from './verdict.ts'

export interface QueuesView {
  /** All queues as of now, the dead letter queues included. */
  list(): Promise<z.input<typeof Queues>>
}

export interface QueuesService extends QueuesView {
  /** Jobs that failed for good, in the queue and in its dead letter queue; newest first. @throws ApiError 404 */
  failed(name: string, page: PageQuery): Promise<z.input<typeof FailedJobs>>
  /** Has failed jobs of the queue itself run again, the oldest 1000 at most. @returns how many. @throws ApiError 404 */
  retry(name: string, ids?: string[]): Promise<number>
  /**
   * Puts jobs of a dead letter queue, named itself or by the queue they came from, back into that queue, as new ones.
   * @returns how many
   * @throws ApiError 404
   */
  redrive(name: string, ids?: string[]): Promise<number>
}

const BATCH = 1000

/** The look alone, for whoever has no queue open. */
export function createQueuesView(pool: Pool): QueuesView {
  return {
    async list() {
      const supervisedSecondsAgo = await readSupervisionAge(pool)
      const rows = await readQueues(pool)
      return {
        supervisedSecondsAgo,
        queues: rows.map(({ lastRunAt, isDeadLetter, ...row }) => ({
          ...row,
          lastRunAt: lastRunAt?.toISOString() ?? null,
          ...judgeQueue({ ...row, lastRunAt, isDeadLetter }, supervisedSecondsAgo),
        })),
      }
    },
  }
}

export function createQueuesService({ pool, jobs }: { pool: Pool; jobs: Pick<Jobs, 'boss'> }): QueuesService {
  async function deadLetterOf(name: string): Promise<string | null> {
    const deadLetter = await findDeadLetter(pool, name)
    if (deadLetter === undefined) throw notFound('There is no such queue.')
    return deadLetter
  }

  return {
    ...createQueuesView(pool),

    async failed(name, page) {
      await deadLetterOf(name)
      const total = await countFailed(pool, name)
      const rows = await findFailed(pool, name, { limit: page.limit, offset: offsetOf(page) })
      return {
        jobs: rows.map(({ createdAt, failedAt, ...row }) => ({
          ...row,
          createdAt: createdAt.toISOString(),
          failedAt: failedAt?.toISOString() ?? null,
        })),
        pagination: paginationOf(page, total),
      }
    },

    async retry(name, ids) {
      await deadLetterOf(name)
      const batch = await findRetryable(pool, name, ids, BATCH)
      if (batch.length) await jobs.boss.retry(name, batch)
      return batch.length
    },

    async redrive(name, ids) {
      const deadLetter = await deadLetterOf(name)
      if (deadLetter === null) return 0
      const options = {
        limit: BATCH,
        createdBefore: new Date(),
        ...(deadLetter === name ? {} : { sourceName: name }),
        ...(ids ? { ids } : {}),
      }
      let redriven = 0
      for (;;) {
        const moved = await jobs.boss.redrive(deadLetter, options)
        redriven += moved
        if (moved < BATCH) return redriven
      }
    },
  }
}
