// Reports: problems with listings that users report, and the queue of them for moderators and administrators.
export { reportsOperations } from './reports.operations.ts'
export { personalData } from './personal-data.ts'
