// A game platform that speaks Steam's stateless OpenID 2.0: signs assertions and verifies its own.
import { createHmac, randomBytes } from 'node:crypto'
import { startLoopbackServer } from './loopback-server.ts'

export interface FakeGamePlatform {
  origin: string
  /** Value of the setting STEAM_OPENID_BASE_URL. */
  baseUrl: string
  /** The user who is logged in there. */
  steamId: string
  /** How it answers a verification request. */
  trouble: 'none' | 'always-valid' | 'always-invalid' | 'down' | 'garbage' | 'endless' | 'redirect' | 'two-verdicts'
  /** Assertions it was asked to verify. */
  asked: URLSearchParams[]
  /**
   * Signs the assertion that `loginUrl` requests.
   * @param change fields to alter; the signature covers them
   * @returns the address it redirects the browser to
   */
  allow(loginUrl: string, change?: (fields: Map<string, string>) => void): Promise<string>
  close(): Promise<void>
}

const NAMESPACE = 'http://specs.openid.net/auth/2.0'
const SIGNED = 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle'

/** Steam's form: the time to the second, then a suffix. */
export const nonceOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z${randomBytes(9).toString('base64')}`

export async function startFakeGamePlatform(): Promise<FakeGamePlatform> {
  const key = randomBytes(32)
  const sign = (get: (field: string) => string | null | undefined) => {
    const lines = (get('signed') ?? '').split(',').map((field) => `${field}:${get(field) ?? ''}\n`)
    return createHmac('sha1', key).update(lines.join('')).digest('base64')
  }
  const { origin, close } = await startLoopbackServer(({ method, url, form }, res) => {
    // What the target of `redirect` answers: an assertion confirmed by another server.
    if (url.pathname === '/elsewhere') return res.end(`ns:${NAMESPACE}\nis_valid:true\n`)
    if (method !== 'POST' || url.pathname !== '/openid/login') return res.writeHead(404).end()
    fake.asked.push(form)
    switch (fake.trouble) {
      case 'down':
        return res.writeHead(503).end('down')
      case 'redirect':
        return res.writeHead(302, { location: `${fake.origin}/elsewhere` }).end()
      case 'garbage':
        return res.end('<html>is_valid:true</html>')
      case 'two-verdicts':
        return res.end(`ns:${NAMESPACE}\nis_valid:true\nis_valid:false\n`)
      case 'endless':
        return res.end(`is_valid:true\n${'x'.repeat(1_000_000)}`)
      default: {
        const isOwn =
          form.get('openid.mode') === 'check_authentication' &&
          form.get('openid.sig') === sign((field) => form.get(`openid.${field}`))
        const isValid = fake.trouble === 'always-valid' || (isOwn && fake.trouble !== 'always-invalid')
        return res.end(`ns:${NAMESPACE}\nis_valid:${isValid}\n`)
      }
    }
  })
  const fake: FakeGamePlatform = {
    origin,
    baseUrl: `${origin}/openid`,
    steamId: '76561198000000042',
    trouble: 'none',
    asked: [],
    async allow(loginUrl, change = () => {}) {
      const asked = new URL(loginUrl).searchParams
      const back = new URL(asked.get('openid.return_to') ?? '')
      const isAsSpecified =
        loginUrl.startsWith(`${origin}/openid/login?`) &&
        asked.get('openid.ns') === NAMESPACE &&
        asked.get('openid.mode') === 'checkid_setup' &&
        asked.get('openid.identity') === `${NAMESPACE}/identifier_select` &&
        asked.get('openid.claimed_id') === `${NAMESPACE}/identifier_select` &&
        asked.get('openid.realm') === back.origin
      if (!isAsSpecified) throw new Error(`not a login: ${loginUrl}`)
      const identity = `${fake.baseUrl}/id/${fake.steamId}`
      const fields = new Map([
        ['ns', NAMESPACE],
        ['mode', 'id_res'],
        ['op_endpoint', `${origin}/openid/login`],
        ['claimed_id', identity],
        ['identity', identity],
        ['return_to', back.href],
        ['response_nonce', nonceOf(Date.now())],
        ['assoc_handle', '1234567890'],
        ['signed', SIGNED],
      ])
      change(fields)
      fields.set(
        'sig',
        sign((field) => fields.get(field)),
      )
      for (const [field, value] of fields) back.searchParams.append(`openid.${field}`, value)
      return back.href
    },
    close,
  }
  return fake
}
