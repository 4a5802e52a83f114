// Discovery: servers that sources find and list without an owner.
export {
  isPublishersList,
  PUBLISHERS_LISTS,
  type PublishersList,
  requireKnownSources,
  SOURCE_NAMES,
} from './catalog.ts'
export { discovery, jobs } from './discovery.jobs.ts'
export { type Placed, placeServers, type Refusal, returnServers } from './placing.service.ts'
export { type FoundServer, findNamedListings, type NamedListing } from './placing.sql.ts'
export {
  countMissing,
  findStates,
  type RunResult,
  recordFailure,
  recordResult,
  recordStart,
  takeTurn,
} from './runs.sql.ts'
export { runDiscoveryUpkeep } from './upkeep.service.ts'
