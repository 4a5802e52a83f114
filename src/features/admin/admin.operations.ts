// Administrators' operations, except those that belong to another feature.
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import { Stats } from './admin.schema.ts'
import { firstStepsOperations } from './first-steps.ts'
import { listingFilesOperations } from './listing-files.operations.ts'
import { listingsOperations } from './listings.operations.ts'
import { readStats } from './stats.sql.ts'
import { usersOperations } from './users.operations.ts'

export const adminOperations = ({ pool, jobs, settings }: Pick<Deps, 'pool' | 'jobs' | 'settings'>) => [
  ...listingFilesOperations({ pool, settings }),
  ...listingsOperations({ jobs }),
  ...usersOperations({ jobs, settings }),
  ...firstStepsOperations({ settings }),
  operation({
    method: 'get',
    path: '/admin/stats',
    operationId: 'getAdminStats',
    tag: 'Administration',
    summary: 'Count accounts, sessions, keys, servers, claims and polls',
    access: 'admin',
    returns: Stats,
    handle: ({ db }) => readStats(db, settings),
  }),
]
