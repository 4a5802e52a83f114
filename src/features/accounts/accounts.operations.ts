// Registering, logging in and logging out. No transaction is held while a password is hashed.
import type { CookieJar } from '../../platform/http/cookies.ts'
import { operation } from '../../platform/http/operation.ts'
import { Reply } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { Credentials, Registration, UserReply } from './accounts.schema.ts'
import { type AccountsOptions, createAccountsService } from './accounts.service.ts'
import { SecondStepFields } from './second-factor/second-factor.schema.ts'

const common = { tag: 'Accounts', transaction: false } as const

export function accountsOperations({ jar, ...options }: AccountsOptions & { jar: CookieJar }) {
  const accounts = createAccountsService(options)
  return [
    operation({
      ...common,
      method: 'post',
      path: '/auth/register',
      operationId: 'register',
      summary: 'Create an account and log in',
      description:
        'Sets the session cookie and mails a token that verifies the address (`POST /auth/verify-email`). ' +
        '`email_taken`: an account has this address; this reveals that it has one, since the reply logs in and can’t wait for a mail. ' +
        'A client address may register accounts and request mails 30 times an hour. A mailbox, whatever its `+tag`, gets 3 mails an hour: ' +
        'beyond that the account is created without a mail (`POST /auth/verify-email/send` sends it later).',
      body: Registration,
      status: 201,
      returns: UserReply,
      codes: ['email_taken'],
      errors: [403],
      async handle({ body, clientKey, req }) {
        const { user, headers } = await accounts.register(body, { clientKey, cookies: req.headers.cookie })
        return new Reply({ user }, { headers })
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/auth/login',
      operationId: 'login',
      summary: 'Log in by e-mail address and password',
      description:
        'Sets the session cookie and ends the session of the request. 429 after too many wrong attempts; 403 for a banned account. ' +
        'An account with a second factor gets no session yet: the reply to the right password is 401 `second_factor_needed` with a ' +
        'cookie that names the login, and `POST /auth/second-step` completes it.',
      body: Credentials,
      returns: UserReply,
      errors: [401, 403],
      ownErrors: { second_factor_needed: { status: 401, fields: SecondStepFields } },
      async handle({ body, clientKey, req }) {
        const { user, headers } = await accounts.login(body, { clientKey, cookies: req.headers.cookie })
        return new Reply({ user }, { headers })
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/auth/logout',
      operationId: 'logout',
      summary: 'End this session',
      description: 'Succeeds without a session too. Always clears the cookie.',
      returns: Success,
      errors: [403],
      async handle({ req }) {
        await options.sessions.endPresented(req.headers.cookie)
        return new Reply(SUCCESS, { headers: [jar.clear('session')] })
      },
    }),
  ]
}
