// Wipes: when servers started new worlds, added by their owners or detected by polls.
export { detectWipe, recordFingerprints } from './detection.service.ts'
export { personalData } from './personal-data.ts'
export { recordWipe } from './recording.ts'
export { runWipesNext } from './schedule.service.ts'
export { wipesOperations } from './wipes.operations.ts'
export { deleteFingerprint, type WorldFingerprint } from './wipes.sql.ts'
