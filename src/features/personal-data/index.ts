// Personal data: all that is stored about an account, as one file for its user.
export { personalDataOperations } from './personal-data.operations.ts'
