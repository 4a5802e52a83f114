// Passwords and mailed tokens. No transaction is held while a password is hashed.
import { operation } from '../../../platform/http/operation.ts'
import { Reply } from '../../../platform/http/reply-kinds.ts'
import { DONE, Success } from '../../../platform/http/success.ts'
import { Confirmation, Message, PasswordChange, ResetConfirmation, ResetRequest } from '../accounts.schema.ts'
import type { CredentialsService } from './credentials.service.ts'

const common = { tag: 'Accounts', transaction: false } as const

export function credentialsOperations(credentials: CredentialsService) {
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
        return DONE
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
        await credentials.orderVerification(actor.userId, clientKey)
        return { success: true, message: 'If the address is not verified yet, a mail is on its way to it.' }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/auth/password-reset',
      operationId: 'requestPasswordReset',
      summary: 'Mail a token that sets a new password',
      description: 'The reply is the same whether there is an account or not. At most 3 mails an hour to an address.',
      body: ResetRequest,
      returns: Message,
      errors: [403],
      async handle({ body, clientKey }) {
        await credentials.orderReset(body.email, clientKey)
        return {
          success: true,
          message: 'If there is an account with this address, a mail is on its way to it.',
        }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/auth/password-reset/confirm',
      operationId: 'confirmPasswordReset',
      summary: 'Set a new password with the token from the mail',
      description:
        'A token works once, for one hour. All sessions of the account end and none is opened: log in. If the address was not ' +
        'verified before, everything that gave access to the account or its notifications is removed: linked identities, API keys, ' +
        'the chat webhook and subscriptions; a mail lists it. Listed servers and votes stay.',
      body: ResetConfirmation,
      returns: Success,
      codes: ['invalid_token'],
      errors: [403],
      async handle({ body, req }) {
        const device = await credentials.reset(body, req.headers.cookie)
        return new Reply(DONE, { headers: [device] })
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/user/password',
      operationId: 'changePassword',
      summary: 'Change the password, or set the first one',
      description:
        'All other sessions of the account end; this one continues under a new cookie. A wrong current password is 401 ' +
        '`invalid_credentials`. `email_needed`: the account has no e-mail address to log in with.',
      access: 'session',
      body: PasswordChange,
      returns: Success,
      codes: ['email_needed'],
      async handle({ actor, body, req }) {
        return new Reply(DONE, { headers: await credentials.changePassword(actor.userId, body, req.headers.cookie) })
      },
    }),
  ]
}
