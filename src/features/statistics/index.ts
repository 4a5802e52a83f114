// Statistics: totals of the directory by game and country.
export { statisticsOperations } from './statistics.operations.ts'
