// The door of wipes: when servers began anew, said by their owners or found in what they show when they are polled.
import type { Route } from '../../platform/http/route.ts'
import { wipesRoutes } from './wipes.routes.ts'
import { createWipesService, type WipesOptions } from './wipes.service.ts'

export { recordWipe } from './recording.ts'
export { detectWipe, type WipeSigns } from './signs.ts'
export { noteSigns } from './wipes.service.ts'
export type { Sighting } from './wipes.sql.ts'

export interface WipesRoom {
  routes: Route[]
}

export function createWipes(options: WipesOptions): WipesRoom {
  return { routes: wipesRoutes(createWipesService(options)) }
}
