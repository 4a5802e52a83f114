// Administration: all servers and accounts, and statistics.
export { adminOperations } from './admin.operations.ts'
export { MAX_IMPORT_BYTES } from './listing-files.operations.ts'
