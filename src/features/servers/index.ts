// The door of listings: what a server in the directory is, and how one gets in and out.
import type { Route } from '../../platform/http/route.ts'
import { managementRoutes } from './management.routes.ts'
import { createManagementService, type ManagementOptions } from './management.service.ts'

export { mayBeAsked } from './address.ts'
export { isGameType, suggestGames, usualGamePort, usualQueryPort } from './game-types.ts'
export { games } from './games.ts'
export { setHidden } from './management.sql.ts'
export { lockManaged, requireManaged } from './ownership.ts'
export { listedServer, managedServer, ServerIdParams } from './resources.ts'
export { NewServer, type NewServerInput } from './servers.schema.ts'
export { createServers, type Servers } from './servers.service.ts'
export { deleteServer, type ListedServer } from './servers.sql.ts'

export interface ServerManagement {
  routes: Route[]
}

/** What owners do with their servers; operators use `createServers`. */
export function createServerManagement(options: ManagementOptions): ServerManagement {
  return { routes: managementRoutes(createManagementService(options)) }
}
