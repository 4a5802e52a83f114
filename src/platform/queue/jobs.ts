// The job queue as processes see it: enqueueing in the caller's transaction.
import { randomUUID } from 'node:crypto'
import { type ConnectionOptions, getConstructionPlans, type JobInsert, PgBoss, type QueueResult } from 'pg-boss'
import type { Db, Sql } from '../db/pool.ts'
import { connectionOptions } from '../db/pool.ts'
import { type Cause, currentCause } from '../observability/cause.ts'
import type { Log } from '../observability/log.ts'
import { FINISH_TIMEOUT_MS } from '../processes/stop.ts'
import type { JobContract } from './contract.ts'

const SCHEMA = 'pgboss'

type EnqueueOptions = Omit<JobInsert, 'data'>

export type Jobs = ReturnType<typeof createJobs>

/** All that most features need of the queue. */
export type JobQueue = Pick<Jobs, 'enqueue'>

/** `db` in the form that pg-boss's methods take, so that they run in its transaction. */
export const asBossDb = (db: Db): NonNullable<ConnectionOptions['db']> => ({
  executeSql: (text: string, values?: unknown[]) => db.query(text, values),
})

interface BossOptions {
  url: string
  log: Log
  applicationName: string
  max?: number
}

/**
 * Opens the queue for enqueueing only: without schedules, supervision or migrations in this process.
 * `installQueues` must have created the schema and the queues.
 */
export async function openJobs(options: BossOptions): Promise<Jobs> {
  const boss = createBoss(options, { supervise: false, schedule: false, migrate: false, createSchema: false })
  await start(boss)
  return createJobs(boss)
}

/** Opens the queue for a worker: supervises, runs the schedules, and listens for new jobs. */
export async function openWorkerJobs(options: BossOptions): Promise<Jobs> {
  const boss = createBoss(options, {
    migrate: false,
    createSchema: false,
    useListenNotify: true,
    persistQueueStats: true,
    cronMonitorIntervalSeconds: 10,
    cronWorkerIntervalSeconds: 5,
    monitorIntervalSeconds: 10,
    // Missed heartbeats are noticed within 10 s: a killed worker's batch must not wait a minute.
    superviseIntervalSeconds: 10,
    // How often completed jobs are deleted (pg-boss' default: daily): a busy queue completes a million a day.
    maintenanceIntervalSeconds: 60,
  })
  await start(boss)
  // Its first own pass is an interval later, until when a restarted worker would count as absent. Not awaited: it waits
  // for locks that a worker which hangs may hold.
  boss
    .supervise()
    .catch(({ message }: Error) => options.log.warn({ reason: message }, 'queues not supervised at the start'))
  return createJobs(boss)
}

/**
 * What pg-boss gives a queue whose contract does not say otherwise. An update without them would keep what an
 * earlier release set.
 */
const QUEUE_DEFAULTS = {
  retryLimit: 2,
  retryDelay: 0,
  retryBackoff: false,
  retryDelayMax: null,
  expireInSeconds: 900,
  retentionSeconds: 14 * 86_400,
  deleteAfterSeconds: 7 * 86_400,
  warningQueueSize: 0,
  heartbeatSeconds: null,
  deadLetter: null,
  notify: false,
}

/**
 * Creates or migrates pg-boss' schema and every queue. Part of `npm run migrate`; safe to run concurrently.
 * @throws Error if a queue has another policy than its contract, which pg-boss can't change
 */
export async function installQueues(options: BossOptions, contracts: JobContract[]): Promise<void> {
  const boss = createBoss({ ...options, max: 2 }, { supervise: false, schedule: false, query_timeout: 0 })
  await start(boss)
  try {
    const deadLetters = contracts.flatMap(({ options: { deadLetter } }) => (deadLetter ? [deadLetter] : []))
    const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const name of new Set(deadLetters)) if (!existing.has(name)) await boss.createQueue(name)
    for (const contract of contracts) await installQueue(boss, contract, existing.get(contract.queue))
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** @param installed as an earlier call left it; undefined: the queue does not exist */
async function installQueue(
  boss: PgBoss,
  { queue, options }: JobContract,
  installed: QueueResult | undefined,
): Promise<void> {
  if (!installed) {
    await boss.createQueue(queue, options)
    return
  }
  const { policy = 'standard', partition: _partition, ...changeable } = options
  if (installed.policy !== policy)
    throw new Error(`queue ${queue} has the policy ${installed.policy}, not ${policy}: give the contract another name`)
  const wanted = { ...QUEUE_DEFAULTS, ...changeable }
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  if (names.some((name) => installed[name] !== wanted[name])) await boss.updateQueue(queue, wanted)
}

/** pg-boss' scripts begin and commit; here they run in the caller's transaction. */
const SCRIPT_TRANSACTION = /^\s*BEGIN;|COMMIT;\s*$/g

/**
 * Makes pg-boss' schema with the partitions that a backup's rows need, in the transaction that `db`
 * is in: for a restore.
 * @param statisticsDays UTC days (`20261121`) of which there are queue statistics
 */
export async function buildQueueSchema(
  db: Sql,
  { partitioned, statisticsDays }: { partitioned: { name: string; policy: string }[]; statisticsDays: string[] },
): Promise<void> {
  await db.query(getConstructionPlans(SCHEMA).replace(SCRIPT_TRANSACTION, ''))
  for (const { name, policy } of partitioned)
    await db.query(`select ${SCHEMA}.create_queue($1, jsonb_build_object('policy', $2::text, 'partition', true))`, [
      name,
      policy,
    ])
  // Creates partitions as pg-boss does (plans.js, ensureQueueStatsPartitions).
  for (const day of statisticsDays)
    await db.query(`
      create table if not exists ${SCHEMA}.queue_stats_${day} partition of ${SCHEMA}.queue_stats
      for values from ('${day} 00:00:00+00') to (timestamptz '${day} 00:00:00+00' + interval '24 hours')`)
}

/** Version of pg-boss' schema in a database, which each release of pg-boss has one of. */
export async function readQueueSchemaVersion(db: Sql): Promise<number> {
  const { rows } = await db.query<{ version: number }>(`select version from ${SCHEMA}.version`)
  return rows[0]?.version ?? 0
}

/**
 * A start that fails half-way leaves timers and connections, which would supervise the queues in parallel with a retry.
 */
async function start(boss: PgBoss): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}

/**
 * Bounds waits for a database host that vanished, otherwise minutes. Deleting old jobs may take longer than a query.
 */
const QUERY_TIMEOUT_MS = 120_000

/** pg-boss passes all options to its pool, also those that its types lack. */
type BossMode = ConstructorParameters<typeof PgBoss>[0] & object & { query_timeout?: number }

function createBoss(options: BossOptions, mode: BossMode): PgBoss {
  const connection = connectionOptions(options.url, `${options.applicationName}-queue`)
  const boss = new PgBoss({
    ...connection,
    query_timeout: QUERY_TIMEOUT_MS,
    connectionTimeoutMillis: 5_000,
    schema: SCHEMA,
    max: options.max ?? 4,
    ...mode,
  })
  // Without a listener, an error event ends the process. Only its text is logged: a connection's error holds the whole
  // client.
  boss.on('error', ({ message, stack }) => options.log.warn({ reason: message, stack }, 'queue error'))
  boss.on('warning', (warning) => options.log.warn({ warning }, 'queue warning'))
  return boss
}

/** Field of a stored payload: the request that the job came from. Workers take it off before they parse the payload. */
const CAUSE = '_cause'

/** @param data as stored */
export function splitCause(data: unknown): { payload: object; cause: Cause } {
  const { [CAUSE]: cause = {}, ...payload } = { ...(data as object) } as { [CAUSE]?: Cause }
  return { payload, cause }
}

function createJobs(boss: PgBoss) {
  return {
    boss,
    /**
     * Enqueues jobs in the transaction of `db`, so that the jobs exist if and only if the rows that caused them do.
     * Sends nothing without payloads.
     * @param jobOptions for all jobs, or for each by its index
     */
    async enqueue<Payload extends object>(
      db: Db,
      contract: JobContract<Payload>,
      payloads: Payload[],
      jobOptions: EnqueueOptions | ((payload: Payload, place: number) => EnqueueOptions) = {},
    ): Promise<void> {
      if (!payloads.length) return
      const optionsOf = typeof jobOptions === 'function' ? jobOptions : () => jobOptions
      const cause = currentCause()
      const carried = Object.keys(cause).length ? { [CAUSE]: cause } : {}
      const jobs = payloads.map((payload, place) => ({
        ...optionsOf(payload, place),
        data: { ...contract.payload.parse(payload), ...carried },
      }))
      await boss.insert(contract.queue, jobs, { db: asBossDb(db) })
    },
    /**
     * Adds jobs that failed permanently to the queue's dead letters, in the transaction of `db`, as if a handler had
     * given up. Redriving such a job runs its handler.
     * @param reason shown to operators: without secrets and addresses
     */
    async deadLetter<Payload extends object>(
      db: Db,
      contract: JobContract<Payload>,
      payloads: Payload[],
      reason: string,
    ): Promise<void> {
      if (!payloads.length) return
      const jobs = payloads.map((payload) => ({
        id: randomUUID(),
        retryLimit: 0,
        data: contract.payload.parse(payload),
      }))
      await boss.insert(contract.queue, jobs, { db: asBossDb(db) })
      const ids = jobs.map(({ id }) => id)
      await boss.fail(contract.queue, ids, { message: reason }, { db: asBossDb(db) })
    },
    /** The number of jobs that no worker has started, including those that wait for a retry. */
    async waiting(db: Db, { queue }: Pick<JobContract, 'queue'>): Promise<number> {
      const { rows } = await db.query<{ waiting: number }>(
        `select count(*) as waiting from ${SCHEMA}.job where name = $1 and state < 'active'`,
        [queue],
      )
      return rows[0]?.waiting ?? 0
    },
    /**
     * Takes no more jobs and lets those that run finish; after 25 s they fail, and are retried by another worker. The
     * queue stays open until `stop`, since their results are still to be written.
     */
    finish: () => boss.stop({ close: false, timeout: FINISH_TIMEOUT_MS }),
    stop: () => boss.stop({ timeout: FINISH_TIMEOUT_MS }),
  }
}
