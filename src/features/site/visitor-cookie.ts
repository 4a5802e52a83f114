// The visitor id of people who vote without scripts, in a signed cookie that only a vote sets.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { cookieName } from '../../platform/http/cookie-name.ts'

/** Browsers keep a cookie for at most 400 days. */
const MAX_AGE_SECONDS = 400 * 86_400
const VALUE = /^([\da-f-]{36})\.([\w-]{43})$/

export function createVisitorCookie({ secret, https }: { secret: string; https: boolean }) {
  const name = cookieName('visitor', https)
  const sign = (id: string) => createHmac('sha256', secret).update(`visitor ${id}`).digest('base64url')
  return {
    /** @returns the visitor's id, and the value of `Set-Cookie` if it is new */
    idOf(cookies = ''): { visitorId: string; setCookie?: string | undefined } {
      for (const part of cookies.split(';')) {
        const [, id, signature] =
          (part.trim().startsWith(`${name}=`) && VALUE.exec(part.trim().slice(name.length + 1))) || []
        if (id && signature && timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id))))
          return { visitorId: id, setCookie: undefined }
      }
      const id = randomUUID()
      const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
      return { visitorId: id, setCookie: `${name}=${id}.${sign(id)}; Max-Age=${MAX_AGE_SECONDS}; ${attributes}` }
    },
  }
}
