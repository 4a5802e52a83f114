// Verifying the e-mail address. No transaction is held while a password is hashed.
import { operation } from '../../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../../platform/http/success.ts'
import { Confirmation, Message } from '../accounts.schema.ts'
import type { CredentialsService } from './credentials.service.ts'

const common = { tag: 'Accounts', transaction: false } as const

export function verificationOperations(credentials: CredentialsService) {
  return [
    operation({
      ...common,
      method: 'post',
      path: '/auth/verify-email',
      operationId: 'verifyEmail',
      summary: 'Verify the e-mail address with the token from the mail',
      description:
        'A token works once, for 24 hours, and only while the account has the address it was sent to. It needs the password of the ' +
        'account as well, or a session opened by it; `password_needed`: neither was given. To replace an unknown password, reset it.',
      body: Confirmation,
      returns: Success,
      codes: ['invalid_token', 'password_needed'],
      errors: [401, 403],
      async handle({ body, req }) {
        await credentials.verify(body, req.headers.cookie)
        return SUCCESS
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/auth/verify-email/send',
      operationId: 'sendVerification',
      summary: 'Mail the token that verifies the address again',
      description:
        'At most 3 mails an hour to a mailbox, whatever its `+tag`, that of the registration included. Nothing is sent if the address is ' +
        'already verified or there is none.',
      access: 'session',
      returns: Message,
      async handle({ actor, clientKey }) {
        await credentials.requestVerification(actor.userId, clientKey)
        return { success: true, message: 'If the address is not verified yet, a mail is on its way to it.' }
      },
    }),
  ]
}
