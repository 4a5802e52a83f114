// Deletion of accounts, with all that other features hold of them.
export { accountDeletionOperations } from './account-deletion.operations.ts'
export { deleteAccount } from './account-deletion.service.ts'
