// Metrics of the queues: the jobs this worker handled, and how many wait in all queues.
import { Counter, Gauge, Histogram } from 'prom-client'
import type { listQueues } from '../src/features/queues/index.ts'
import type { Log } from '../src/platform/observability/log.ts'
import { registry } from '../src/platform/observability/metrics.ts'

const registers = [registry]

export const jobsTotal = new Counter({
  name: 'directory_jobs_total',
  help: 'Jobs this worker handled, by queue and outcome: completed, failed (retried, if retries are left), deadletter',
  labelNames: ['queue', 'outcome'] as const,
  registers,
})

export const jobSeconds = new Histogram({
  name: 'directory_job_duration_seconds',
  help: 'Time a handler took, by queue',
  labelNames: ['queue'] as const,
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  registers,
})

/** How long counts are reused, so that several scrapers do not each cause a count. */
const REUSE_MS = 5_000

type States = ReturnType<typeof listQueues>

/**
 * All workers expose the same numbers: a dashboard takes the maximum. The gauges are absent while the database does not
 * answer.
 */
export function exposeQueues(readStates: () => States, log: Log): void {
  const names = ['directory_queue_jobs', 'directory_queue_oldest_ready_seconds'] as const
  for (const name of names) registry.removeSingleMetric(name)
  let counted: { at: number; states: States } | undefined
  function states(): States {
    if (!counted || Date.now() - counted.at > REUSE_MS) counted = { at: Date.now(), states: readStates() }
    return counted.states
  }

  new Gauge({
    name: names[0],
    help: 'Jobs by queue and state: ready, active, deferred, failed, dead (in its dead letter queue), lost (of a dead worker)',
    labelNames: ['queue', 'state'] as const,
    registers,
    async collect() {
      this.reset()
      for (const queue of await known()) {
        const { name, ready, active, deferred, failed, dead, lostJobs } = queue
        for (const [state, jobs] of Object.entries({ ready, active, deferred, failed, dead, lost: lostJobs }))
          this.set({ queue: name, state }, jobs)
      }
    },
  })
  new Gauge({
    name: names[1],
    help: 'How long the oldest ready job has waited, by queue; 0 if there is none',
    labelNames: ['queue'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { name, oldestAgeSeconds } of await known()) this.set({ queue: name }, oldestAgeSeconds ?? 0)
    },
  })

  async function known() {
    try {
      return (await states()).queues
    } catch (err) {
      counted = undefined
      log.warn({ err }, 'queues can’t be counted')
      return []
    }
  }
}
