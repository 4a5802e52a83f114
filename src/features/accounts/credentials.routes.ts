// HTTP of passwords and mailed tokens.
import { Reply, type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { setCookies } from './accounts.routes.ts'
import { Confirmation, Message, PasswordChange, ResetConfirmation, ResetRequest } from './accounts.schema.ts'
import type { CredentialsService } from './credentials.service.ts'

const TAG = 'Accounts'

export function credentialsRoutes({ credentials }: { credentials: CredentialsService }): Route[] {
  return [
    route({
      method: 'post',
      path: '/auth/verify-email',
      operationId: 'verifyEmail',
      tag: TAG,
      summary: 'Prove the e-mail address with the token from the mail',
      description:
        'A token works once, for 24 hours, and only while the account has the address it was sent to. It counts together with the ' +
        'account’s password, or with a session that the password has opened; `password_needed`: neither was given. Who does not know ' +
        'the password resets it.',
      body: Confirmation,
      returns: Success,
      codes: ['invalid_token', 'password_needed'],
      errors: [401, 403],
      async handle({ body, req }) {
        await credentials.verify(body, req.headers.cookie)
        return DONE
      },
    }),
    route({
      method: 'post',
      path: '/auth/verify-email/send',
      operationId: 'sendVerification',
      tag: TAG,
      summary: 'Mail the token that proves the address again',
      description: 'At most 3 mails an hour. Nothing is sent when the address is proved already or there is none.',
      access: 'session',
      returns: Message,
      async handle({ actor }) {
        await credentials.orderVerification(actor.userId)
        return { success: true as const, message: 'If the address still needs proof, a mail is on its way to it.' }
      },
    }),
    route({
      method: 'post',
      path: '/auth/password-reset',
      operationId: 'requestPasswordReset',
      tag: TAG,
      summary: 'Mail a token that sets a new password',
      description: 'The answer is the same whether there is an account or not. At most 3 mails an hour to an address.',
      body: ResetRequest,
      returns: Message,
      errors: [403],
      async handle(input) {
        await credentials.orderReset(input.body.email, input.visitor)
        return {
          success: true as const,
          message: 'If there is an account with this address, a mail is on its way to it.',
        }
      },
    }),
    route({
      method: 'post',
      path: '/auth/password-reset/confirm',
      operationId: 'confirmPasswordReset',
      tag: TAG,
      summary: 'Set a new password with the token from the mail',
      description:
        'A token works once, for one hour. All sessions of the account end and none is opened: log in. If the address was not proved ' +
        'before, everything that gave access to the account or its news without that proof is removed: linked identities, API keys, ' +
        'the chat webhook and subscriptions; a mail says what. Listed servers and votes stay.',
      body: ResetConfirmation,
      returns: Success,
      codes: ['invalid_token'],
      errors: [403],
      async handle({ body, req }) {
        const device = await credentials.reset(body, req.headers.cookie)
        return new Reply(DONE, { headers: setCookies([device]) })
      },
    }),
    route({
      method: 'post',
      path: '/user/password',
      operationId: 'changePassword',
      tag: TAG,
      summary: 'Change the password, or set the first one',
      description:
        'All other sessions of the account end; this one goes on under a new cookie. A wrong current password is 401 ' +
        '`invalid_credentials`. `email_needed`: the account has no e-mail address to log in with.',
      access: 'session',
      body: PasswordChange,
      returns: Success,
      codes: ['email_needed'],
      async handle({ actor, body, req }) {
        const cookies = await credentials.changePassword(actor.userId, body, req.headers.cookie)
        return new Reply(DONE, { headers: setCookies(cookies) })
      },
    }),
  ]
}
