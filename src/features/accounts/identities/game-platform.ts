// Identifies a user on the game platform by Steam's OpenID 2.0
// (https://openid.net/specs/openid-authentication-2_0.html). Asks the platform to verify each response instead of
// sharing a key with it (§11.4.2).
import type { Deps } from '../../../deps.ts'
import { insertNonce } from './identities.store.ts'
import { loginFailed, providerUnavailable } from './provider-errors.ts'
import type { Identity } from './provider-login.service.ts'

const NAMESPACE = 'http://specs.openid.net/auth/2.0'
const SELECT = `${NAMESPACE}/identifier_select`
/** §10.1 requires these to be signed if present. We require them to be present. */
const SIGNED = ['op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle']
/** §10.1: a time, then any text; 255 characters at most. */
const NONCE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)[\x21-\x7e]{0,235}$/
/** SteamID64 of an individual account. */
const STEAM_ID = /^7656119\d{10}$/
/** Maximum age of a response, and how far the platform's clock may be ahead. */
const MAX_AGE_MS = 5 * 60_000
const TIMEOUT_MS = 10_000
const MAX_ANSWER_CHARACTERS = 10_000

export function createGamePlatform({ pool, clock, settings }: Pick<Deps, 'pool' | 'clock' | 'settings'>) {
  const endpoint = `${settings.STEAM_OPENID_BASE_URL}/login`
  const identityPrefix = `${settings.STEAM_OPENID_BASE_URL}/id/`
  /** Carries our state in a signed parameter, because the protocol has no state parameter. */
  const returnTo = (state: string) =>
    `${settings.PUBLIC_BASE_URL}/api/auth/gameplatform/callback?${new URLSearchParams({ state })}`

  return {
    /** The URL that the browser is redirected to. */
    loginUrl: (state: string) =>
      `${endpoint}?${new URLSearchParams({
        'openid.ns': NAMESPACE,
        'openid.mode': 'checkid_setup',
        'openid.claimed_id': SELECT,
        'openid.identity': SELECT,
        'openid.return_to': returnTo(state),
        'openid.realm': new URL(settings.PUBLIC_BASE_URL).origin,
      })}`,

    /**
     * Checks a response and asks the platform to verify it.
     * @param query the callback's query, whose state is already checked
     * @throws ApiError 400 provider_login_failed; 503 if the platform does not answer
     */
    async identify(query: string, state: string): Promise<Identity> {
      const answer = readAnswer(query)
      const get = (field: string) => answer.get(`openid.${field}`) ?? ''
      if (get('mode') === 'cancel') throw loginFailed('cancelled', 'You denied access on the game platform.')
      if (get('ns') !== NAMESPACE || get('mode') !== 'id_res')
        throw loginFailed('bad_answer', 'The reply is not an OpenID login.')
      const signed = get('signed').split(',')
      if (!SIGNED.every((field) => signed.includes(field) && get(field) !== ''))
        throw loginFailed('not_signed', 'A required field of the reply is not signed.')
      // Otherwise the response itself could name the server that verifies it.
      if (get('op_endpoint') !== endpoint)
        throw loginFailed('foreign_endpoint', 'The reply names an endpoint other than the game platform’s.')
      // Otherwise a response signed for another site, or for another login here, would be accepted.
      if (get('return_to') !== returnTo(state))
        throw loginFailed('bad_return', 'The reply is meant for another return address.')
      const identity = get('claimed_id')
      const id = identity.startsWith(identityPrefix) ? identity.slice(identityPrefix.length) : ''
      if (!STEAM_ID.test(id) || get('identity') !== identity)
        throw loginFailed('bad_identity', 'The reply names no account of the platform.')
      const nonce = get('response_nonce')
      const answeredAt = Date.parse(NONCE.exec(nonce)?.[1] ?? '')
      if (!(Math.abs(clock() - answeredAt) <= MAX_AGE_MS))
        throw loginFailed('expired', 'The reply is too old. Start again.')
      if (!(await isOwnAnswer(endpoint, answer)))
        throw loginFailed('not_valid', 'The game platform did not confirm the reply.')
      // After this time the response is too old anyway, even for a process whose clock is slow.
      if (!(await insertNonce(pool, `gameplatform ${nonce}`, new Date(answeredAt + 3 * MAX_AGE_MS))))
        throw loginFailed('used', 'The reply was already used. Start again.')
      return { provider: 'gameplatform', id, names: [`Player ${id.slice(-4)}`], email: undefined }
    },
  }
}

/**
 * @throws ApiError if a parameter occurs twice: the platform might verify one of the values and this code use the other
 */
function readAnswer(query: string): Map<string, string> {
  const answer = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (answer.has(name)) throw loginFailed('duplicate_parameter', 'A parameter occurs twice.')
    answer.set(name, value)
  }
  return answer
}

/** §11.4.2: the response unchanged, except for the mode. */
async function isOwnAnswer(endpoint: string, answer: Map<string, string>): Promise<boolean> {
  const body = new URLSearchParams([...answer].filter(([name]) => name.startsWith('openid.') && name !== 'openid.mode'))
  body.set('openid.mode', 'check_authentication')
  let text: string
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`check_authentication answered ${response.status}`)
    text = await readBounded(response)
  } catch (error) {
    throw providerUnavailable('gameplatform', error)
  }
  // §4.1.1: one `key:value` per line. A repeated key invalidates the reply.
  const verdicts = text.split('\n').filter((line) => line.startsWith('is_valid:'))
  return verdicts.length === 1 && verdicts[0]?.slice('is_valid:'.length).trim() === 'true'
}

async function readBounded(response: Response): Promise<string> {
  let text = ''
  if (!response.body) return text
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.length > MAX_ANSWER_CHARACTERS) throw new Error('the reply is too long')
  }
  return text
}
