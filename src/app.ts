// The API's table of contents: every room it serves, and what must be well for it to be ready.
import type { Deps } from './deps.ts'
import { adminOperations } from './features/admin/index.ts'
import { apiKeysOperations } from './features/api-keys/index.ts'
import { auditOperations } from './features/audit/index.ts'
import { contactOperations } from './features/contact/index.ts'
import { notifyDirectory } from './features/directory/index.ts'
import { favoritesOperations } from './features/favorites/index.ts'
import { historyOperations } from './features/history/index.ts'
import { notificationsOperations } from './features/notifications/index.ts'
import { placementsOperations } from './features/placements/index.ts'
import { queuesOperations } from './features/queues/index.ts'
import { rconOperations } from './features/rcon/index.ts'
import { reportsOperations } from './features/reports/index.ts'
import { serversOperations } from './features/servers/index.ts'
import { webhooksOperations } from './features/webhooks/index.ts'
import { wipesOperations } from './features/wipes/index.ts'
import type { LoadBounds } from './platform/http/client-load.ts'
import { databaseCheck, queueCheck, type ReadinessCheck } from './platform/http/health.ts'
import { createHttpApp, type HttpApp } from './platform/http/http-app.ts'
import type { Route } from './platform/http/route.ts'
import type { Rooms } from './rooms.ts'

export interface App extends HttpApp {
  /** What must be well for the process to be ready. */
  checks: ReadinessCheck[]
  /** From now on /readyz answers 503 and each connection is closed after its reply. */
  drain(): void
}

/**
 * @param extraRoutes endpoints of a test's own
 * @param loadBounds other bounds than production's
 */
export function createApp(
  deps: Deps,
  rooms: Rooms,
  extraRoutes: Route[] = [],
  loadBounds: Partial<LoadBounds> = {},
): App {
  const { settings, log, pool, jobs } = deps
  let stopping = false

  const checks: ReadinessCheck[] = [
    { name: 'accepting', check: () => (stopping ? 'stopping' : undefined) },
    databaseCheck(pool),
    queueCheck(jobs),
    directoryCheck(rooms.directory, settings),
    rooms.billing.check,
  ]
  const http = createHttpApp({
    settings,
    log,
    pool,
    limits: rooms.limits,
    changes: { directory: { announce: notifyDirectory, refresh: rooms.directory.refresh } },
    routes: [
      ...rooms.directory.routes,
      ...historyOperations({ directory: rooms.directory }),
      ...wipesOperations({ ...deps, directory: rooms.directory }),
      ...rooms.views.routes,
      ...rooms.accounts.routes,
      ...apiKeysOperations,
      ...favoritesOperations,
      ...serversOperations(deps),
      ...rooms.votes.routes,
      ...webhooksOperations(deps),
      ...rooms.claims.routes,
      ...rconOperations({ ...deps, limits: rooms.limits }),
      ...reportsOperations,
      ...contactOperations(deps),
      ...adminOperations({ ...deps, accounts: rooms.accounts }),
      ...auditOperations,
      ...notificationsOperations(deps),
      ...rooms.billing.routes,
      ...rooms.auctions.routes,
      ...queuesOperations(deps),
      ...placementsOperations(deps),
      ...extraRoutes,
    ],
    authenticator: {
      byKey: rooms.apiKeys.byKey,
      recallKey: rooms.apiKeys.recallKey,
      bySession: rooms.accounts.bySession,
    },
    pages: { ...rooms.accounts.pages, ...rooms.billing.pages, ...rooms.claims.pages },
    checks,
    isStopping: () => stopping,
    loadBounds,
  })
  return {
    ...http,
    checks,
    drain() {
      stopping = true
      rooms.directory.endStreams()
    },
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
