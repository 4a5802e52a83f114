// The directory room: every listed server in memory, kept in step with the database, and the public endpoints served from it.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import { directoryRoutes } from './directory.routes.ts'
import { createDirectoryService } from './directory.service.ts'
import { createFeed, FEED_TIMING, type Feed, type FeedTiming } from './feed.ts'
import { observeDirectory } from './metrics.ts'
import { createSnapshot } from './snapshot.ts'

export { Pagination, ServerDetail } from './directory.schema.ts'
export { isListed, notifyDirectory } from './directory.sql.ts'

export interface Directory extends Feed {
  routes: Route[]
}

/**
 * Until `start` has resolved, and whenever the snapshot is older than DIRECTORY_MAX_STALENESS_SECONDS, the routes answer 503.
 * Opens one database connection of its own.
 */
export function createDirectory(
  { settings, log, clock }: Pick<Deps, 'settings' | 'log' | 'clock'>,
  timing: FeedTiming = FEED_TIMING,
): Directory {
  let snapshot = createSnapshot(clock())
  const feed = createFeed({
    url: settings.DATABASE_URL,
    log,
    clock,
    timing,
    requireVerified: settings.LISTING_REQUIRES_VERIFICATION,
    current: () => snapshot,
    publish: (loaded) => {
      snapshot = loaded
    },
  })
  const service = createDirectoryService({
    clock,
    current: () => snapshot,
    ageSeconds: feed.ageSeconds,
    maxAgeSeconds: settings.DIRECTORY_MAX_STALENESS_SECONDS,
    justWipedDays: settings.JUST_WIPED_DAYS,
  })
  observeDirectory({
    ageSeconds: feed.ageSeconds,
    servers: () => snapshot.taken.size,
    textBytes: () => snapshot.records.bytes(),
  })
  return { ...feed, routes: directoryRoutes(service) }
}
