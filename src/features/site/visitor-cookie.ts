// The visitor id of people who vote without scripts, in a signed cookie that only a vote sets.
import { createHmac, randomUUID } from 'node:crypto'
import { isEqual } from '../../platform/constant-time.ts'
import type { CookieJar, SetCookie } from '../../platform/http/cookies.ts'

export function createVisitorCookie({ secret, jar }: { secret: string; jar: CookieJar }) {
  const sign = (id: string) => createHmac('sha256', secret).update(`visitor ${id}`).digest('base64url')

  /** @param header the Cookie header @returns the id of a visitor who has voted */
  function knownIn(header: string | undefined): string | undefined {
    for (const value of jar.read(header, 'visitor')) {
      const [id = '', signature = ''] = value.split('.')
      if (isEqual(signature, sign(id))) return id
    }
    return undefined
  }

  return {
    knownIn,
    /** @param header the Cookie header @returns the visitor's id, and the cookie if it is new */
    idOf(header: string | undefined): { visitorId: string; setCookie?: SetCookie | undefined } {
      const known = knownIn(header)
      if (known) return { visitorId: known }
      const id = randomUUID()
      return { visitorId: id, setCookie: jar.set('visitor', `${id}.${sign(id)}`) }
    },
  }
}
