// Wipes: when servers started new worlds, added by their owners or detected by polls.
export { noteFingerprints } from './detection.service.ts'
export { recordWipe } from './recording.ts'
export { wipesOperations } from './wipes.operations.ts'
export { forgetFingerprint, type Sighting } from './wipes.sql.ts'
export { detectWipe, type WorldFingerprint } from './world-fingerprint.ts'
