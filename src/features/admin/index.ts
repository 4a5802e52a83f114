// The door of administration: servers and accounts, whoever's they are, and how the whole is doing.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Directory } from '../directory/index.ts'
import { listingsRoutes } from './listings.routes.ts'
import { createListingsService } from './listings.service.ts'
import { statsRoute } from './stats.routes.ts'
import { usersRoutes } from './users.routes.ts'
import { createUsersService } from './users.service.ts'

export interface Admin {
  routes: Route[]
}

interface AdminOptions extends Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'> {
  directory: Pick<Directory, 'refresh'>
  accounts: Pick<Accounts, 'endSessions'>
}

export function createAdmin({ pool, jobs, log, settings, directory, accounts }: AdminOptions): Admin {
  const named = { emails: settings.ADMIN_EMAILS, unverifiedToo: settings.NODE_ENV !== 'production' }
  const { endSessions } = accounts
  /** The write stands, whether it can be shown at once or not. */
  const show = () =>
    directory.refresh().catch((err: unknown) => log.warn({ err }, 'a change is written but not shown yet'))
  return {
    routes: [
      ...listingsRoutes(createListingsService({ pool, show })),
      ...usersRoutes(createUsersService({ pool, jobs, named, endSessions, show })),
      statsRoute({ pool, named }),
    ],
  }
}
