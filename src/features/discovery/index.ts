// Discovery: servers that sources find and list without an owner.

export { announcementOperations } from './announcements.operations.ts'
export { type Announcement, beginCheck, findAnnounced, recordCheck } from './announcements.sql.ts'
export { isOptedOut } from './blocks.sql.ts'
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
export { type Placed, placeServers, previewServers, type Refusal, returnServers } from './placing.service.ts'
export { countByNetwork, type FoundServer, findBlockedHosts, findNamedListings } from './placing.sql.ts'
export {
  countMissing,
  findStates,
  type RunResult,
  recordFailure,
  recordResult,
  recordStart,
  takeTurn,
} from './runs.sql.ts'
export { listSources } from './sources.service.ts'
export { runDiscoveryUpkeep } from './upkeep.service.ts'
