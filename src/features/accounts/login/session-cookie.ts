// The two cookies of a login: the session, and the device mark of a device that has logged in before.

/** Browsers keep a cookie for at most 400 days. The session's row decides how long it lasts. */
const MAX_AGE_SECONDS = 400 * 86_400
/** 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
/** More of one name than browsers send by themselves. Each costs a look-up. */
const MAX_SAME_NAMED = 5

export interface CookieJar {
  /** Distinct, well-formed session tokens in a Cookie header. */
  sessionTokens(header: string | undefined): string[]
  deviceMarks(header: string | undefined): string[]
  /** Values of `Set-Cookie`. */
  session(token: string): string
  device(mark: string): string
  clearSession(): string
}

/**
 * @param https over https the names begin with `__Host-`, which browsers accept only from this host over https, so that
 *   neither a sibling domain nor plain http can plant one
 */
export function createCookieJar(https: boolean): CookieJar {
  const prefix = https ? '__Host-' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  const set = (name: string, value: string, maxAge: number) =>
    `${prefix}${name}=${value}; Max-Age=${maxAge}; ${attributes}`
  return {
    sessionTokens: (header) => valuesOf(header, `${prefix}session`).filter((value) => TOKEN.test(value)),
    deviceMarks: (header) => valuesOf(header, `${prefix}device`),
    session: (token) => set('session', token, MAX_AGE_SECONDS),
    device: (mark) => set('device', mark, MAX_AGE_SECONDS),
    clearSession: () => set('session', '', 0),
  }
}

/** RFC 6265 §4.2.1, lenient: parts without `=` are skipped, and a name may occur more than once. */
export function valuesOf(header: string | undefined, name: string): string[] {
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
