// Latency of requests, as the Prometheus histogram directory_http_request_duration_seconds.
import { Histogram } from 'prom-client'
import { registry } from '../observability/metrics.ts'

const histogram = new Histogram({
  name: 'directory_http_request_duration_seconds',
  help: 'Time from a request’s first byte to the last byte of its reply, by route pattern, method and status class',
  labelNames: ['route', 'method', 'status_class'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

/** Methods that clients make up share one label value, so that the number of series is bounded. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** @param route declared path; undefined if no route matched */
export function observeRequest(method: string, route: string | undefined, status: number, seconds: number): void {
  histogram.observe(
    {
      route: route ?? 'none',
      method: METHODS.has(method) ? method : 'other',
      status_class: `${Math.floor(status / 100)}xx`,
    },
    seconds,
  )
}
