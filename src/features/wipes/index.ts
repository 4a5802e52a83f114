// Wipes: when servers started over, added by their owners or detected by polls.
export { noteSigns } from './detection.service.ts'
export { recordWipe } from './recording.ts'
export { detectWipe, type WipeSigns } from './signs.ts'
export { wipesOperations } from './wipes.operations.ts'
export type { Sighting } from './wipes.sql.ts'
