// Decides how many due servers to enqueue and when: as many as this worker can query soon.
import type { Deps } from '../../src/deps.ts'
import { BATCH_SIZE, enqueueDue, poll } from '../../src/features/polling/index.ts'
import { pollLagSeconds } from './polling.metrics.ts'
import type { QueryPool } from './query-pool.ts'

export interface BatchScheduler {
  /** Enqueues due servers as far as there is capacity. Overlapping calls cause one more round. */
  enqueue(): Promise<void>
  /** The pool has free slots: enqueues at once if more servers are known to be due, else waits for the next tick. */
  enqueueMore(): void
  /** The handler calls it, so that batches being loaded count. */
  begun(): void
  ended(): void
  /** Stops enqueueing; resolves when the running round is done. */
  stop(): Promise<void>
}

export interface BatchSchedulerOptions extends Pick<Deps, 'pool' | 'jobs' | 'log'> {
  intervalSeconds: number
  concurrency: number
  /** Maximum number of batches that this worker runs concurrently. */
  batchesAtOnce: number
  queries: Pick<QueryPool, 'slotsTaken' | 'ready'>
}

/** Servers that wait in memory for a free slot: enough for a round and a job's way through the queue (about 50 ms). */
const MIN_AHEAD = 1_000

/**
 * The capacity of this worker: free batches, and free slots in the pool plus as many waiting, minus the jobs that are
 * already in the queue. So under overload servers are polled less often but never twice, and a killed worker leaves few
 * jobs.
 */
export function createBatchScheduler(options: BatchSchedulerOptions): BatchScheduler {
  const { pool, jobs, log, intervalSeconds, concurrency, batchesAtOnce, queries } = options
  const ahead = concurrency + Math.max(concurrency, MIN_AHEAD)
  let running = 0
  let moreIsDue = false
  let again = false
  let stopped = false
  let round: Promise<void> | undefined

  async function capacity(): Promise<number> {
    const free = batchesAtOnce - running
    const wanted = Math.ceil((ahead - queries.slotsTaken - queries.ready) / BATCH_SIZE)
    const most = Math.min(free, wanted)
    return most > 0 ? most - (await jobs.waiting(pool, poll)) : 0
  }

  async function enqueueOnce(): Promise<void> {
    const batches = await capacity()
    if (batches <= 0) return
    const limit = batches * BATCH_SIZE
    const due = await enqueueDue({ pool, jobs }, { limit, intervalSeconds })
    moreIsDue = due.servers === limit
    for (const lag of due.lagsSeconds) pollLagSeconds.observe(Math.max(0, lag))
    if (due.servers) log.debug({ servers: due.servers, batches: due.batches }, 'due servers enqueued')
  }

  async function enqueueRounds(): Promise<void> {
    try {
      do {
        again = false
        await enqueueOnce()
      } while (again && !stopped)
    } catch (err) {
      moreIsDue = false
      log.error({ err }, 'due servers not enqueued; the next tick retries')
    } finally {
      round = undefined
    }
  }

  async function enqueue(): Promise<void> {
    if (stopped) return
    if (round) again = true
    else round = enqueueRounds()
    await round
  }

  return {
    enqueue,
    enqueueMore() {
      if (moreIsDue && !round) void enqueue()
    },
    begun() {
      running++
    },
    ended() {
      running--
      if (moreIsDue && !round) void enqueue()
    },
    async stop() {
      stopped = true
      await round
    },
  }
}
