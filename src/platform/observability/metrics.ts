// The process' Prometheus registry, prom-client's default. Each feature declares its own metrics, named
// directory_<what>_<unit>.
import { collectDefaultMetrics, Gauge, type GaugeConfiguration, register } from 'prom-client'

export const registry = register
collectDefaultMetrics()
// Gauges whose names end as those of counters must; the same numbers are in those without the ending, by type.
for (const name of ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'])
  registry.removeSingleMetric(name)

/** Makes a gauge that reports one instance of a part: the last opened, as tests open several in a process. */
export function exposeGauge<Label extends string = never>(configuration: GaugeConfiguration<Label>): void {
  registry.removeSingleMetric(configuration.name)
  new Gauge(configuration)
}
