// Decides how much to claim and when: as much as this worker can query soon.
import type { Deps } from '../../src/deps.ts'
import { BATCH_SIZE, claimDue, poll } from '../../src/features/polling/index.ts'
import { pollLagSeconds } from './polling.metrics.ts'

export interface Claimer {
  /** Claims due servers as far as there is capacity. Overlapping calls cause one more round. */
  claim(): Promise<void>
  /** The pool has free places: claims at once if more servers are known to be due, else waits for the next tick. */
  claimMore(): void
  /** The handler calls it, so that batches being loaded count. */
  begun(): void
  ended(): void
  /** Stops claiming; resolves when the running claim is done. */
  stop(): Promise<void>
}

export interface ClaimerOptions extends Pick<Deps, 'pool' | 'jobs' | 'log'> {
  intervalSeconds: number
  concurrency: number
  /** Maximum number of batches that this worker runs concurrently. */
  batchesAtOnce: number
  queries: { readonly inFlight: number; readonly ready: number }
}

/** Servers that wait in memory for a free place: enough for a claim and a job's way through the queue (about 50 ms). */
const MIN_AHEAD = 1_000

/**
 * The capacity of this worker: free batches, and free places in the pool plus as many waiting, minus the jobs that are
 * already in the queue. So under overload servers are polled less often but never twice, and a killed worker leaves few
 * jobs.
 */
export function createClaimer(options: ClaimerOptions): Claimer {
  const { pool, jobs, log, intervalSeconds, concurrency, batchesAtOnce, queries } = options
  const ahead = concurrency + Math.max(concurrency, MIN_AHEAD)
  let running = 0
  let moreIsDue = false
  let again = false
  let stopped = false
  let claiming: Promise<void> | undefined

  async function capacity(): Promise<number> {
    const free = batchesAtOnce - running
    const wanted = Math.ceil((ahead - queries.inFlight - queries.ready) / BATCH_SIZE)
    const most = Math.min(free, wanted)
    return most > 0 ? most - (await jobs.waiting(pool, poll)) : 0
  }

  async function claimOnce(): Promise<void> {
    const batches = await capacity()
    if (batches <= 0) return
    const limit = batches * BATCH_SIZE
    const claim = await claimDue({ pool, jobs }, { limit, intervalSeconds })
    moreIsDue = claim.servers === limit
    for (const lag of claim.lagsSeconds) pollLagSeconds.observe(Math.max(0, lag))
    if (claim.servers) log.debug({ servers: claim.servers, batches: claim.batches }, 'due servers claimed')
  }

  async function claimRounds(): Promise<void> {
    try {
      do {
        again = false
        await claimOnce()
      } while (again && !stopped)
    } catch (err) {
      moreIsDue = false
      log.error({ err }, 'claim failed; the next tick retries')
    } finally {
      claiming = undefined
    }
  }

  async function claim(): Promise<void> {
    if (stopped) return
    if (claiming) again = true
    else claiming = claimRounds()
    await claiming
  }

  return {
    claim,
    claimMore() {
      if (moreIsDue && !claiming) void claim()
    },
    begun() {
      running++
    },
    ended() {
      running--
      if (moreIsDue && !claiming) void claim()
    },
    async stop() {
      stopped = true
      await claiming
    },
  }
}
