// Prometheus metrics of the database connections.
import { Gauge } from 'prom-client'
import { registry } from '../observability/metrics.ts'
import type { Pool } from './pool.ts'

const NAME = 'directory_database_pool_connections'

/** Makes the gauge report `pool`. */
export function exposePool(pool: Pool): void {
  registry.removeSingleMetric(NAME)
  new Gauge({
    name: NAME,
    help: 'Database connections: busy, idle, and how many requests wait for one',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}
