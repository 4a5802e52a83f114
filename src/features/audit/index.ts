// Audit log: privileged actions, appended in the transaction of the action and never deleted.
export { auditOperations } from './audit.operations.ts'
export { auditAs, changesBetween, eraseIdentities, recordAction } from './audit.store.ts'
export { personalData } from './personal-data.ts'
