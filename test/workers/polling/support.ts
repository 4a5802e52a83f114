// A poller over real game servers on loopback and a real database, run cycle by cycle instead of by the clock.
import { afterAll } from 'vitest'
import { enqueueDue, type PollBatch, type PollRules, poll } from '../../../src/features/polling/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { type Jobs, openJobs } from '../../../src/platform/queue/jobs.ts'
import type { Tries } from '../../../workers/polling/attempts.ts'
import { askEditions } from '../../../workers/polling/editions.ts'
import { createOutageGuard, type OutageGuard } from '../../../workers/polling/outage-guard.ts'
import { type BatchReport, createPollHandler, type PollHandler } from '../../../workers/polling/poll.handler.ts'
import type { PublicLists } from '../../../workers/polling/public-lists.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'
import { storedSamples } from '../../support/stored-samples.ts'

/** Loopback answers within a millisecond, but other tests may keep the machine busy. */
export const QUICK_TRIES: Tries = { online: [150, 200, 250, 300, 400], offline: [150, 300] }

export const RULES: PollRules = {
  intervalSeconds: 60,
  failuresToOffline: 3,
  quickSeconds: 5,
  maxBackoffSeconds: 900,
  graceSeconds: 120,
}

export interface Place {
  address: string
  port: number
  game?: string
}

export interface StatusRow {
  isOnline: boolean
  currentPlayers: number
  maxPlayers: number
  map: string
  version: string
  consecutiveFailures: number
  lastPolledAt: Date | null
  appliedCycle: number
  /** Seconds until its next poll is due. */
  dueIn: number
  samples: number
}

export interface TestDirectory {
  url: string
  pool: Pool
  jobs: Jobs
  settings: { JUST_WIPED_DAYS: number }
  /** Lists servers and returns their ids in the same order. */
  list(places: Place[]): Promise<string[]>
  /** Makes every server due, enqueues them, and takes the batches from the queue as a worker does. */
  takeBatches(): Promise<PollBatch[]>
  status(serverId: string): Promise<StatusRow>
  count(where: string): Promise<number>
}

export async function createTestDirectory(): Promise<TestDirectory> {
  const { url, pool } = await createTestDatabase()
  const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
  afterAll(() => jobs.boss.stop({ graceful: false }))
  const servers = createServers({ pool })
  return {
    url,
    pool,
    jobs,
    settings: { JUST_WIPED_DAYS: 7 },
    async list(places) {
      const added = await servers.addMany(
        places.map(({ address, port, game = 'protocol-valve' }, n) => ({
          name: `Server ${n}`,
          ipAddress: address,
          gamePort: port,
          queryPort: port,
          game,
        })),
      )
      return added.map((result) => {
        if ('error' in result) throw result.error
        return result.id
      })
    },
    async takeBatches() {
      await pool.query(`update server_polls set next_poll_at = now() - interval '1 second'`)
      await enqueueDue({ pool, jobs }, { limit: 100_000, intervalSeconds: RULES.intervalSeconds })
      const fetched = await jobs.boss.fetch<PollBatch>(poll.queue, { batchSize: 1_000 })
      if (fetched.length)
        await jobs.boss.complete(
          poll.queue,
          fetched.map(({ id }) => id),
        )
      return fetched.map(({ data }) => data)
    },
    async status(serverId) {
      const { rows } = await pool.query<Omit<StatusRow, 'samples'>>(
        `select is_online as "isOnline", current_players as "currentPlayers", max_players as "maxPlayers", map, version,
           consecutive_failures as "consecutiveFailures", last_polled_at as "lastPolledAt", applied_cycle as "appliedCycle",
           extract(epoch from next_poll_at - now())::float8 as "dueIn"
         from server_status join server_polls using (server_id) where server_id = $1`,
        [serverId],
      )
      const [row] = rows
      if (!row) throw new Error(`no server ${serverId}`)
      return { ...row, samples: (await storedSamples(pool, [serverId])).length }
    },
    async count(where) {
      const { rows } = await pool.query<{ count: number }>(`select count(*) from server_status where ${where}`)
      return rows[0]?.count ?? 0
    },
  }
}

export interface TestPoller {
  handle: PollHandler
  guard: OutageGuard
  /** Runs one cycle over every listed server. */
  cycle(): Promise<BatchReport>
}

export interface TestPollerOptions {
  tries?: Tries
  allowPrivate?: boolean
  concurrency?: number
  guard?: OutageGuard
  lists?: PublicLists
  /** Default: the system's. */
  nameServers?: string[]
  now?: () => number
  flushEveryMs?: number
  /** Of the query pool. */
  maxWaitMs?: number
  /** The game whose servers are not queried in time. */
  skippedGame?: string
  /** What a server's query waits for at its end. */
  hold?: (target: { ipAddress: string }) => Promise<void>
}

export function createTestPoller(directory: TestDirectory, options: TestPollerOptions = {}): TestPoller {
  const { tries = QUICK_TRIES, allowPrivate = true, concurrency = 200 } = options
  const queries = createQueryPool({
    concurrency,
    spacingMs: 5,
    ...(options.maxWaitMs !== undefined && { maxWaitMs: options.maxWaitMs }),
  })
  afterAll(() => queries.close())
  const guard = options.guard ?? createOutageGuard({ intervalMs: RULES.intervalSeconds * 1000 })
  const askServer = createAskServer({
    pool: queries,
    resolve: createTargetResolver({ allowPrivate, ...(options.nameServers && { nameServers: options.nameServers }) }),
    tries,
    ...(options.lists && { lists: options.lists }),
  })
  const ask = askEditions((target, signal) =>
    askServer(target, target.game === options.skippedGame ? AbortSignal.abort() : signal),
  )
  const handle = createPollHandler({
    ...directory,
    log: testLog,
    rules: RULES,
    guard,
    async ask(target, signal) {
      const outcome = await ask(target, signal)
      await options.hold?.(target)
      return outcome
    },
    ...(options.flushEveryMs ? { flushEveryMs: options.flushEveryMs } : {}),
    ...(options.now ? { now: options.now } : {}),
  })
  return {
    handle,
    guard,
    async cycle() {
      // The queue retries a batch that fails, for example without a free connection on a busy machine.
      const sum: BatchReport = { servers: 0, answered: 0, failed: 0, postponed: 0 }
      const reports = await Promise.all(
        (await directory.takeBatches()).map((batch) => handle(batch).catch(() => handle(batch))),
      )
      for (const report of reports) for (const key of Object.keys(sum) as (keyof BatchReport)[]) sum[key] += report[key]
      return sum
    },
  }
}
