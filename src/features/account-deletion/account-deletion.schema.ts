// What a request to delete an account contains.
import * as z from 'zod'
import { enteredPassword } from '../accounts/index.ts'

export const AccountDeletion = z.object({
  password: enteredPassword.optional().describe('Needed if the account has a password'),
})
