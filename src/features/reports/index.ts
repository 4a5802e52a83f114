// Reports: problems with listings that users report, and the queue of them for moderators and administrators.

export { personalData } from './personal-data.ts'
export { reportsOperations } from './reports.operations.ts'
