// What polling does to the database: claim what is due, load a batch, write its results. Who asks the servers is the worker's.
import type { Deps } from '../../deps.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { notifyDirectory } from '../directory/index.ts'
import { insertSamples } from '../history/index.ts'
import { BATCH_SIZE, type PollBatch, poll } from './polling.jobs.ts'
import {
  type AppliedResult,
  applyResultColumns,
  type Cycles,
  claimDueServers,
  findTargets,
  makeDueIn,
  type PollRules,
  type PollTarget,
} from './polling.sql.ts'

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

export interface Claim {
  servers: number
  batches: number
  /** How long each claimed server had been due. */
  lagsSeconds: number[]
}

/** Claims up to `limit` due servers and enqueues them in batches, all in one transaction: neither happens without the other. */
export async function claimDue(
  { pool, jobs }: Pick<Deps, 'pool' | 'jobs'>,
  { limit, intervalSeconds }: { limit: number; intervalSeconds: number },
): Promise<Claim> {
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
    UNHURRIED,
  )
}

/** Batches of nearly equal size, none above BATCH_SIZE. */
function inBatches(servers: PollBatch['servers']): PollBatch[] {
  const count = Math.ceil(servers.length / BATCH_SIZE)
  const size = Math.ceil(servers.length / count)
  return Array.from({ length: count }, (_, n) => ({ servers: servers.slice(n * size, (n + 1) * size) }))
}

/** The servers of a batch that still wait for this poll; none when the batch was done before. */
export async function loadBatch(db: Db, batch: PollBatch): Promise<PollTarget[]> {
  return findTargets(db, columns(batch.servers))
}

/** `country`: of the address; undefined keeps what is stored. */
export type PollResult = { serverId: string; cycle: number; country?: string | undefined } & (
  | { answered: true; players: number; maxPlayers: number; map: string; version: string; queryMs?: number | null }
  | { answered: false }
)

export type AlsoWrite = (tx: Db, applied: AppliedResult[]) => Promise<void>

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
  alsoWrite?: AlsoWrite,
): Promise<AppliedResult[]> {
  if (!results.length) return []
  // One order for everybody, so that a batch that runs twice at once waits instead of deadlocking.
  const ordered = [...results].sort((a, b) => (a.serverId < b.serverId ? -1 : 1))
  return inTransaction(
    pool,
    async (tx) => {
      const applied = await applyResultColumns(
        tx,
        {
          ...columns(ordered),
          answered: ordered.map((result) => result.answered),
          players: ordered.map((result) => (result.answered ? result.players : 0)),
          maxPlayers: ordered.map((result) => (result.answered ? result.maxPlayers : 0)),
          maps: ordered.map((result) => (result.answered ? result.map : '')),
          versions: ordered.map((result) => (result.answered ? result.version : '')),
          countries: ordered.map(({ country }) => country ?? null),
          queryMs: ordered.map((result) => (result.answered ? (result.queryMs ?? null) : null)),
        },
        rules,
      )
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
    UNHURRIED,
  )
}

/** Hands claimed servers back without a result: they are due again in `seconds`, and nothing is counted. */
export async function postpone(db: Db, servers: { serverId: string; cycle: number }[], seconds: number): Promise<void> {
  if (servers.length) await makeDueIn(db, columns(servers), seconds)
}

function columns(servers: { serverId: string; cycle: number }[]): Cycles {
  return { serverIds: servers.map(({ serverId }) => serverId), cycles: servers.map(({ cycle }) => cycle) }
}

/** A crash may lose the last moment's claims and results; those servers simply come due again. */
const UNHURRIED = { durable: false }
