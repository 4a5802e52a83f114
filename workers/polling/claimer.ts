// Decides how much is claimed and when: as much as this worker can ask soon, and nothing it could not.
import type { Deps } from '../../src/deps.ts'
import { BATCH_SIZE, claimDue, poll } from '../../src/features/polling/index.ts'
import { pollLagSeconds } from './polling.metrics.ts'

export interface Claimer {
  /** Claims what is due, as far as there is room. Overlapping calls become one more round. */
  claim(): Promise<void>
  /** The pool has free places: claims at once when more is known to be due, else leaves it to the next tick. */
  hungry(): void
  /** Told by the handler, so that batches being loaded count. */
  begun(): void
  ended(): void
  /** No more claims; resolves when the one under way is done. */
  stop(): Promise<void>
}

export interface ClaimerOptions extends Pick<Deps, 'pool' | 'jobs' | 'log'> {
  intervalSeconds: number
  concurrency: number
  /** Batches this worker runs at the same time at most. */
  batchesAtOnce: number
  queries: { readonly inFlight: number; readonly ready: number }
}

/** Servers waiting in memory for a free place: enough to bridge a claim and a job's way through the queue (about 50 ms). */
const FEWEST_AHEAD = 1_000

/**
 * Feature is what this worker can take: free batches, and free places in the pool with as many again waiting. What already
 * lies in the queue, whoever put it there, is taken off. So under overload servers are polled less often, never twice,
 * and a worker that is killed leaves little behind.
 */
export function createClaimer(options: ClaimerOptions): Claimer {
  const { pool, jobs, log, intervalSeconds, concurrency, batchesAtOnce, queries } = options
  const ahead = concurrency + Math.max(concurrency, FEWEST_AHEAD)
  let running = 0
  let moreIsDue = false
  let again = false
  let stopped = false
  let claiming: Promise<void> | undefined

  async function feature(): Promise<number> {
    const free = batchesAtOnce - running
    const wanted = Math.ceil((ahead - queries.inFlight - queries.ready) / BATCH_SIZE)
    const most = Math.min(free, wanted)
    return most > 0 ? most - (await jobs.waiting(pool, poll)) : 0
  }

  async function claimOnce(): Promise<void> {
    const batches = await feature()
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
      log.error({ err }, 'claim failed; the next tick tries again')
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
    hungry() {
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
