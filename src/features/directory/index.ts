// The directory: every listed server in memory, synchronized with the database, and the public endpoints served from
// it.
import type { Deps } from '../../deps.ts'
import { serverUrl } from '../../platform/db/pooler.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { createDirectoryService, type DirectoryService } from './directory.service.ts'
import { createPlayerHoursLoader, type PlayerHoursSource } from './engine/player-hours-loader.ts'
import { createSnapshot } from './engine/snapshot.ts'
import { createTrending, type Trending } from './engine/trending.ts'
import { createChangesService } from './feed/changes.service.ts'
import { createFeed, FEED_TIMING, type Feed, type FeedTiming } from './feed/feed.ts'
import { createLiveHub, HUB_TIMING, type HubTiming } from './feed/live-hub.ts'
import { createFeedStandby, STANDBY_TIMING, type StandbyTiming } from './feed/standby.ts'
import { directoryOperations } from './http/directory.operations.ts'
import { liveOperations } from './http/live.operations.ts'
import { viewsOperations } from './http/views.operations.ts'
import { createViewsService } from './http/views.service.ts'
import { observeDirectory } from './metrics.ts'

export { continentOf, isCountry } from './countries.ts'
export { noSuchServer } from './directory.service.ts'
export { isListedServer, LISTING_FIELDS, listedIn, notifyDirectory } from './directory.sql.ts'
export { ServerBrief, ServerDetail, ServerParams } from './http/directory.schema.ts'
export { serverLink } from './http/server-link.ts'

/** Of the features votes and history, which depend on this one. */
export interface DirectorySources extends PlayerHoursSource {
  /** Votes of the last 24 hours by server id. */
  recentVotes(): Promise<ReadonlyMap<string, number>>
}

export interface Directory extends Feed {
  operations: Operation[]
  /** What is shown now, for other endpoints of the directory. */
  shown: Pick<DirectoryService, 'fresh' | 'find' | 'brief' | 'totalsByGame' | 'totalsByCountry'>
  trending: Trending
  /** Ends the live streams and refuses new ones. Call it before the process stops listening. */
  endStreams(): void
}

/**
 * The routes answer 503 until `start` has resolved, and while the snapshot is older than
 * DIRECTORY_MAX_STALENESS_SECONDS. Opens one database connection.
 */
export function createDirectory(
  {
    settings,
    log,
    clock,
    recentVotes,
    completeTo,
    playersOfHour,
  }: Pick<Deps, 'settings' | 'log' | 'clock'> & DirectorySources,
  timing: FeedTiming = FEED_TIMING,
  hubTiming: HubTiming = HUB_TIMING,
  standbyTiming: StandbyTiming = STANDBY_TIMING,
): Directory {
  let snapshot = createSnapshot(clock())
  const { DATABASE_READ_URL: readUrl } = settings
  const feed = createFeed({
    url: serverUrl(settings),
    standby: readUrl
      ? createFeedStandby({ url: readUrl, log, clock, timing: standbyTiming, answerMs: timing.answerMs })
      : undefined,
    log,
    clock,
    timing,
    requireVerified: settings.LISTING_REQUIRES_VERIFICATION,
    current: () => snapshot,
    publish: (loaded) => {
      snapshot = loaded
    },
    afterRead: () => hub.changed(),
  })
  const trending = createTrending({ recentVotes, log, clock })
  const playerHours = createPlayerHoursLoader({ completeTo, playersOfHour }, { current: () => snapshot, clock, log })
  const service = createDirectoryService({
    trending,
    playerHours,
    clock,
    current: () => snapshot,
    ageSeconds: feed.ageSeconds,
    maxAgeSeconds: settings.DIRECTORY_MAX_STALENESS_SECONDS,
    justWipedDays: settings.JUST_WIPED_DAYS,
  })
  const changes = createChangesService({
    fresh: service.fresh,
    position: feed.position,
    refresh: feed.refresh,
    requireVerified: settings.LISTING_REQUIRES_VERIFICATION,
  })
  const hub = createLiveHub({ log, view: changes.view, isFollowable: changes.isFollowable, timing: hubTiming })
  observeDirectory({
    ageSeconds: feed.ageSeconds,
    servers: () => snapshot.taken.size,
    textBytes: () => snapshot.records.bytes(),
    streams: hub.size,
    isOnStandby: readUrl ? feed.isOnStandby : undefined,
  })
  return {
    ...feed,
    async start() {
      await feed.start()
      // The site's list shows them, to its first visitor too.
      if (settings.SITE === 'on') playerHours.refresh()
    },
    async stop() {
      hub.stop()
      await playerHours.stop()
      await feed.stop()
    },
    shown: service,
    trending,
    endStreams: hub.stop,
    operations: [
      ...directoryOperations(service),
      ...liveOperations({ changes, hub, streamsPerAddress: settings.STREAMS_PER_ADDRESS }),
    ],
  }
}

/** Figures of other features that these endpoints show. */
export interface ViewSources {
  /** Highest player count of the last 24 hours by server id; absent for a server without answered polls. */
  peaks(ids: readonly string[]): Promise<Map<string, number>>
}

/** The endpoints besides the lists: mods, comparison, suggestions. */
export function createDirectoryViews({
  directory: { shown, trending },
  peaks,
}: ViewSources & { directory: Pick<Directory, 'shown' | 'trending'> }): { operations: Operation[] } {
  return { operations: viewsOperations(createViewsService({ ...shown, peaks, trending })) }
}
