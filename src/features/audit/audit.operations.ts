// The administrators' view of the audit log.
import { operation } from '../../platform/http/operation.ts'
import { paginate } from '../../platform/http/paging.ts'
import { AuditQuery, AuditRecords } from './audit.schema.ts'
import { countEntries, findEntries } from './audit.store.ts'

export const auditOperations = [
  operation({
    method: 'get',
    path: '/admin/audit',
    operationId: 'listAuditLog',
    tag: 'Administration',
    summary:
      'List audit entries: administrators’ actions, ownership transfers, resets that removed access, deleted accounts, RCON commands; ' +
      'newest first',
    access: 'admin',
    query: AuditQuery,
    returns: AuditRecords,
    handle: ({ db, query: { actorId, targetId, action, ...page } }) => {
      const filter = { actorId, targetId, action }
      return paginate('entries', page, {
        count: () => countEntries(db, filter),
        find: (range) => findEntries(db, filter, range),
      })
    },
  }),
]
