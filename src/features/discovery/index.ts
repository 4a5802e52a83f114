// Discovery: servers that sources find and list without an owner.

export { announcementOperations } from './announcements.operations.ts'
export { enqueueAnnouncementQuery } from './announcements.service.ts'
export {
  type Announcement,
  beginAnnouncementQuery,
  findAnnounced,
  recordAnnouncementQuery,
  SPACING_SECONDS,
} from './announcements.sql.ts'
export { findOptedOut } from './blocks.sql.ts'
export {
  ANNOUNCEMENTS,
  isPublishersList,
  PUBLISHERS_LISTS,
  type PublishersList,
  requireKnownSources,
  steamGameOf,
} from './catalog.ts'
export { announcement, discovery } from './discovery.jobs.ts'
export { discoveryOperations } from './discovery.operations.ts'
export { personalData } from './personal-data.ts'
export {
  type ListingOutcome,
  listFoundServers,
  type PlaceOptions,
  previewFoundServers,
  type Refusal,
  relistAnsweringServers,
} from './placing.service.ts'
export {
  countByNetwork,
  type FoundServer,
  findBlockedHosts,
  findNamedListings,
  findUnclaimedNames,
  type ResolvedNames,
} from './placing.sql.ts'
export {
  beginDueRun,
  countListingsNotFound,
  findSourceStates,
  type RunResult,
  recordRunFailure,
  recordRunInterrupted,
  recordRunResult,
  recordRunStart,
} from './runs.sql.ts'
export { listSources } from './sources.service.ts'
export { runDiscoveryUpkeep } from './upkeep.service.ts'
