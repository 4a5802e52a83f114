// Compares the histogram of latencies with prom-client's.
import { Histogram, type MetricValueWithName, Registry, register } from 'prom-client'
import { expect, it, onTestFinished } from 'vitest'
import { createLatencyHistogram } from '../../../src/platform/http/fast-path/latency-histogram.ts'

const OPTIONS = { name: 'latency_seconds', help: 'Latency', buckets: [0.001, 0.01, 1] }
const OBSERVED = [
  ['/servers', 'GET', 200, 0.0005],
  ['/servers', 'GET', 200, 0.01], // on a bound: in its bucket
  ['/servers', 'GET', 204, 5],
  ['/servers', 'GET', 404, 0.5],
  ['/servers', 'HEAD', 200, 0.002],
  ['a "quoted" route\n', 'GET', 500, 0],
] as const

function observeAll() {
  const ours = createLatencyHistogram(OPTIONS)
  onTestFinished(() => register.removeSingleMetric(OPTIONS.name))
  const theirs = new Registry()
  const histogram = new Histogram({
    ...OPTIONS,
    registers: [theirs],
    labelNames: ['route', 'method', 'status_class'] as const,
  })
  for (const [route, method, status, seconds] of OBSERVED) {
    ours.observe(route, method, status, seconds)
    histogram.observe({ route, method, status_class: `${Math.floor(status / 100)}xx` }, seconds)
  }
  return theirs
}

it('the text for Prometheus is prom-client’s', async () => {
  const theirs = observeAll()
  expect(await register.getSingleMetricAsString(OPTIONS.name)).toBe(await theirs.getSingleMetricAsString(OPTIONS.name))
})

it('the values that several processes add up are prom-client’s', async () => {
  const [theirs] = await observeAll().getMetricsAsJSON()
  const ours = (await register.getMetricsAsJSON()).find(({ name }) => name === OPTIONS.name)
  expect(ours).toEqual({ ...theirs, values: expect.anything() })
  const lines = (metric: typeof theirs) =>
    metric?.values.map(({ metricName, labels, value }: MetricValueWithName<string>) => ({ metricName, labels, value }))
  expect(lines(ours)).toEqual(lines(theirs))
})
