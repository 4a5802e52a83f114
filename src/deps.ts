// Dependencies of both processes: opened at the start, closed in reverse order at the stop.
import type { ProcessSettings } from './platform/config/settings.ts'
import { exposePool } from './platform/db/pool.metrics.ts'
import { createPool, type Pool } from './platform/db/pool.ts'
import { directUrlOf, requireDirectUrl } from './platform/db/pooler.ts'
import type { Log } from './platform/observability/log.ts'
import { openTracing, type Tracing } from './platform/observability/tracing.ts'
import type { Peer } from './platform/processes/peer.ts'
import type { Jobs } from './platform/queue/jobs.ts'

/**
 * The process' clock in epoch milliseconds. Rules that must agree between processes use the database's clock instead.
 */
export type Clock = () => number

export interface Deps {
  settings: ProcessSettings
  log: Log
  pool: Pool
  jobs: Jobs
  clock: Clock
  /** Only while traces are on. */
  tracing?: Tracing | undefined
  /** The primary of several processes on one port (docs/decisions/0037). */
  primary?: Peer | undefined
}

/** Opens the pool and the queue (`openQueue` decides whether it only enqueues or also works). */
export async function openDeps(
  role: 'api' | 'worker',
  settings: ProcessSettings,
  log: Log,
  openQueue: (options: { url: string; log: Log; applicationName: string }) => Promise<Jobs>,
): Promise<Deps> {
  await requireDirectUrl(settings)
  const pool = createPool({
    url: settings.DATABASE_URL,
    directUrl: settings.DATABASE_DIRECT_URL,
    max: settings.DATABASE_POOL_MAX,
    applicationName: role,
    log,
    requireVerified: settings.LISTING_REQUIRES_VERIFICATION,
  })
  exposePool(pool)
  try {
    const jobs = await openQueue({ url: directUrlOf(settings), log, applicationName: role })
    return { settings, log, pool, jobs, clock: Date.now, tracing: await openTracing(role, settings, log) }
  } catch (error) {
    await pool.end() // a process that waits for its database opens one each second
    throw error
  }
}
