// Assembles the poller of one worker process: pool, guard, claimer, and the handler of the `poll` job.
import type { Deps } from '../../src/deps.ts'
import { createClaimChecks } from '../../src/features/claims/index.ts'
import { announceStatusChanges } from '../../src/features/events/index.ts'
import { type PollBatch, pollRules } from '../../src/features/polling/index.ts'
import { noteFingerprints } from '../../src/features/wipes/index.ts'
import { createClaimer } from './claimer.ts'
import { openCountries } from './countries.ts'
import { watchLoop } from './loop-watch.ts'
import { createOutageGuard } from './outage-guard.ts'
import { createPollHandler } from './poll.handler.ts'
import { exposeInFlight } from './polling.metrics.ts'
import { createAskServer } from './query.ts'
import { createQueryPool } from './query-pool.ts'
import { createTargetResolver } from './target-address.ts'

export interface Poller {
  handle(batch: PollBatch, signal: AbortSignal): Promise<void>
  /** Claims due servers; called every few seconds in each worker. */
  tick(): Promise<void>
  /** Stops claiming and ends running batches soon: servers not queried yet go back to the schedule. */
  windDown(): Promise<void>
  close(): void
}

/** @param batchesAtOnce how many `poll` jobs the registry runs here concurrently */
export function createPoller(deps: Deps, { batchesAtOnce }: { batchesAtOnce: number }): Poller {
  const { settings, pool, log, clock } = deps
  const rules = pollRules(settings)
  const concurrency = settings.POLL_CONCURRENCY
  const stopping = new AbortController()
  const loop = watchLoop(clock)
  const queries = createQueryPool({ concurrency, onCapacity: () => claimer.claimMore() })
  const claimer = createClaimer({
    ...deps,
    intervalSeconds: rules.intervalSeconds,
    concurrency,
    batchesAtOnce,
    queries,
  })
  const handle = createPollHandler({
    pool,
    log,
    rules,
    claims: createClaimChecks(deps),
    announceStatusChanges: (tx, turns) => announceStatusChanges(tx, deps.jobs, turns),
    noteFingerprints: (tx, sightings, at) =>
      noteFingerprints(tx, { jobs: deps.jobs, justWipedDays: settings.JUST_WIPED_DAYS }, sightings, at),
    guard: createOutageGuard({ intervalMs: rules.intervalSeconds * 1000, stalledSince: loop.stalledSince }),
    ask: createAskServer({
      pool: queries,
      resolve: createTargetResolver({ allowPrivate: settings.ALLOW_PRIVATE_TARGETS }),
      countryOf: openCountries(settings.COUNTRY_DATABASE),
    }),
    now: clock,
  })
  exposeInFlight(() => queries.inFlight)

  return {
    async handle(batch, signal) {
      claimer.begun()
      try {
        await handle(batch, AbortSignal.any([signal, stopping.signal]))
      } finally {
        claimer.ended()
      }
    },
    tick: () => claimer.claim(),
    async windDown() {
      stopping.abort()
      await claimer.stop()
    },
    close() {
      loop.stop()
      queries.close()
    },
  }
}
