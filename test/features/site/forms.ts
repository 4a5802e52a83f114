// Reads pages and sends forms as a browser without scripts does.
import type { Person } from '../../support/people.ts'

type Visitor = Pick<Person, 'cookie'> | undefined

export function formsOf(url: string) {
  async function send(path: string, who: Visitor, init: RequestInit = {}) {
    const headers = { 'accept-language': 'en', accept: 'text/html', ...(who ? { cookie: who.cookie } : {}) }
    const reply = await fetch(url + path, { redirect: 'manual', ...init, headers: { ...headers, ...init.headers } })
    return { status: reply.status, location: reply.headers.get('location'), html: await reply.text() }
  }
  return {
    get: (path: string, who?: Visitor) => send(path, who),
    post: (path: string, form: Record<string, string>, who?: Visitor, headers: Record<string, string> = {}) =>
      send(path, who, {
        method: 'POST',
        headers: { origin: 'http://localhost:0', ...headers },
        body: new URLSearchParams(form),
      }),
  }
}
