// The door of listings: what a server in the directory is, and how one gets in and out.
export { mayBeAsked } from './address.ts'
export { isGameType, suggestGames, usualGamePort, usualQueryPort } from './game-types.ts'
export { games } from './games.ts'
export { setHidden } from './management.sql.ts'
export { createServerManagement } from './management.ts'
export { NewServer, type NewServerInput } from './servers.schema.ts'
export { createServers, type Servers } from './servers.service.ts'
export { deleteServer, type ListedServer } from './servers.sql.ts'
