// Prometheus metrics of the poller.
import { Counter, Histogram } from 'prom-client'
import { exposeGauge } from '../../src/platform/observability/metrics.ts'
import type { GuardReason } from './outage-guard.ts'

export const pollsTotal = new Counter({
  name: 'directory_polls_total',
  help: 'Servers polled, by outcome: answered, or the reason why not',
  labelNames: ['outcome'] as const,
})

export const pollLagSeconds = new Histogram({
  name: 'directory_poll_lag_seconds',
  help: 'How long after its due time a server was enqueued',
  buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300],
})

export const batchSeconds = new Histogram({
  name: 'directory_poll_batch_seconds',
  help: 'Duration of a batch, from its load to its last write',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
})

export const guardTrips = new Counter({
  name: 'directory_poll_outage_guard_trips_total',
  help: 'Batches whose failures were discarded, by reason',
  labelNames: ['reason'] as const,
})

// Counters start at zero, so that the first trip is an increase.
for (const reason of ['no answers', 'event loop stalled'] satisfies GuardReason[]) guardTrips.inc({ reason }, 0)

/** @param read returns the number of running queries */
export function exposeInFlight(read: () => number): void {
  exposeGauge({
    name: 'directory_poll_queries_in_flight',
    help: 'Game servers being queried',
    collect() {
      this.set(read())
    },
  })
}
