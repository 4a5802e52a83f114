// Metrics of player history.
import { Counter } from 'prom-client'
import { registry } from '../../platform/observability/metrics.ts'

export const unreadableTotal = new Counter({
  name: 'directory_history_unreadable_total',
  help: 'Chunks of player history that this process could not decode and set aside, by the table they were in (recent, open, months)',
  labelNames: ['source'] as const,
  registers: [registry],
})
