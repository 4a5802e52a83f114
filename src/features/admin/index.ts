// Administration: all servers and accounts, and statistics.
export { adminOperations } from './admin.operations.ts'
export { deleteAccount } from './users.service.ts'
