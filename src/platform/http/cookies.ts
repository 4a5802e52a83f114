// The product's cookies: their names, their attributes, and how a request's header is read (docs/decisions/0025).

/** Browsers keep a cookie for at most 400 days. */
const MAX_AGE_SECONDS = 400 * 86_400
/** More of one name than browsers send by themselves. Each may cost a look-up. */
const MAX_SAME_NAMED = 5

/** A header. */
export type SetCookie = readonly ['Set-Cookie', string]

export type CookieJar = ReturnType<typeof createCookieJar>

type CookieName = 'session' | 'device' | 'second_step' | 'visitor' | `${string}_flow`

/**
 * Over https the name begins with `__Host-`, which browsers accept only from this host over https, so that neither a
 * sibling domain nor plain http can plant a cookie.
 */
export const cookieName = (name: CookieName, https: boolean) => `${https ? '__Host-' : ''}${name}`

export function createCookieJar(https: boolean) {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  const set = (name: CookieName, value: string, maxAgeSeconds = MAX_AGE_SECONDS): SetCookie => [
    'Set-Cookie',
    `${cookieName(name, https)}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
  ]
  return {
    set,
    clear: (name: CookieName) => set(name, '', 0),
    /** @param header the Cookie header @returns distinct values */
    read: (header: string | undefined, name: CookieName) => valuesOf(header, cookieName(name, https)),
  }
}

/** RFC 6265 §4.2.1, lenient: parts without `=` are skipped, and a name may occur more than once. */
function valuesOf(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return []
  const values = new Set<string>()
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals === -1 || part.slice(0, equals).trim() !== name) continue
    values.add(part.slice(equals + 1).trim())
    if (values.size === MAX_SAME_NAMED) break
  }
  return [...values]
}
