// The API's table of contents: every room it serves, and what must be well for it to be ready.
import type { Deps } from './deps.ts'
import type { ApiKeys } from './features/api-keys/index.ts'
import type { Directory } from './features/directory/index.ts'
import type { Favorites } from './features/favorites/index.ts'
import type { Authenticator } from './platform/http/actor.ts'
import { databaseCheck, queueCheck } from './platform/http/health.ts'
import { createHttpApp, type HttpApp } from './platform/http/http-app.ts'
import { openLimitStore } from './platform/http/limit-stores.ts'
import { createLimits } from './platform/http/limits.ts'
import type { Route } from './platform/http/route.ts'

export interface Rooms {
  directory: Pick<Directory, 'routes' | 'ageSeconds'>
  accounts: { routes: Route[]; bySession: Authenticator['bySession'] }
  apiKeys: Pick<ApiKeys, 'routes' | 'byKey'>
  favorites: Favorites
}

export interface App extends HttpApp {
  /** From now on /readyz answers 503 and each connection is closed after its reply. */
  drain(): void
  /** Closes what the app opened itself: the store of the limits. */
  close(): Promise<void>
}

/** @param extraRoutes endpoints of a test's own */
export async function createApp(deps: Deps, rooms: Rooms, extraRoutes: Route[] = []): Promise<App> {
  const { settings, log, pool, jobs, clock } = deps
  const store = await openLimitStore({ store: settings.RATE_LIMIT_STORE, databaseUrl: settings.DATABASE_URL, log })
  const limits = createLimits({ store, log, clock })
  let stopping = false

  const http = createHttpApp({
    settings,
    log,
    limits,
    routes: [
      ...rooms.directory.routes,
      ...rooms.accounts.routes,
      ...rooms.apiKeys.routes,
      ...rooms.favorites.routes,
      ...extraRoutes,
    ],
    authenticator: { byKey: rooms.apiKeys.byKey, bySession: rooms.accounts.bySession },
    checks: [databaseCheck(pool), queueCheck(jobs), directoryCheck(rooms.directory, settings)],
    isStopping: () => stopping,
  })
  return {
    ...http,
    drain() {
      stopping = true
    },
    close: () => limits.stop(),
  }
}

function directoryCheck(
  directory: Rooms['directory'],
  settings: Pick<Deps['settings'], 'DIRECTORY_MAX_STALENESS_SECONDS'>,
) {
  return {
    name: 'directory',
    check() {
      const age = directory.ageSeconds()
      if (age <= settings.DIRECTORY_MAX_STALENESS_SECONDS) return undefined
      return age === Infinity ? 'not loaded yet' : `last in step with the database ${Math.round(age)} s ago`
    },
  }
}
