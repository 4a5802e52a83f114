// A minimal browser for login tests: keeps cookies and follows a redirect only on request.
import type { TestApi } from './api.ts'

export interface Browser {
  cookies: Map<string, string>
  /** @param address a path, or a URL whose host is replaced by the API's */
  go(address: string, init?: RequestInit): Promise<Response>
}

export function createBrowser(api: Pick<TestApi, 'request'>): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async go(address, init = {}) {
      const { pathname, search } = new URL(address, 'http://directory.test')
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { ...(cookie ? { cookie } : {}), ...init.headers }
      const response = await api.request(pathname + search, { ...init, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/Max-Age=0/.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}
