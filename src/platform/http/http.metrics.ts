// Prometheus metrics of requests, and of clients that read slowly or send too much.
import { Counter } from 'prom-client'
import { exposeGauge } from '../observability/metrics.ts'
import { createLatencyHistogram } from './fast-path/latency-histogram.ts'

const latency = createLatencyHistogram({
  name: 'directory_http_request_duration_seconds',
  help: 'Time from a request’s first byte to the last byte of its reply, by route pattern, method and status class',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

/** Methods that clients make up share one label value, so that the number of series is bounded. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** @param route declared path; undefined if no route matched */
export function observeRequest(method: string, route: string | undefined, status: number, seconds: number): void {
  latency.observe(route ?? 'none', METHODS.has(method) ? method : 'other', status, seconds)
}

export type CutOffReason = 'stalled' | 'client_bytes' | 'process_bytes'

export const cutOffs = new Counter({
  name: 'directory_http_cut_off_total',
  help: 'Connections cut off, by reason: a reply made no progress, or too many bytes were buffered for one client or for all',
  labelNames: ['reason'] as const,
})

export const refusedConnections = new Counter({
  name: 'directory_http_connections_refused_total',
  help: 'Connections closed on accept because their address had too many open',
})

export const exposeHeldBytes = (read: () => number) =>
  exposeGauge({
    name: 'directory_http_held_bytes',
    help: 'Bytes of replies that clients have not read yet, and of bodies that they are sending',
    collect() {
      this.set(read())
    },
  })
