// The redirect to a provider and back: started and completed by the same browser, once, within ten minutes.
import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../../deps.ts'
import { isEqual } from '../../../platform/constant-time.ts'
import type { Pool } from '../../../platform/db/pool.ts'
import type { CookieJar } from '../../../platform/http/cookies.ts'
import { insertNonce, type Provider } from './identities.store.ts'
import { loginFailed } from './provider-errors.ts'

const MINUTES = 10

/** Stores nothing until a flow completes: state and verifier are derived from the cookie's nonce with APP_SECRET. */
export function createProviderFlows(options: { pool: Pool; secret: string; jar: CookieJar; clock: Clock }) {
  const { pool, secret, jar, clock } = options
  const derive = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\n')).digest('base64url')
  const stateOf = (provider: Provider, nonce: string) => derive('provider state', provider, nonce)
  const verifierOf = (provider: Provider, nonce: string) => derive('provider verifier', provider, nonce)
  const sign = (provider: Provider, content: string) => `${content}.${derive('provider flow', provider, content)}`

  return {
    /**
     * @param options.userId the user whose session starts the flow, to link an identity; undefined: to log in
     * @param options.next a path of the site, returned when the flow is completed
     * @returns `state`: returned by the provider, useless without the cookie; `verifier`: the PKCE code verifier
     *   (RFC 7636), secret until the code is redeemed; `cookie`: a `Set-Cookie` header
     */
    begin(provider: Provider, { userId, next = '' }: { userId?: string | undefined; next?: string | undefined }) {
      const nonce = randomBytes(16).toString('base64url')
      const value = sign(
        provider,
        `${nonce}.${clock() + MINUTES * 60_000}.${userId ?? ''}.${Buffer.from(next).toString('base64url')}`,
      )
      return {
        state: stateOf(provider, nonce),
        verifier: verifierOf(provider, nonce),
        cookie: jar.set(`${provider}_flow`, value, MINUTES * 60),
      }
    },

    /**
     * Completes a flow that this browser started. Without the cookie an attacker could send a visitor to the callback
     * of the attacker's flow, which would log the visitor in as the attacker or link the attacker's identity (RFC 6749
     * §10.12).
     * @param cookies the Cookie header
     * @param state as the provider returned it
     * @throws ApiError 400 provider_login_failed
     */
    async finish(provider: Provider, cookies: string | undefined, state: string) {
      const ours = jar.read(cookies, `${provider}_flow`).filter((value) => {
        const content = value.slice(0, Math.max(value.lastIndexOf('.'), 0))
        return isEqual(value, sign(provider, content))
      })
      if (ours.length === 0)
        throw loginFailed('no_flow', 'This browser did not start a login, or started it too long ago. Start again.')
      const found = ours
        .map((value) => value.split('.'))
        .find(([nonce = '']) => isEqual(stateOf(provider, nonce), state))
      if (!found) throw loginFailed('bad_state', 'The reply belongs to another login attempt. Start again.')
      const [nonce = '', expiry = '', userId = '', next = ''] = found
      const expiresAt = new Date(Number(expiry))
      if (clock() >= expiresAt.getTime())
        throw loginFailed('expired', `The login took longer than ${MINUTES} minutes. Start again.`)
      if (!(await insertNonce(pool, `flow ${provider} ${nonce}`, expiresAt)))
        throw loginFailed('used', 'This login attempt was already completed. Start again.')
      return {
        state,
        verifier: verifierOf(provider, nonce),
        userId: userId || undefined,
        next: Buffer.from(next, 'base64url').toString() || undefined,
      }
    },
  }
}
