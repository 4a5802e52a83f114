// Polling's writes: claims due servers for poll batches, and stores results. Workers query the game servers.
import type { Deps } from '../../deps.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { insertSamples } from '../history/index.ts'
import { notifyDirectory } from '../servers/index.ts'
import { BATCH_SIZE, type PollBatch, poll } from './polling.jobs.ts'
import { type AppliedResult, claimDueServers, type PollResult, type PollRules, updateStatuses } from './polling.sql.ts'

/** The rules of a directory that polls every `POLL_INTERVAL_SECONDS`. */
export function pollRules({ POLL_INTERVAL_SECONDS }: Pick<Settings, 'POLL_INTERVAL_SECONDS'>): PollRules {
  return {
    intervalSeconds: POLL_INTERVAL_SECONDS,
    // 3 cycles: one lost datagram, or a map change, must not mark a server offline
    failuresToOffline: 3,
    quickSeconds: Math.min(5, POLL_INTERVAL_SECONDS),
    maxBackoffSeconds: 900,
    graceSeconds: 2 * POLL_INTERVAL_SECONDS,
  }
}

/**
 * Claims up to `limit` due servers and enqueues them in batches, in one transaction.
 * @returns how many, and how long each had been due
 */
export async function claimDue(
  { pool, jobs }: Pick<Deps, 'pool' | 'jobs'>,
  { limit, intervalSeconds }: { limit: number; intervalSeconds: number },
): Promise<{ servers: number; batches: number; lagsSeconds: number[] }> {
  return inTransaction(
    pool,
    async (tx) => {
      const claimed = await claimDueServers(tx, { limit, intervalSeconds })
      const batches = inBatches(claimed.map(({ serverId, cycle }) => ({ serverId, cycle })))
      if (batches.length) await jobs.enqueue(tx, poll, batches)
      return {
        servers: claimed.length,
        batches: batches.length,
        lagsSeconds: claimed.map(({ lagSeconds }) => lagSeconds),
      }
    },
    LOW_PRIORITY,
  )
}

/** Batches of nearly equal size, none above BATCH_SIZE. */
function inBatches(servers: PollBatch['servers']): PollBatch[] {
  const count = Math.ceil(servers.length / BATCH_SIZE)
  const size = Math.ceil(servers.length / count)
  return Array.from({ length: count }, (_, n) => ({ servers: servers.slice(n * size, (n + 1) * size) }))
}

/**
 * Writes results, one history sample for each that was written, and one notification, in one transaction.
 * Results of a cycle that was applied before change nothing.
 * @param alsoWrite writes what else the applied answers said, in the same transaction
 * @returns what was written
 */
export async function applyResults(
  pool: Pool,
  results: PollResult[],
  rules: PollRules,
  alsoWrite?: (tx: Db, applied: AppliedResult[]) => Promise<void>,
): Promise<AppliedResult[]> {
  if (!results.length) return []
  // Lock in id order: a batch that runs twice at once waits instead of deadlocking.
  const ordered = [...results].sort((a, b) => (a.serverId < b.serverId ? -1 : 1))
  return inTransaction(
    pool,
    async (tx) => {
      const applied = await updateStatuses(tx, ordered, rules)
      const [first] = applied
      if (!first) return applied
      await insertSamples(tx, {
        serverIds: applied.map(({ serverId }) => serverId),
        polledAt: first.appliedAt,
        players: applied.map(({ answered, players }) => (answered ? players : null)),
        maxPlayers: applied.map(({ maxPlayers }) => maxPlayers),
      })
      await alsoWrite?.(tx, applied)
      await notifyDirectory(tx)
      return applied
    },
    LOW_PRIORITY,
  )
}

/** A crash may lose the last moment's claims and results; those servers simply come due again. */
const LOW_PRIORITY = { durable: false }
