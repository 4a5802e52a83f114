// Reports: problems with listings that users report, and the administrators' queue of them.
export { reportsOperations } from './reports.operations.ts'
