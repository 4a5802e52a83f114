// Servers: which are listed, what a listing consists of, adding and removing listings; the resources that
// other features name.
export { addressOf, mayBeQueried, normalizeAddress } from './address.ts'
export { connectionOf, editionAddresses, sourceOf } from './connection.ts'
export * as listingFields from './listing-fields.ts'
export { NewServer, type NewServerInput } from './listing-fields.ts'
export {
  type DirectoryLookup,
  everListedIn,
  isListedServer,
  LISTING_FIELDS,
  listedIn,
  noSuchServer,
} from './listing-rule.ts'
export { deleteTeams, type FormerMember, grantedByOwner, isOnTeamSql } from './members.sql.ts'
export { formatMotd, type MotdRun, type MotdStyle, motdColor, parseMotd, plainMotd } from './motd.ts'
export { personalData } from './personal-data.ts'
export { deleteServer, forgetServers, OFFLINE_UNTIL_POLLED, relistServers, setHidden } from './presence.sql.ts'
export {
  findRole,
  listedServer,
  type ManagedServer,
  managedServer,
  requireImpartial,
  requireManaged,
  ServerIdParams,
} from './resources.ts'
export { MEMBER_ROLES, type MemberRole, RIGHTS, ROLES } from './roles.ts'
export { serverLink } from './server-link.ts'
export { ProbeOutput, ProbeResult, ServerProbe, serverProbe } from './servers.jobs.ts'
export {
  type AddServers,
  alreadyListed,
  createServers,
  defaultGameOf,
  listedHidden,
  portMissing,
  type RefuseListings,
  type Servers,
  toListingRow,
} from './servers.service.ts'
export {
  DIRECTORY_CHANGED,
  findAtAddresses,
  findManaged,
  findPlayedAt,
  type GameAddressMatch,
  HIDDEN_ADDRESS_DAYS,
  insertServers,
  isHiddenAddress,
  type ListingRow,
  type ListingSummary,
  notifyDirectory,
  type Transfer,
} from './servers.sql.ts'
