// HTTP of entering and leaving an account.
import { Reply, type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { Credentials, Registration, UserReply } from './accounts.schema.ts'
import type { AccountsService, Caller, Entry } from './accounts.service.ts'
import type { CookieJar } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'

const TAG = 'Accounts'

export const callerOf = (input: { visitor: string; req: { headers: { cookie?: string | undefined } } }): Caller => ({
  visitor: input.visitor,
  cookies: input.req.headers.cookie,
})

export const setCookies = (values: string[]) => values.map((value) => ['Set-Cookie', value] as const)

const entered = ({ user, setCookies: values }: Entry) => new Reply({ user }, { headers: setCookies(values) })

export function accountsRoutes(deps: { accounts: AccountsService; sessions: Sessions; jar: CookieJar }): Route[] {
  const { accounts, sessions, jar } = deps
  return [
    route({
      method: 'post',
      path: '/auth/register',
      operationId: 'register',
      tag: TAG,
      summary: 'Make an account and log in',
      description:
        'Sets the session cookie and mails a token that proves the address (`POST /auth/verify-email`). ' +
        '`email_taken`: there is an account with this address.',
      body: Registration,
      status: 201,
      returns: UserReply,
      codes: ['email_taken'],
      errors: [403],
      handle: async (input) => entered(await accounts.register(input.body, callerOf(input))),
    }),
    route({
      method: 'post',
      path: '/auth/login',
      operationId: 'login',
      tag: TAG,
      summary: 'Log in by e-mail address and password',
      description:
        'Sets the session cookie. A session the request came with ends. Wrong attempts are slowed down (429); a banned account is refused (403).',
      body: Credentials,
      returns: UserReply,
      errors: [401, 403],
      handle: async (input) => entered(await accounts.login(input.body, callerOf(input))),
    }),
    route({
      method: 'post',
      path: '/auth/logout',
      operationId: 'logout',
      tag: TAG,
      summary: 'End this session',
      description: 'Succeeds without a session too, and clears the cookie in any case.',
      returns: Success,
      errors: [403],
      async handle({ req }) {
        await sessions.endPresented(req.headers.cookie)
        return new Reply(DONE, { headers: setCookies([jar.clearSession()]) })
      },
    }),
    route({
      method: 'get',
      path: '/auth/session',
      operationId: 'getSession',
      tag: TAG,
      summary: 'Who is logged in',
      access: 'session',
      returns: UserReply,
      handle: async ({ actor }) => ({ user: await accounts.profile(actor.userId) }),
    }),
  ]
}
