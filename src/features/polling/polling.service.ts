// The poll flow in the database: enqueue what is due, load a batch, write its results. The worker queries the servers
// in between.
import type { Deps } from '../../deps.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { retryDeadlocks } from '../../platform/db/deadlock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { fireAlerts } from '../alerts/index.ts'
import { type PendingTokens, readPendingTokens, recordPolledTokens, toChecks } from '../claims/index.ts'
import { announceStatusChanges, waitForCommit } from '../events/index.ts'
import { addPending } from '../history/index.ts'
import { notifyDirectory } from '../servers/index.ts'
import { recordFingerprints } from '../wipes/index.ts'
import { BATCH_SIZE, type PollBatch, poll } from './polling.jobs.ts'
import {
  type AppliedResult,
  beginDueCycles,
  findTargets,
  type PollResult,
  type PollRules,
  type PollTarget,
  updateStatuses,
} from './polling.sql.ts'

export type PollingDeps = Pick<Deps, 'pool' | 'jobs'> & { settings: Pick<Settings, 'JUST_WIPED_DAYS'> }

/** A crash may lose the last moment's cycles and results; those servers simply come due again. */
const LOW_PRIORITY = { durable: false }

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
 * Enqueues up to `limit` due servers in batches, and begins their next cycle, in one transaction.
 * @returns how many, and how long each had been due
 */
export async function enqueueDue(
  { pool, jobs }: Pick<Deps, 'pool' | 'jobs'>,
  { limit, intervalSeconds }: { limit: number; intervalSeconds: number },
): Promise<{ servers: number; batches: number; lagsSeconds: number[] }> {
  return inTransaction(
    pool,
    async (tx) => {
      const due = await beginDueCycles(tx, { limit, intervalSeconds })
      const batches = inBatches(due.map(({ serverId, cycle }) => ({ serverId, cycle })))
      if (batches.length) await jobs.enqueue(tx, poll, batches)
      return {
        servers: due.length,
        batches: batches.length,
        lagsSeconds: due.map(({ lagSeconds }) => lagSeconds),
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

/** What a worker needs to know of a batch: the servers to query, and the tokens of pending claims to look for. */
export interface PollWork {
  targets: PollTarget[]
  tokens: PendingTokens
}

export async function loadBatch(db: Db, batch: PollBatch): Promise<PollWork> {
  const targets = await findTargets(db, batch)
  const tokens = await readPendingTokens(
    db,
    targets.map(({ serverId }) => serverId),
  )
  return { targets, tokens }
}

/**
 * Writes results and all that follows from them in one transaction: status, history, checks of claims, announcements,
 * alerts, wipes, and one notification of the directory. Results of a cycle that was applied before change nothing.
 * @param tokens as `loadBatch` returned them; without them no claims are checked
 * @returns what was written
 */
export async function applyResults(
  { pool, jobs, settings }: PollingDeps,
  results: PollResult[],
  rules: PollRules,
  tokens: PendingTokens = NO_TOKENS,
): Promise<AppliedResult[]> {
  if (!results.length) return []
  // Lock in id order: a batch that runs twice at once waits instead of deadlocking.
  const ordered = [...results].sort((a, b) => (a.serverId < b.serverId ? -1 : 1))
  // A wipe locks its server after its status, in another order than requests that change the server.
  return retryDeadlocks(() =>
    inTransaction(
      pool,
      (tx) => writeResults(tx, { jobs, settings }, { results: ordered, rules, tokens }),
      LOW_PRIORITY,
    ),
  )
}

async function writeResults(
  tx: Db,
  { jobs, settings }: Omit<PollingDeps, 'pool'>,
  { results, rules, tokens }: { results: PollResult[]; rules: PollRules; tokens: PendingTokens },
): Promise<AppliedResult[]> {
  const applied = await updateStatuses(tx, results, rules)
  const [first] = applied
  if (!first) return applied
  const { appliedAt } = first
  await addPending(tx, {
    serverIds: applied.map(({ serverId }) => serverId),
    polledAt: appliedAt,
    players: applied.map(({ answered, players }) => (answered ? players : null)),
    maxPlayers: applied.map(({ maxPlayers }) => maxPlayers),
  })
  const ids = new Set(applied.map(({ serverId }) => serverId))
  const written = results.filter(({ serverId }) => ids.has(serverId))
  await recordPolledTokens(tx, jobs, checksOf(written, tokens), tokens.askedAt)
  const changes = applied.filter(({ statusChanged }) => statusChanged)
  await announceStatusChanges(tx, jobs, changes)
  if (await fireAlerts(tx, jobs, applied)) await waitForCommit(tx)
  const { JUST_WIPED_DAYS: justWipedDays } = settings
  await recordFingerprints(tx, { jobs, justWipedDays }, fingerprintsOf(written), appliedAt)
  await notifyDirectory(tx)
  return applied
}

/** What the results say about the tokens of claims, which count at the address of the listing only: that of Java. */
const checksOf = (results: PollResult[], { byServer }: PendingTokens) =>
  results.flatMap((result) => {
    const hasAnswered = result.answered && result.editions?.java !== false
    return toChecks(byServer.get(result.serverId) ?? [], hasAnswered ? (result.seenTokens ?? []) : 'silent')
  })

const fingerprintsOf = (results: PollResult[]) =>
  results.flatMap((result) =>
    result.answered && result.fingerprint ? [{ serverId: result.serverId, fingerprint: result.fingerprint }] : [],
  )

const NO_TOKENS: PendingTokens = { byServer: new Map(), askedAt: new Date(0) }
