// Prometheus metrics of the database connections.
import { exposeGauge } from '../observability/metrics.ts'
import type { Pool } from './pool.ts'

export const exposePool = (pool: Pool) =>
  exposeGauge({
    name: 'directory_database_pool_connections',
    help: 'Database connections: busy, idle, and how many requests wait for one',
    labelNames: ['state'],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
