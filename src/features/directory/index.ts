// The directory: every listed server in memory, synchronized with the database, and the public endpoints served from
// it.
import type { Deps } from '../../deps.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { directUrlOf } from '../../platform/db/pooler.ts'
import { createReadDb } from '../../platform/db/read-db.ts'
import type { AppearanceListener } from '../appearance/index.ts'
import { findPeaks, findPlayersByHour, findPlayersOfHour, readHoursTo } from '../history/index.ts'
import { findPlacesOfMonth, findRecentVotes } from '../votes/index.ts'
import { createDirectoryService } from './directory.service.ts'
import { createPlayerHoursLoader, type PlayerHoursSource } from './engine/player-hours-loader.ts'
import { createPreviousPlacesLoader, type PlacesSource } from './engine/previous-places-loader.ts'
import { createTrending, type TrendingSource } from './engine/trending.ts'
import { createChangesService } from './feed/changes.service.ts'
import { createFeed, FEED_TIMING, type FeedTiming } from './feed/feed.ts'
import { createLiveHub, HUB_TIMING, type HubTiming } from './feed/live-hub.ts'
import { createFeedStandby } from './feed/standby.ts'
import { directoryOperations } from './http/directory.operations.ts'
import { liveOperations } from './http/live.operations.ts'
import { type PeaksSource, viewsOperations } from './http/views.operations.ts'
import { observeDirectory } from './metrics.ts'

export type { Brief } from './directory.service.ts'
export type { RankedServer } from './engine/monthly-standings.ts'
export { ServerBrief, ServerDetail } from './http/directory.schema.ts'

/** The reads of votes and history that the directory shows. */
const readFrom = (readDb: Sql): TrendingSource & PlayerHoursSource & PlacesSource & PeaksSource => ({
  recentVotes: () => findRecentVotes(readDb),
  completeTo: () => readHoursTo(readDb),
  playersOfHour: (range) => findPlayersOfHour(readDb, range),
  playersByHour: (serverIds, hours) => findPlayersByHour(readDb, serverIds, hours),
  peaks: (ids) => findPeaks(readDb, ids),
  placesOfMonth: (range) => findPlacesOfMonth(readDb, range),
})

interface DirectoryParts extends Pick<Deps, 'settings' | 'log' | 'clock' | 'pool'> {
  /** Is notified on the directory's connection when the site's appearance changes. */
  appearance?: AppearanceListener
}

export type Directory = ReturnType<typeof createDirectory>

/**
 * The routes answer 503 until `start` has resolved, and while the snapshot is older than
 * DIRECTORY_MAX_STALENESS_SECONDS. Opens one database connection, and those to the standby of DATABASE_READ_URL.
 */
export function createDirectory(
  { settings, log, clock, pool, appearance }: DirectoryParts,
  timing: FeedTiming = FEED_TIMING,
  hubTiming: HubTiming = HUB_TIMING,
) {
  const { DATABASE_READ_URL: readUrl, LISTING_REQUIRES_VERIFICATION: requireVerified } = settings
  const feed = createFeed({
    url: directUrlOf(settings),
    standby: readUrl ? createFeedStandby({ url: readUrl, log, clock, answerMs: timing.answerMs }) : undefined,
    log,
    clock,
    timing,
    requireVerified,
    baseUrl: settings.PUBLIC_BASE_URL,
    afterRead: () => hub.changed(),
    appearance,
  })
  const readDb = createReadDb({ settings, log, pool, isFollowed: feed.isOnStandby })
  const sources = readFrom(readDb)
  const trending = createTrending({ ...sources, log, clock })
  const playerHours = createPlayerHoursLoader(sources, { current: feed.current, clock, log })
  const previousPlaces = createPreviousPlacesLoader(sources, { current: feed.current, clock, log })
  const service = createDirectoryService({ ...feed, settings, clock, trending, playerHours, previousPlaces })
  const changes = createChangesService({ ...feed, ...service, requireVerified })
  const hub = createLiveHub({ ...changes, log, timing: hubTiming })
  observeDirectory({
    ageSeconds: feed.ageSeconds,
    servers: () => feed.current().taken.size,
    textBytes: () => feed.current().records.bytes(),
    streams: hub.size,
    isOnStandby: readUrl ? feed.isOnStandby : undefined,
  })
  return {
    ...feed,
    /** Runs statements that may read outdated rows: on the standby while the feed follows it. */
    readDb,
    async start() {
      await feed.start()
      // The site's list shows both, and its first visitor must see them too.
      if (settings.SITE !== 'on') return
      playerHours.refresh()
      previousPlaces.refresh()
    },
    async stop() {
      hub.stop()
      await playerHours.stop()
      await previousPlaces.stop()
      await feed.stop()
      await readDb.stop()
    },
    /** The snapshot's answers, for other features. */
    lookup: { ...service, cursor: changes.cursor },
    /** Ends the live streams and refuses new ones. Call it before the process stops listening. */
    endStreams: hub.stop,
    operations: [
      ...directoryOperations(service),
      ...liveOperations({ changes, hub, streamsPerAddress: settings.STREAMS_PER_ADDRESS }),
    ],
    /** The endpoints besides the lists: mods, comparison, suggestions. */
    viewOperations: viewsOperations({ ...service, ...sources, trending }),
  }
}
