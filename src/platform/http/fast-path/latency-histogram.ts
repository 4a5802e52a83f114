// A Prometheus histogram of latencies that finds its series by maps. prom-client's makes a text of the labels for each
// observation, which took 3 % of a list page's CPU time (docs/decisions/0003).
import type { Metric, MetricValueWithName } from 'prom-client'
import { registry } from '../../observability/metrics.ts'

/** Labels of a series: the route's pattern, the method, and `2xx` for a status of 200 to 299. */
interface SeriesLabels {
  route: string
  method: string
  status_class: string
}

interface Series {
  labels: SeriesLabels
  /** Observations by bucket, each in one: the last has those above all bounds. */
  counts: number[]
  sum: number
}

/** @param options.buckets upper bounds in seconds, ascending */
export function createLatencyHistogram(options: { name: string; help: string; buckets: readonly number[] }) {
  const { name, help, buckets } = options
  /** By route, then by method and class of the status. */
  const byRoute = new Map<string, Map<string, Series>>()

  function seriesOf(route: string, method: string, statusClass: string): Series {
    const ofRoute = byRoute.get(route) ?? new Map<string, Series>()
    const key = `${method} ${statusClass}`
    const known = ofRoute.get(key)
    if (known) return known
    const labels = { route, method, status_class: statusClass }
    const series = { labels, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }
    byRoute.set(route, ofRoute.set(key, series))
    return series
  }

  /** A series as the exposition format has it: buckets include all below them. */
  function valuesOf({ labels, counts, sum }: Series): MetricValueWithName<string>[] {
    let count = 0
    const cumulated = counts.map((ofBucket, index) => {
      count += ofBucket
      return { metricName: `${name}_bucket`, labels: { le: buckets[index] ?? '+Inf', ...labels }, value: count }
    })
    return [
      ...cumulated,
      { metricName: `${name}_sum`, labels: { ...labels }, value: sum },
      { metricName: `${name}_count`, labels: { ...labels }, value: count },
    ]
  }

  const allSeries = () => [...byRoute.values()].flatMap((ofRoute) => [...ofRoute.values()])
  const metric = {
    name,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: allSeries().flatMap(valuesOf) }),
    reset: () => byRoute.clear(),
  }
  registry.registerMetric(metric as unknown as Metric)

  return {
    observe(route: string, method: string, status: number, seconds: number): void {
      const series = seriesOf(route, method, `${Math.floor(status / 100)}xx`)
      let bucket = 0
      while (bucket < buckets.length && seconds > (buckets[bucket] as number)) bucket++
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sum += seconds
    },
  }
}
