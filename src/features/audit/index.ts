// The door of the audit log: what was done with power over others, kept for good.
export { recordAction } from './audit.sql.ts'
