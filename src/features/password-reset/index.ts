// Changes and resets of passwords, with the access that other features grant.
export { passwordResetOperations } from './password-reset.operations.ts'
