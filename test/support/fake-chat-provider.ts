// A chat platform that speaks Discord's OAuth 2: requires PKCE and accepts each code once.
import { createHash, randomBytes } from 'node:crypto'
import { startLoopbackServer } from './loopback-server.ts'

export interface ChatUser {
  id: string
  username: string
  global_name?: string | null
  email?: string | null
  verified?: boolean
}

export interface FakeChatProvider {
  origin: string
  clientId: string
  clientSecret: string
  /** The user who is logged in there. */
  user: ChatUser
  /** Faults: refuse the login, or fail at the token or the user request. */
  trouble:
    | 'none'
    | 'denied'
    | 'token-500'
    | 'token-garbage'
    | 'token-untyped'
    | 'user-500'
    | 'user-garbage'
    | 'wrong-client'
  /** Requests it received, for example `POST /api/v10/oauth2/token`. */
  requests: string[]
  /** Messages posted to webhooks of its channels. */
  messages: { path: string; body: string }[]
  /** Every access token it issued. */
  tokens: string[]
  /** Approves the login that `authorizeUrl` requests. @returns the address it redirects the browser to */
  allow(authorizeUrl: string): Promise<string>
  close(): Promise<void>
}

interface Grant {
  redirectUri: string
  challenge: string
}

export async function startFakeChatProvider(): Promise<FakeChatProvider> {
  const grants = new Map<string, Grant>()
  const living = new Set<string>()
  const { origin, close } = await startLoopbackServer(({ method, url, headers, form, body }, res) => {
    fake.requests.push(`${method} ${url.pathname}`)
    const json = (status: number, value: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (`${method} ${url.pathname}`) {
      case 'GET /oauth2/authorize': {
        const asked = url.searchParams
        const redirectUri = asked.get('redirect_uri') ?? ''
        const challenge = asked.get('code_challenge') ?? ''
        const isAsDocumented =
          asked.get('client_id') === fake.clientId &&
          asked.get('response_type') === 'code' &&
          asked.get('scope') === 'identify email' &&
          asked.get('code_challenge_method') === 'S256' &&
          /^[\w-]{43}$/.test(challenge) &&
          URL.canParse(redirectUri)
        if (!isAsDocumented) return json(400, { error: 'invalid_request' })
        const back = new URL(redirectUri)
        const state = asked.get('state')
        if (state !== null) back.searchParams.set('state', state)
        if (fake.trouble === 'denied') back.searchParams.set('error', 'access_denied')
        else {
          const code = randomBytes(15).toString('hex')
          grants.set(code, { redirectUri, challenge })
          back.searchParams.set('code', code)
        }
        return res.writeHead(302, { location: back.href }).end()
      }
      case 'POST /api/v10/oauth2/token': {
        if (fake.trouble === 'token-500') return json(500, { message: 'internal' })
        if (fake.trouble === 'token-garbage') return res.end('<html>')
        const isClient = form.get('client_id') === fake.clientId && form.get('client_secret') === fake.clientSecret
        if (!isClient || fake.trouble === 'wrong-client') return json(401, { error: 'invalid_client' })
        const code = form.get('code') ?? ''
        const grant = grants.get(code)
        grants.delete(code)
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        const isGood =
          form.get('grant_type') === 'authorization_code' &&
          grant?.redirectUri === form.get('redirect_uri') &&
          grant?.challenge === challenge
        if (!isGood) return json(400, { error: 'invalid_grant' })
        const token = randomBytes(15).toString('hex')
        living.add(token)
        fake.tokens.push(token)
        if (fake.trouble === 'token-untyped') return json(200, { access_token: token })
        return json(200, { access_token: token, token_type: 'Bearer', expires_in: 604_800, scope: 'identify email' })
      }
      case 'GET /api/v10/users/@me':
        if (fake.trouble === 'user-500') return json(500, { message: 'internal' })
        if (fake.trouble === 'user-garbage') return json(200, { id: '../../etc', username: 7 })
        if (!living.delete((headers.authorization ?? '').replace('Bearer ', ''))) return json(401, { message: '401' })
        return json(200, fake.user)
      default:
        if (method === 'POST' && url.pathname.startsWith('/api/webhooks/')) {
          fake.messages.push({ path: url.pathname, body })
          return res.writeHead(204).end()
        }
        return json(404, { message: 'not found' })
    }
  })
  const fake: FakeChatProvider = {
    origin,
    clientId: '112233445566778899',
    clientSecret: 'the application’s secret',
    user: {
      id: '80351110224678912',
      username: 'nelly',
      global_name: 'Nelly',
      email: 'nelly@example.com',
      verified: true,
    },
    trouble: 'none',
    requests: [],
    messages: [],
    tokens: [],
    async allow(authorizeUrl) {
      const response = await fetch(authorizeUrl, { redirect: 'manual' })
      const location = response.headers.get('location')
      if (response.status !== 302 || !location) throw new Error(`authorize answered ${response.status}`)
      return location
    },
    close,
  }
  return fake
}
