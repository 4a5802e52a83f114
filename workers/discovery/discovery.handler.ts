// The jobs of sources: enqueues the runs that are due, and runs a source.
import type { Deps } from '../../src/deps.ts'
import {
  beginDueRun,
  discovery,
  recordRunFailure,
  recordRunInterrupted,
  recordRunResult,
  recordRunStart,
  requireKnownSources,
  runDiscoveryUpkeep,
} from '../../src/features/discovery/index.ts'
import { inTransaction } from '../../src/platform/db/pool.ts'
import { PermanentJobError } from '../permanent-job-error.ts'
import { type PublicLists, publicLists } from '../polling/public-lists.ts'
import { createAskServer } from '../polling/query.ts'
import { createQueryPool } from '../polling/query-pool.ts'
import { resolverFor } from '../polling/target-address.ts'
import { createAnnouncementCheck } from './announcement.ts'
import { createAddressOf, resolveNamesForBlocks } from './known-names.ts'
import { runSource } from './run.ts'
import type { Source } from './source.ts'
import { sourceOf } from './sources.ts'

/** Queries of announced servers, and as many of forgotten ones that sources still have. */
const POLITE = { concurrency: 20, perAddress: 1, spacingMs: 200 }
/** One silent server, which takes 3.5 s: further ones would occupy the worker's jobs while they wait. */
const MAX_ANNOUNCED_WAIT_MS = 5_000
/** A run waits for its last query, and the other sources for the run. */
const MAX_FORGOTTEN_WAIT_MS = 60_000

export type Discoverer = ReturnType<typeof createDiscoverer>

/**
 * @param options.lists publishers' lists
 * @param options.sources by name; a test replaces them
 * @throws SettingsError for an unknown name in DISCOVER
 */
export function createDiscoverer(
  deps: Deps,
  {
    lists = publicLists,
    sources = (name) => sourceOf(name, deps.settings),
  }: { lists?: PublicLists; sources?: (name: string) => Source | undefined } = {},
) {
  const { settings, pool, jobs, log } = deps
  requireKnownSources(settings)
  const queries = createQueryPool({ ...POLITE, maxWaitMs: MAX_ANNOUNCED_WAIT_MS })
  const forgotten = createQueryPool({ ...POLITE, maxWaitMs: MAX_FORGOTTEN_WAIT_MS })
  const resolve = resolverFor(settings)
  const ask = createAskServer({ pool: forgotten, resolve, lists })
  const stopping = new AbortController()

  return {
    /** Enqueues a run of each source that is due. */
    async schedule(): Promise<void> {
      for (const name of settings.DISCOVER) {
        const source = sources(name)
        if (!source) continue
        await inTransaction(pool, async (tx) => {
          if (await beginDueRun(tx, name, source.intervalSeconds))
            await jobs.enqueue(tx, discovery, [{ source: name }], { singletonKey: name })
        })
      }
    },
    async handle({ source: name }: { source: string }, signal: AbortSignal): Promise<void> {
      const source = settings.DISCOVER.includes(name) ? sources(name) : undefined
      if (!source) throw new PermanentJobError(`DISCOVER does not have the source ${name}`)
      await recordRunStart(pool, name)
      try {
        const result = await runSource(
          source,
          { pool, resolve, ask, pollWithinSeconds: settings.POLL_INTERVAL_SECONDS },
          AbortSignal.any([signal, stopping.signal]),
        )
        await recordRunResult(pool, name, result)
        log.info({ source: name, ...result }, 'source read')
      } catch (error) {
        if (stopping.signal.aborted) {
          await recordRunInterrupted(pool, name)
          return
        }
        await recordRunFailure(pool, name, (error as Error).message, source.intervalSeconds)
        throw error
      }
    },
    async upkeep(): Promise<void> {
      await runDiscoveryUpkeep(deps, await resolveNamesForBlocks(pool, createAddressOf(resolve)))
    },
    /** Queries a server that announced itself. */
    check: createAnnouncementCheck({ pool, jobs, queries, resolve, lists }),
    /**
     * Ends the runs, which may last for half an hour, as completed jobs. Another worker begins them
     * again within a minute.
     */
    stop() {
      stopping.abort()
    },
    close() {
      queries.close()
      forgotten.close()
    },
  }
}
