// The door of the audit log: what was done with power over others, kept for good.
import type { Deps } from '../../deps.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { AuditQuery, AuditRecords } from './audit.schema.ts'
import { countEntries, findEntries } from './audit.sql.ts'

export { recordAction } from './audit.sql.ts'
export { changesBetween } from './changes.ts'

export interface Audit {
  routes: Route[]
}

export function createAudit({ pool }: Pick<Deps, 'pool'>): Audit {
  const listAuditLog = route({
    method: 'get',
    path: '/admin/audit',
    operationId: 'listAuditLog',
    tag: 'Administration',
    summary:
      'What administrators did, who took listings over, resets that removed access, and RCON commands; newest first',
    access: 'admin',
    query: AuditQuery,
    returns: AuditRecords,
    async handle({ query: { page, limit, actorId, targetId, action } }) {
      const filter = { actorId, targetId, action }
      const total = await countEntries(pool, filter)
      const rows = await findEntries(pool, filter, { limit, offset: offsetOf({ page, limit }) })
      const entries = rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
      return { entries, pagination: paginationOf({ page, limit }, total) }
    },
  })
  return { routes: [listAuditLog] }
}
