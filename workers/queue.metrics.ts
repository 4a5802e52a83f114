// Metrics of the queues: the jobs this worker handled, and how many wait in all queues.
import { Counter, Histogram } from 'prom-client'
import type { Deps } from '../src/deps.ts'
import { listQueues } from '../src/features/queues/index.ts'
import { exposeGauge } from '../src/platform/observability/metrics.ts'
import { createGaugeReader } from './database-gauges.ts'

export const jobsTotal = new Counter({
  name: 'directory_jobs_total',
  help: 'Jobs this worker handled, by queue and outcome: completed, failed (retried, if retries are left), deadletter',
  labelNames: ['queue', 'outcome'] as const,
})

export const jobSeconds = new Histogram({
  name: 'directory_job_duration_seconds',
  help: 'Time a handler took, by queue',
  labelNames: ['queue'] as const,
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
})

/**
 * All workers expose the same numbers: a dashboard takes the maximum. The gauges are absent while the database does not
 * answer.
 */
export function exposeQueues({ pool, log }: Pick<Deps, 'pool' | 'log'>): void {
  const known = createGaugeReader(log, 'queues', async () => (await listQueues(pool)).queues)

  exposeGauge({
    name: 'directory_queue_jobs',
    help: 'Jobs by queue and state: ready, active, deferred, failed, dead (in its dead letter queue), lost (of a dead worker)',
    labelNames: ['queue', 'state'],
    async collect() {
      this.reset()
      for (const queue of await known()) {
        const { name, ready, active, deferred, failed, dead, lostJobs } = queue
        for (const [state, jobs] of Object.entries({ ready, active, deferred, failed, dead, lost: lostJobs }))
          this.set({ queue: name, state }, jobs)
      }
    },
  })
  exposeGauge({
    name: 'directory_queue_oldest_ready_seconds',
    help: 'How long the oldest ready job has waited, by queue; 0 if there is none',
    labelNames: ['queue'],
    async collect() {
      this.reset()
      for (const { name, oldestAgeSeconds } of await known()) this.set({ queue: name }, oldestAgeSeconds ?? 0)
    },
  })
}
