// Discovery: servers that sources find and list without an owner.

export { isOptedOut } from './blocks.sql.ts'
export {
  isPublishersList,
  PUBLISHERS_LISTS,
  type PublishersList,
  requireKnownSources,
} from './catalog.ts'
export { discovery, jobs } from './discovery.jobs.ts'
export { discoveryOperations } from './discovery.operations.ts'
export { type Placed, placeServers, previewServers, type Refusal, returnServers } from './placing.service.ts'
export { type FoundServer, findBlockedHosts, findNamedListings } from './placing.sql.ts'
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
