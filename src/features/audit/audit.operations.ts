// The administrators' view of the audit log.
import { operation } from '../../platform/http/operation.ts'
import { AuditQuery, AuditRecords } from './audit.schema.ts'
import { findEntries } from './audit.store.ts'

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
    handle: ({ db, query }) => findEntries(db, query),
  }),
]
