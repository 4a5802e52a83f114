// Administration: all servers and accounts, and statistics.
export { adminOperations } from './admin.operations.ts'
