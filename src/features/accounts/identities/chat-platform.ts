// Identifies a user on the chat platform by Discord's OAuth 2 with PKCE
// (https://discord.com/developers/docs/topics/oauth2).
import type { Configuration } from 'openid-client'
import * as z from 'zod'
import type { ProcessSettings } from '../../../platform/config/settings.ts'
import { loginFailed, providerUnavailable } from './provider-errors.ts'
import type { Identity } from './provider-login.service.ts'

const TIMEOUT_SECONDS = 10

/** https://discord.com/developers/docs/resources/user: `email` and `verified` come with the scope `email`. */
const User = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string(),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
})

/** @returns undefined if login through the chat platform is not configured */
export function createChatPlatform(settings: ProcessSettings) {
  const { DISCORD_CLIENT_ID: id, DISCORD_CLIENT_SECRET: secret, DISCORD_BASE_URL: base } = settings
  if (!id || !secret) return undefined
  const callback = `${settings.PUBLIC_BASE_URL}/api/auth/chat/callback`

  return {
    /** The URL that the browser is redirected to. */
    async loginUrl({ state, verifier }: { state: string; verifier: string }): Promise<string> {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openIdClient()
      return buildAuthorizationUrl(await configure(base, id, secret), {
        redirect_uri: callback,
        scope: 'identify email',
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },

    /**
     * Redeems the authorization code and requests the user it belongs to.
     * @param answer the callback's query, whose state is already checked; RFC 6749 §4.1.2: one of `code` and `error` is
     *   present
     * @throws ApiError 400 provider_login_failed; 503 if the platform does not answer or rejects our credentials
     */
    async identify(
      { code, error }: { code?: string | undefined; error?: string | undefined },
      { state, verifier }: { state: string; verifier: string },
    ): Promise<Identity> {
      if (!code && !error) throw loginFailed('bad_answer', 'The reply has no code. Start again.')
      const answer = new URL(
        `${callback}?${new URLSearchParams({ state, ...(error ? { error } : { code: code ?? '' }) })}`,
      )
      const { authorizationCodeGrant, fetchProtectedResource } = await openIdClient()
      const config = await configure(base, id, secret)
      try {
        const tokens = await authorizationCodeGrant(config, answer, {
          expectedState: state,
          pkceCodeVerifier: verifier,
        })
        const me = new URL(`${base}/api/v10/users/@me`)
        const response = await fetchProtectedResource(config, tokens.access_token, me, 'GET')
        if (!response.ok) throw new Error(`${me.pathname} answered ${response.status}`)
        const user = User.parse(await response.json())
        return {
          provider: 'chat',
          id: user.id,
          names: [user.global_name ?? '', user.username],
          email: user.verified === true ? (user.email ?? undefined) : undefined,
        }
      } catch (failure) {
        throw await explain(failure)
      }
    },
  }
}

/** Loaded at the first login through the platform, which most processes never see. */
const openIdClient = () => import('openid-client')

async function configure(base: string, clientId: string, clientSecret: string): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretPost, Configuration } = await openIdClient()
  const endpoints = {
    issuer: base,
    authorization_endpoint: `${base}/oauth2/authorize`,
    token_endpoint: `${base}/api/v10/oauth2/token`,
  }
  const configuration = new Configuration(endpoints, clientId, {}, ClientSecretPost(clientSecret))
  configuration.timeout = TIMEOUT_SECONDS
  // The library refuses plain http by default. A base URL with http is an explicit choice of the operator.
  if (base.startsWith('http:')) allowInsecureRequests(configuration)
  return configuration
}

async function explain(error: unknown) {
  const { AuthorizationResponseError, ResponseBodyError } = await openIdClient()
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied'
      ? loginFailed('cancelled', 'You denied access on the chat platform.', error)
      : loginFailed('refused', 'The chat platform refused the login.', error)
  // RFC 6749 §5.2: a code that is unknown, used, expired or from another flow. Other refusals concern our client, not
  // the visitor.
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return loginFailed('code_refused', 'The chat platform does not accept the code. Start again.', error)
  return providerUnavailable('chat', error)
}
