// An HTTP client of the product with its own cookies and address, which checks responses against the OpenAPI document.
import type { Contract } from './contract.ts'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

export interface Request {
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Client {
  /** The client's address, as a reverse proxy reports it. */
  address: string
  cookies: Map<string, string>
  /** Resolves with the parsed JSON, or with the text of any other body. Does not follow redirects. */
  send<Body = Record<string, unknown>>(method: string, path: string, request?: Request): Promise<Answer<Body>>
  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>
  post<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<Answer<Body>>
  put<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<Answer<Body>>
  patch<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<Answer<Body>>
  delete<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>
}

let addresses = 0

/** @param headers sent with every request, for example `authorization` */
export function createClient({ url, contract }: { url: string; contract: Contract }, headers = {}): Client {
  const address = `198.18.${addresses >> 8}.${addresses++ & 255}` // reserved for benchmarks (RFC 2544)
  const cookies = new Map<string, string>()

  async function send<Body>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': address,
        ...(cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
    const body = await response.text()
    contract.check({ method, target: path, status: response.status, headers: response.headers, body })
    keepCookies(response)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(body) : body }
  }

  function keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  return {
    address,
    cookies,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, { body }),
    put: (path, body) => send('PUT', path, { body }),
    patch: (path, body) => send('PATCH', path, { body }),
    delete: (path) => send('DELETE', path),
  }
}
