// Placements: ad slots, what runs in them, and which servers are featured.
export { createPlacedServersReader } from './placed.ts'
export { placementUpdate } from './placements.jobs.ts'
export { placementsOperations } from './placements.operations.ts'
export { SlotTier } from './placements.schema.ts'
export { startPlacement, stopPlacement, updatePlacements } from './placements.service.ts'
export { deletePlacementsOf, hasPlacement, refreshFeatured } from './placements.sql.ts'
export { findActiveSlots, lockSlot, lockSlotForShare } from './slots.store.ts'
