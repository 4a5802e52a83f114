// Reports: problems with listings that users report and suspicious votes that a job finds, in one queue for
// moderators and administrators.

export { fileFindings, type NewFinding } from './findings.sql.ts'
export { personalData } from './personal-data.ts'
export { reportsOperations } from './reports.operations.ts'
export type { Signal } from './reports.schema.ts'
