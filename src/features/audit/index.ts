// The door of the audit log: what was done with power over others, kept for good.
export { type AuditEntry, recordAction } from './audit.sql.ts'
