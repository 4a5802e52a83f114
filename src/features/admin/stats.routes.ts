// The administrators' endpoint of statistics.
import type { Pool } from '../../platform/db/pool.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Stats } from './stats.schema.ts'
import { readStats } from './stats.sql.ts'
import type { NamedAdmins } from './users.sql.ts'

export function statsRoute(deps: { pool: Pool; named: NamedAdmins }): Route {
  return route({
    method: 'get',
    path: '/admin/stats',
    operationId: 'getAdminStats',
    tag: 'Administration',
    summary: 'How many there are of everything',
    access: 'admin',
    returns: Stats,
    handle: () => readStats(deps.pool, deps.named),
  })
}
