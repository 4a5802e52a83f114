// Assembles the API: every feature it serves, and the checks of its readiness.
import type { Deps } from './deps.ts'
import { accountDeletionOperations } from './features/account-deletion/index.ts'
import { activityOperations } from './features/activity/index.ts'
import { adminOperations } from './features/admin/index.ts'
import { alertsOperations, browsersOperations } from './features/alerts/index.ts'
import { apiKeysOperations } from './features/api-keys/index.ts'
import { appearanceOperations, notifyAppearance } from './features/appearance/index.ts'
import { auctionsOperations } from './features/auctions/index.ts'
import { auditOperations } from './features/audit/index.ts'
import { claimsOperations, claimsPages } from './features/claims/index.ts'
import { contactOperations } from './features/contact/index.ts'
import { announcementOperations, discoveryOperations } from './features/discovery/index.ts'
import { facesOperations, findImage, IMAGES_FOLDER } from './features/faces/index.ts'
import { favoritesOperations } from './features/favorites/index.ts'
import { gamesOperations } from './features/games/index.ts'
import { historyOperations } from './features/history/index.ts'
import { listingsOperations, recognitionOperations } from './features/listings/index.ts'
import {
  chatWebhookOperations,
  mailSettingsOperations,
  notificationPages,
  notificationsOperations,
} from './features/notifications/index.ts'
import { passwordResetOperations } from './features/password-reset/index.ts'
import { personalDataOperations } from './features/personal-data/index.ts'
import { createPlacedServersReader, placementsOperations } from './features/placements/index.ts'
import { findIcon, ICONS_FOLDER } from './features/profiles/index.ts'
import { pushOperations } from './features/push/index.ts'
import { queuesOperations } from './features/queues/index.ts'
import { rconOperations } from './features/rcon/index.ts'
import { remindersOperations } from './features/reminders/index.ts'
import { reportsOperations } from './features/reports/index.ts'
import { rewardsOperations } from './features/rewards/index.ts'
import { notifyDirectory } from './features/servers/index.ts'
import { createSite } from './features/site/index.ts'
import { findMonthsWithStandings, standingsOperations } from './features/standings/index.ts'
import { statisticsOperations } from './features/statistics/index.ts'
import { teamsOperations } from './features/teams/index.ts'
import { createVoteProgress, votesOperations } from './features/votes/index.ts'
import { endpointsOperations } from './features/webhooks/index.ts'
import { widgetsOperations } from './features/widgets/index.ts'
import { wipesOperations } from './features/wipes/index.ts'
import type { Features } from './features.ts'
import { FIELD_EXAMPLES } from './field-examples.ts'
import type { LoadBounds } from './platform/http/client-load.ts'
import { databaseCheck, queueCheck, type ReadinessCheck } from './platform/http/health.ts'
import { createHttpApp, type HttpApp } from './platform/http/http-app.ts'
import type { Operation } from './platform/http/operation.ts'

export interface App extends HttpApp {
  /** Checks that must pass for the process to be ready. */
  checks: ReadinessCheck[]
  /** From now on /readyz answers 503, and each connection is closed after its reply. */
  drain(): void
}

/**
 * @param extraOperations of a test
 * @param loadBounds replaces the bounds of production
 */
export function createApp(
  deps: Deps,
  features: Features,
  extraOperations: Operation[] = [],
  loadBounds: Partial<LoadBounds> = {},
): App {
  const { settings, log, pool, jobs } = deps
  const progress = createVoteProgress({ pool, log })
  let stopping = false

  const checks: ReadinessCheck[] = [
    { name: 'accepting', check: () => (stopping ? 'stopping' : undefined) },
    // While the database is away, the directory is answered from memory, until `directory` is too old.
    { ...databaseCheck(pool), optional: true },
    { ...queueCheck(jobs), optional: true },
    {
      name: 'directory',
      check() {
        const age = features.directory.ageSeconds()
        if (age <= settings.DIRECTORY_MAX_STALENESS_SECONDS) return undefined
        return age === Infinity ? 'not loaded yet' : `last synchronized with the database ${Math.round(age)} s ago`
      },
    },
    features.billing.check,
  ]
  const http = createHttpApp({
    settings,
    log,
    pool,
    readDb: features.directory.readDb,
    limits: features.limits,
    changes: {
      directory: { announce: notifyDirectory, refresh: features.directory.refresh },
      appearance: { announce: notifyAppearance, refresh: features.appearance.refresh },
    },
    operations: [
      ...features.directory.operations,
      ...gamesOperations({ totals: features.directory.lookup.totalsByGame }),
      ...historyOperations({ ...deps, directory: features.directory }),
      ...standingsOperations({ ...deps, directory: features.directory }),
      ...statisticsOperations({ ...deps, directory: features.directory }),
      ...wipesOperations({ ...deps, directory: features.directory }),
      ...features.directory.viewOperations,
      ...widgetsOperations({ ...deps, ...features, appearance: features.appearance.current }),
      ...features.accounts.operations,
      ...passwordResetOperations({ ...deps, accounts: features.accounts }),
      ...features.accounts.profileOperations,
      ...features.accounts.secondFactorOperations,
      ...accountDeletionOperations({ ...deps, accounts: features.accounts }),
      ...personalDataOperations,
      ...features.accounts.providerOperations,
      ...apiKeysOperations(deps),
      ...favoritesOperations,
      ...alertsOperations,
      ...browsersOperations(deps),
      ...listingsOperations({ ...deps, limits: features.limits }),
      ...recognitionOperations({ ...deps, limits: features.limits }),
      ...facesOperations(deps),
      ...activityOperations(features),
      ...teamsOperations({ ...deps, accounts: features.accounts }),
      ...votesOperations({ ...deps, directory: features.directory, limits: features.limits, progress }),
      ...pushOperations(deps),
      ...remindersOperations(deps),
      ...endpointsOperations(deps),
      ...claimsOperations({ ...deps, directory: features.directory }),
      ...discoveryOperations(deps),
      ...announcementOperations({ ...deps, limits: features.limits }),
      ...rconOperations({ ...deps, limits: features.limits }),
      ...rewardsOperations(deps),
      ...reportsOperations(deps),
      ...contactOperations(deps),
      ...adminOperations(deps),
      ...appearanceOperations(deps),
      ...auditOperations,
      ...notificationsOperations,
      ...chatWebhookOperations(deps),
      ...mailSettingsOperations(deps),
      ...features.billing.operations,
      ...auctionsOperations({ ...deps, payments: features.billing.payments }),
      ...queuesOperations(deps),
      ...placementsOperations(deps),
      ...extraOperations,
    ],
    authenticator: {
      byKey: features.apiKeys.byKey,
      getCachedKeyStatus: features.apiKeys.getCachedKeyStatus,
      looksLikeKey: features.apiKeys.looksLikeKey,
      bySession: features.accounts.bySession,
    },
    pages: {
      ...features.accounts.pages,
      ...claimsPages,
      ...notificationPages,
    },
    images: [
      {
        folder: ICONS_FOLDER,
        type: 'png',
        operationId: 'getIcon',
        summary: 'Get the icon of a game server',
        read: (hash) => findIcon(pool, hash),
      },
      {
        folder: IMAGES_FOLDER,
        type: 'webp',
        sizes: [64],
        operationId: 'getImage',
        summary: 'Get the logo or banner of a server',
        read: (hash, size) => findImage(pool, hash, size === 64 ? 64 : undefined),
      },
    ],
    appearance: features.appearance.current,
    site: createSite({
      settings,
      ...features.directory.lookup,
      activity: features.activity,
      appearance: features.appearance.current,
      placed: createPlacedServersReader(deps),
      findMonthsWithStandings: (months, games) => findMonthsWithStandings(pool, months, games),
    }),
    fieldExamples: FIELD_EXAMPLES,
    checks,
    primary: deps.primary,
    isStopping: () => stopping,
    loadBounds,
  })
  return {
    ...http,
    checks,
    drain() {
      stopping = true
      features.directory.endStreams()
      progress.stop()
    },
  }
}
