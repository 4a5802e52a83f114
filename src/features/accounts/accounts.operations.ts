// Registering, logging in and logging out. No transaction is held while a password is hashed.
import { operation } from '../../platform/http/operation.ts'
import { Reply } from '../../platform/http/reply-kinds.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { Credentials, Registration, UserReply } from './accounts.schema.ts'
import type { AccountsService, Caller, Entry } from './accounts.service.ts'
import type { CookieJar } from './login/session-cookie.ts'
import type { Sessions } from './login/sessions.ts'

const common = { tag: 'Accounts', transaction: false } as const

export const callerOf = (input: { clientKey: string; req: { headers: { cookie?: string | undefined } } }): Caller => ({
  clientKey: input.clientKey,
  cookies: input.req.headers.cookie,
})

export const setCookies = (values: string[]) => values.map((value) => ['Set-Cookie', value] as const)

const entered = ({ user, setCookies: values }: Entry) => new Reply({ user }, { headers: setCookies(values) })

export function accountsOperations(deps: { accounts: AccountsService; sessions: Sessions; jar: CookieJar }) {
  const { accounts, sessions, jar } = deps
  return [
    operation({
      ...common,
      method: 'post',
      path: '/auth/register',
      operationId: 'register',
      summary: 'Create an account and log in',
      description:
        'Sets the session cookie and mails a token that verifies the address (`POST /auth/verify-email`). ' +
        '`email_taken`: an account has this address.',
      body: Registration,
      status: 201,
      returns: UserReply,
      codes: ['email_taken'],
      errors: [403],
      handle: async (input) => entered(await accounts.register(input.body, callerOf(input))),
    }),
    operation({
      ...common,
      method: 'post',
      path: '/auth/login',
      operationId: 'login',
      summary: 'Log in by e-mail address and password',
      description:
        'Sets the session cookie and ends the session of the request. 429 after too many wrong attempts; 403 for a banned account.',
      body: Credentials,
      returns: UserReply,
      errors: [401, 403],
      handle: async (input) => entered(await accounts.login(input.body, callerOf(input))),
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
        await sessions.endPresented(req.headers.cookie)
        return new Reply(DONE, { headers: setCookies([jar.clearSession()]) })
      },
    }),
  ]
}
