// The door of RCON: owners' commands to their game servers, sent by a worker.
import type { Route } from '../../platform/http/route.ts'
import { rconRoutes } from './rcon.routes.ts'
import { createRconService, type RconOptions } from './rcon.service.ts'

export { type RconOrder, rconCommand, rconUpkeep } from './rcon.jobs.ts'
export { createRconRunner, type SendRcon } from './runner.service.ts'
export { runRconUpkeep } from './upkeep.service.ts'

export interface Rcon {
  routes: Route[]
}

export function createRcon(options: RconOptions): Rcon {
  return { routes: rconRoutes(createRconService(options)) }
}
