// Wipes: when servers started new worlds, added by their owners or detected by polls.
export { detectWipe, noteFingerprints } from './detection.service.ts'
export { recordWipe } from './recording.ts'
export { wipesOperations } from './wipes.operations.ts'
export { forgetFingerprint, type WorldFingerprint } from './wipes.sql.ts'
