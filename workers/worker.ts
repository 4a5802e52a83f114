// The worker process: handlers on their queues, schedules, the tick, and a small server for health and metrics.
import { setTimeout as sleep } from 'node:timers/promises'
import cron from 'node-cron'
import pTimeout from 'p-timeout'
import type { Job } from 'pg-boss'
import type { Deps } from '../src/deps.ts'
import { isUnadoptedCopy } from '../src/platform/db/installation.ts'
import { databaseCheck, queueCheck, startHealthServer } from '../src/platform/http/health.ts'
import { withCause } from '../src/platform/observability/cause.ts'
import type { Log } from '../src/platform/observability/log.ts'
import { openWorkerJobs, splitCause } from '../src/platform/queue/jobs.ts'
import type { ProcessWork } from '../src/process.ts'
import { createClaimChecker } from './claims/claim-check.handler.ts'
import { createDiscoverer } from './discovery/discovery.handler.ts'
import { exposeSources } from './discovery/discovery.metrics.ts'
import { createHistoryMover } from './history/mover.ts'
import { PermanentJobError } from './permanent-job-error.ts'
import { listsOf } from './polling/announced-lists.ts'
import { createPoller } from './polling/poller.ts'
import { exposeQueues, jobSeconds, jobsTotal } from './queue.metrics.ts'
import {
  CONCURRENT_POLL_BATCHES,
  EVERY_TEN_SECONDS,
  EVERY_TWO_SECONDS,
  jobTable,
  type Registration,
  registrationsOf,
} from './registry.ts'
import { createProber } from './servers/probe.handler.ts'
import { createDispatcher, type Dispatcher } from './webhooks/dispatcher.ts'

export const worker: ProcessWork = {
  openQueue: openWorkerJobs,
  async start(deps, opened) {
    const { settings, log, primary } = deps
    let atWork = false
    const health = await startHealthServer({
      host: settings.HOST,
      port: settings.WORKER_PORT,
      checks: [
        databaseCheck(deps.pool),
        queueCheck(deps.jobs),
        { name: 'handlers', check: () => (atWork ? undefined : 'starting') },
      ],
      log,
      primary,
    })
    opened.push(health.stop)
    opened.push(await startWorker(deps))
    atWork = true
    return health.port
  },
}

/** How often loops look for new jobs while the connection that listens for them is lost. */
const LOOK_WITHOUT_NOTIFY_SECONDS = 1

/**
 * Starts all handlers, or none.
 * @param parts that a test replaces
 * @returns how to stop: no new work, then what runs gets its time, then the queue is closed
 */
export async function startWorker(deps: Deps, parts: { webhooks?: Dispatcher } = {}): Promise<() => Promise<void>> {
  const { log, jobs } = deps
  exposeQueues(deps)
  exposeSources(deps)
  const lists = listsOf(deps)
  const poller = createPoller(deps, { batchesAtOnce: CONCURRENT_POLL_BATCHES, lists })
  const claimChecker = createClaimChecker(deps, lists)
  const prober = createProber(deps, lists)
  const discoverer = createDiscoverer(deps, { lists })
  const webhooks = parts.webhooks ?? createDispatcher(deps)
  const registrations = registrationsOf(jobTable(deps, { poller, claimChecker, prober, discoverer, webhooks }))
  const historyMover = createHistoryMover(deps)
  const stopping = new AbortController()
  const ticks: ReturnType<typeof cron.schedule>[] = []
  const stop = async () => {
    stopping.abort()
    for (const tick of ticks) await tick.destroy()
    discoverer.stop()
    // All stop at the same time, so that no queue takes jobs while this waits for another one.
    await Promise.all([poller.drain(), webhooks.drain(), historyMover.stop(), jobs.finish()])
    await jobs.stop()
    await webhooks.close()
    poller.close()
    claimChecker.close()
    prober.close()
    discoverer.close()
  }
  try {
    for (const registration of registrations) if (!registration.reachesOut) await work(deps, registration)
    const held = registrations.filter(({ reachesOut }) => reachesOut)
    await onceAdopted(deps, stopping.signal, async () => {
      for (const registration of [...held]) {
        await work(deps, registration)
        held.shift() // a repeated start continues after it
      }
      webhooks.start()
    })
  } catch (error) {
    // Some queues are already being processed.
    await stop().catch((err: unknown) => log.warn({ err }, 'a failed start could not be stopped completely'))
    throw error
  }

  const options = { noOverlap: true, logger: cronLog(log) }
  ticks.push(
    cron.schedule(EVERY_TWO_SECONDS, () => poller.tick(), { ...options, name: 'enqueue due servers' }),
    cron.schedule(EVERY_TEN_SECONDS, () => historyMover.tick(), { ...options, name: 'move history' }),
  )
  void poller.tick()
  log.info({ queues: registrations.map(({ contract }) => contract.queue) }, 'worker started')
  return stop
}

const ADOPTED_LOOK_MS = 2_000

/**
 * Starts the jobs that call external services: at once or, on a restored copy, after an operator has adopted it.
 * @param start called again if it failed after an adoption; it continues where it stopped
 */
async function onceAdopted({ pool, log }: Deps, signal: AbortSignal, start: () => Promise<void>): Promise<void> {
  if (!(await isUnadoptedCopy(pool))) return start()
  log.warn('this database is a restored copy: mails, webhooks and payments wait until `npm run adopt`')
  async function startLater(): Promise<void> {
    for (;;) {
      await sleep(ADOPTED_LOOK_MS, undefined, { signal }).catch(() => undefined)
      try {
        if (!signal.aborted && (await isUnadoptedCopy(pool))) continue
        if (signal.aborted) return
        await start()
        return log.info('this database was adopted: mails, webhooks and payments are sent')
      } catch (err) {
        log.warn({ err }, 'mails, webhooks and payments still wait: the database did not answer correctly')
      }
    }
  }
  void startLater()
}

/** A late or overlapping tick is not logged: the next makes up for it, and the poll lag metric shows it. */
function cronLog(log: Log) {
  const say = (message: string | Error) => log.debug({ message: String(message) }, 'tick')
  const fail = (message: string | Error, err?: Error) => log.error({ err: err ?? message }, 'tick failed')
  return { info: say, debug: say, warn: say, error: fail }
}

async function work(deps: Deps, registration: Registration): Promise<void> {
  const { contract, loops, fetch, lookSeconds, schedule } = registration
  const { boss } = deps.jobs
  // First, because it is idempotent: a start that fails here is retried.
  if (schedule) await boss.schedule(contract.queue, schedule, {}, { tz: 'UTC', missed: 'once' })
  await boss.work(
    contract.queue,
    {
      localConcurrency: loops,
      batchSize: fetch,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: schedule ? lookSeconds : LOOK_WITHOUT_NOTIFY_SECONDS,
      notifyPollingIntervalSeconds: lookSeconds,
      perJobResults: true,
    },
    async (batch) => Promise.all(batch.map((job) => runJob(deps, registration, job))),
  )
}

/** Time to write results before they count as expired. */
const EXPIRY_MARGIN_SECONDS = 5

/**
 * Ends a job that takes too long before it expires: when one job expires, pg-boss fails all jobs of its fetch, also
 * those that have completed. Does not wait for a handler that ignores its signal.
 */
function runWithinExpiry(
  run: (signal: AbortSignal) => Promise<unknown>,
  { expireInSeconds, signal }: Pick<Job, 'expireInSeconds' | 'signal'>,
): Promise<unknown> {
  const limitSeconds = expireInSeconds - EXPIRY_MARGIN_SECONDS
  const timeout = new AbortController()
  return pTimeout(run(AbortSignal.any([signal, timeout.signal])), {
    milliseconds: limitSeconds * 1_000,
    fallback() {
      const error = new Error(
        `not finished within ${limitSeconds} s: jobs of this queue expire after ${expireInSeconds} s`,
      )
      timeout.abort(error)
      throw error
    },
  })
}

/** Runs one job with its cause, in its own span, timed and counted. */
async function runJob(
  { log, tracing }: Pick<Deps, 'log' | 'tracing'>,
  { contract, handle }: Registration,
  job: Job<unknown>,
) {
  const { id, data } = job
  const { queue } = contract
  const stopTimer = jobSeconds.startTimer({ queue })
  const { payload, cause } = splitCause(data)
  const { requestId } = cause
  const span = tracing?.start({ name: queue, kind: 'consumer', parent: cause.traceparent })
  const result = (status: 'completed' | 'failed' | 'deadletter', output?: object) => {
    stopTimer()
    jobsTotal.inc({ queue, outcome: status })
    const attributes = { 'messaging.message.id': id, 'directory.request_id': requestId }
    span?.end({ hasFailed: status !== 'completed', attributes })
    return { id, status, ...(output && { output }) }
  }
  try {
    const returned = await withCause(span ? { ...cause, traceparent: span.traceparent } : cause, () =>
      runWithinExpiry((signal) => handle(contract.payload.parse(payload), signal, id), job),
    )
    return result('completed', contract.keepsResult ? (returned as object) : undefined)
  } catch (err) {
    const status = err instanceof PermanentJobError ? 'deadletter' : 'failed'
    log.error({ err, queue, jobId: id, requestId }, status === 'failed' ? 'job failed' : 'job given up')
    return result(status, { message: (err as Error).message })
  }
}
