// What a request to delete an account contains.
import * as z from 'zod'
import { givenPassword } from '../accounts/index.ts'

export const AccountDeletion = z.object({
  password: givenPassword.optional().describe('Needed if the account has a password'),
})
