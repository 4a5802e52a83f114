// The door of placements: ad slots, what runs in them, and which servers that features.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import { placementsRoutes } from './placements.routes.ts'
import { createPlacementsService } from './placements.service.ts'
import { createSlotsService } from './slots.service.ts'

export { placementTurn } from './placements.jobs.ts'
export { SlotTier } from './placements.schema.ts'
export { startPlacement, stopPlacement, turnPlacements } from './placements.service.ts'
export { hasPlacement, refreshFeatured } from './placements.sql.ts'
export { findActiveSlots, holdSlot } from './slots.sql.ts'

export interface PlacementsRoom {
  routes: Route[]
}

export function createPlacements(deps: Pick<Deps, 'pool' | 'settings'>): PlacementsRoom {
  return { routes: placementsRoutes(createPlacementsService(deps), createSlotsService(deps)) }
}
