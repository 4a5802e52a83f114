// Assembles the poller of one worker process: query pool, outage guard, batch scheduler, and the handler of the `poll`
// job.
import type { Deps } from '../../src/deps.ts'
import { type PollBatch, pollRules } from '../../src/features/polling/index.ts'
import { openCountries } from '../../src/platform/country-database.ts'
import { createBatchScheduler } from './batch-scheduler.ts'
import { askEditions } from './editions.ts'
import { watchLoop } from './loop-watch.ts'
import { createOutageGuard } from './outage-guard.ts'
import { createPollHandler } from './poll.handler.ts'
import { exposeInFlight } from './polling.metrics.ts'
import { type PublicLists, publicLists } from './public-lists.ts'
import { createAskServer } from './query.ts'
import { createQueryPool } from './query-pool.ts'
import { resolverFor } from './target-address.ts'

export interface Poller {
  handle(batch: PollBatch, signal: AbortSignal): Promise<void>
  /** Enqueues due servers; called every few seconds in each worker. */
  tick(): Promise<void>
  /** Stops enqueueing and ends running batches soon: servers not queried yet go back to the schedule. */
  drain(): Promise<void>
  close(): void
}

/**
 * A batch lasts as long as its slowest server, and a worker runs few: without this bound, one address with 200 servers
 * that rarely answer would keep all of them waiting.
 */
const MAX_WAIT_MS = 15_000

/**
 * @param options.batchesAtOnce how many `poll` jobs the registry runs here concurrently
 * @param options.lists publishers' lists
 */
export function createPoller(
  deps: Deps,
  { batchesAtOnce, lists = publicLists }: { batchesAtOnce: number; lists?: PublicLists },
): Poller {
  const { settings, clock } = deps
  const rules = pollRules(settings)
  const concurrency = settings.POLL_CONCURRENCY
  const stopping = new AbortController()
  const loop = watchLoop(clock)
  const queries = createQueryPool({ concurrency, maxWaitMs: MAX_WAIT_MS, onIdle: () => scheduler.enqueueMore() })
  const scheduler = createBatchScheduler({
    ...deps,
    intervalSeconds: rules.intervalSeconds,
    concurrency,
    batchesAtOnce,
    queries,
  })
  const handle = createPollHandler({
    ...deps,
    rules,
    guard: createOutageGuard({ intervalMs: rules.intervalSeconds * 1000, stalledSince: loop.stalledSince }),
    ask: askEditions(
      createAskServer({
        pool: queries,
        resolve: resolverFor(settings),
        countryOf: openCountries(settings.COUNTRY_DATABASE),
        lists,
      }),
    ),
    now: clock,
  })
  exposeInFlight(() => queries.inFlight)

  return {
    async handle(batch, signal) {
      scheduler.begun()
      try {
        await handle(batch, AbortSignal.any([signal, stopping.signal]))
      } finally {
        scheduler.ended()
      }
    },
    tick: () => scheduler.enqueue(),
    async drain() {
      stopping.abort()
      await scheduler.stop()
    },
    close() {
      loop.stop()
      queries.close()
    },
  }
}
