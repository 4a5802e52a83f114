// Administrators' operations, except those that belong to another feature.
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import type { Accounts } from '../accounts/index.ts'
import { listingsOperations } from './listings.operations.ts'
import { Stats } from './stats.schema.ts'
import { readStats } from './stats.sql.ts'
import { usersOperations } from './users.operations.ts'

interface AdminOptions extends Pick<Deps, 'jobs' | 'settings'> {
  accounts: Pick<Accounts, 'endSessions'>
}

export function adminOperations({ jobs, settings, accounts }: AdminOptions) {
  const named = { emails: settings.ADMIN_EMAILS, unverifiedToo: settings.NODE_ENV !== 'production' }
  return [
    ...listingsOperations,
    ...usersOperations({ jobs, named, endSessions: accounts.endSessions }),
    operation({
      method: 'get',
      path: '/admin/stats',
      operationId: 'getAdminStats',
      tag: 'Administration',
      summary: 'Count accounts, sessions, keys, servers, claims and polls',
      access: 'admin',
      returns: Stats,
      handle: ({ db }) => readStats(db, named),
    }),
  ]
}
