// Login through the chat platform and the game platform: the browser is redirected there and back.
import type { Request } from 'express'
import * as z from 'zod'
import type { Deps } from '../../../deps.ts'
import { confirmationNeeded } from '../../../platform/http/authorize.ts'
import type { CookieJar } from '../../../platform/http/cookies.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { operation } from '../../../platform/http/operation.ts'
import { Redirect } from '../../../platform/http/reply-kinds.ts'
import { MAX_SITE_PATH, SITE_PATH } from '../../../platform/http/site-path.ts'
import { SUCCESS, Success } from '../../../platform/http/success.ts'
import { maxLength } from '../../../platform/text.ts'
import type { Sessions } from '../login/sessions.ts'
import type { MailAllowance } from '../mails/mail-allowance.ts'
import { createChatPlatform } from './chat-platform.ts'
import { createGamePlatform } from './game-platform.ts'
import { PLATFORM_NAMES, PROVIDERS, type Provider } from './identities.store.ts'
import { createProviderFlows } from './provider-flow.ts'
import { createProviderLogin, type Identity } from './provider-login.service.ts'

const TAG = 'Accounts'
const OPERATION: Record<Provider, string> = { chat: 'Chat', gameplatform: 'GamePlatform' }

const single = z.string('must be given once').check(maxLength(2_000))
const state = single.describe('The `state` that was sent to the platform').default('')
const ChatAnswer = z.object({
  state,
  code: single.describe('Authorization code of the platform').optional(),
  error: single.describe('Instead of the code, if access was denied').optional(),
})
const GamePlatformAnswer = z
  .object({ state: single.describe('The `state` in the return address').default('') })
  .describe('With the fields of an OpenID 2.0 response')

const SitePath = z
  .string('must be given once')
  .check(maxLength(MAX_SITE_PATH))
  .regex(SITE_PATH, 'must be a path of this site, like /my/servers')

const LoginMethods = z
  .object({
    password: z.boolean().describe('`POST /auth/login`'),
    chat: z.boolean().describe('`GET /auth/chat`, in a browser'),
    gameplatform: z.boolean().describe('`GET /auth/gameplatform`, in a browser'),
  })
  .meta({ id: 'LoginMethods' })

/**
 * The callbacks get the cookie although another site redirects to them: browsers send it with navigation
 * (SameSite=Lax).
 */
export function providerOperations(deps: Deps & { jar: CookieJar; sessions: Sessions; allowance: MailAllowance }) {
  const { pool, settings, clock, jar, sessions } = deps
  const flows = createProviderFlows({ pool, secret: settings.APP_SECRET, jar, clock })
  const login = createProviderLogin(deps)
  const chat = createChatPlatform(settings)
  const gamePlatform = createGamePlatform({ pool, clock, settings })

  async function begin(
    provider: Provider,
    { req, next }: { req: Request; next: string | undefined },
    loginUrl: (flow: { state: string; verifier: string }) => Promise<string> | string,
  ): Promise<Redirect> {
    const actor = await sessions.bySession(req.headers.cookie, req)
    // A foreign page could log the visitor in to the platform as itself and have that identity linked.
    if (actor && req.headers['sec-fetch-site'] === 'cross-site')
      throw new ApiError(403, 'forbidden', 'Pages of other origins can’t link an identity.')
    if (actor && !(await login.mayLink(actor))) {
      if (settings.SITE === 'off') throw confirmationNeeded()
      return new Redirect(
        `${settings.PUBLIC_BASE_URL}/account/confirm?${new URLSearchParams({ next: next ?? '/account' })}`,
      )
    }
    const { cookie, ...flow } = flows.begin(provider, { userId: actor?.userId, next })
    return new Redirect(await loginUrl(flow), [cookie])
  }

  async function finish(
    provider: Provider,
    req: Request,
    givenState: string,
    identify: (flow: { state: string; verifier: string }) => Promise<Identity>,
  ): Promise<Redirect> {
    const { cookie } = req.headers
    const flow = await flows.finish(provider, cookie, givenState)
    const identity = await identify(flow)
    const headers = [jar.clear(`${provider}_flow`)]
    const destination = settings.PUBLIC_BASE_URL + (flow.next ?? '/')
    if (flow.userId !== undefined) {
      await login.link(identity, flow.userId, cookie)
      return new Redirect(destination, headers)
    }
    const opened = await login.logIn(identity, cookie)
    if ('session' in opened) return new Redirect(destination, [...headers, opened.session])
    const secondStep = `${settings.PUBLIC_BASE_URL}/login/second-step`
    const query = flow.next === undefined ? '' : `?${new URLSearchParams({ next: flow.next })}`
    return new Redirect(secondStep + query, [...headers, opened.secondStep])
  }

  const redirect = (provider: Provider) => ({
    method: 'get' as const,
    path: `/auth/${provider}` as const,
    operationId: `begin${OPERATION[provider]}Login`,
    tag: TAG,
    summary: `Redirect the browser to the ${PLATFORM_NAMES[provider]} to log in or, with a session, to link the identity`,
    description:
      'An account with a second factor links an identity only within ten minutes after a confirmation, and one with neither a second ' +
      'factor nor a password within ten minutes after a login. Else the browser is led to `/account/confirm`.',
    redirects: true,
    query: z.object({ next: SitePath.optional().describe('Path of the site that the browser is led to at the end') }),
    unknownInput: 'ignored' as const,
    returns: z.undefined(),
    errors: [403] as 403[],
  })

  const callback = (provider: Provider) => ({
    method: 'get' as const,
    path: `/auth/${provider}/callback` as const,
    operationId: `finish${OPERATION[provider]}Login`,
    tag: TAG,
    summary: `Complete a login through the ${PLATFORM_NAMES[provider]}, which redirects the browser here`,
    description:
      'Logs in, or links the identity to the account whose session started it. `provider_login_failed`: the message gives the reason; ' +
      '`identity_taken`: the identity is linked to another account; `confirmation_needed`: the login or the confirmation has become ' +
      'older than ten minutes. An account with a second factor gets no session yet: the browser is ' +
      'led to `/login/second-step`, with a cookie that names the login.',
    redirects: true,
    unknownInput: 'ignored' as const,
    returns: z.undefined(),
    codes: ['provider_login_failed', 'identity_taken'],
    errors: [403] as 403[],
  })

  return [
    operation({
      method: 'get',
      path: '/auth/methods',
      operationId: 'listLoginMethods',
      tag: TAG,
      summary: 'List the ways to log in here',
      returns: LoginMethods,
      handle: () => ({ password: true, chat: chat !== undefined, gameplatform: true }),
    }),
    ...(chat // a platform that is not configured has no login: 404, and no operations in the document
      ? [
          operation({
            ...redirect('chat'),
            handle: ({ req, query: { next } }) => begin('chat', { req, next }, chat.loginUrl),
          }),
          operation({
            ...callback('chat'),
            query: ChatAnswer,
            handle: ({ query, req }) => finish('chat', req, query.state, (flow) => chat.identify(query, flow)),
          }),
        ]
      : []),
    operation({
      ...redirect('gameplatform'),
      handle: ({ req, query: { next } }) =>
        begin('gameplatform', { req, next }, ({ state }) => gamePlatform.loginUrl(state)),
    }),
    operation({
      ...callback('gameplatform'),
      query: GamePlatformAnswer,
      handle: ({ query, req }) =>
        finish('gameplatform', req, query.state, (flow) =>
          gamePlatform.identify(req.url.slice(req.url.indexOf('?') + 1), flow.state),
        ),
    }),
    ...PROVIDERS.map((provider) =>
      operation({
        method: 'post',
        path: `/user/unlink/${provider}`,
        operationId: `unlink${OPERATION[provider]}`,
        tag: 'User',
        summary: `Unlink the identity of the ${PLATFORM_NAMES[provider]} from your account`,
        description:
          'Ends the sessions opened by this identity, except this one. `last_login_method`: no other way to log in is left. An account ' +
          'with neither a password nor a second factor needs a login of the last ten minutes (else 403 `confirmation_needed`).',
        access: 'session',
        stepUp: true,
        returns: Success,
        codes: ['last_login_method'],
        async handle({ tx, actor }) {
          await login.unlink(tx, actor, provider)
          return SUCCESS
        },
      }),
    ),
  ]
}
