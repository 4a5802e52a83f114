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
    summary: 'List the audit log, newest first',
    description:
      'Actions of administrators and moderators, of members of teams and about teams, transfers of servers, changes of what gives access ' +
      'to an account, deleted accounts, RCON commands.',
    access: 'admin',
    query: AuditQuery,
    returns: AuditRecords,
    handle: ({ db, query }) => findEntries(db, query),
  }),
]
