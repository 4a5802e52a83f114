// Validation of URLs that users have the service connect to: http or https, and no private address in any notation. The
// addresses of names are checked by the worker when it connects.
import { isIP } from 'node:net'
import * as z from 'zod'
import { isLocalhost, isPlatformAddress, isPublicAddress } from './public-address.ts'
import { hasNoInvisibleChars, text } from './text.ts'

const MAX_CHARACTERS = 2_048

/** Which URLs this installation allows. */
export interface UrlRules {
  /** Whether http is refused, as in production. */
  requireHttps: boolean
  /** Setting ALLOW_PRIVATE_TARGETS. */
  allowPrivate: boolean
}

/** A URL in normalized form: names in punycode, IPv4 addresses as dotted quads. */
export const TargetUrl = text()
  .trim()
  .transform((input, context) => {
    const refuse = (message: string) => {
      context.issues.push({ code: 'custom', message, input })
      return z.NEVER
    }
    // URL parsers remove line breaks and turn backslashes into slashes, so such URLs are ambiguous.
    if (!/^https?:\/\/(?!\/)[^\s"<>\\^`{|}]+$/i.test(input) || !hasNoInvisibleChars(input))
      return refuse('must be an http or https URL')
    const url = URL.parse(input)
    if (!url || url.port === '0') return refuse('must be an http or https URL')
    if (url.username || url.password) return refuse('must have no user name or password in it')
    if (url.href.includes('#')) return refuse('must have no fragment')
    if (url.href.length > MAX_CHARACTERS) return refuse(`must have at most ${MAX_CHARACTERS} characters`)
    return url.href
  })

/** @param href from `TargetUrl` @returns why the URL is refused; undefined if it is allowed */
export function findUrlProblem(href: string, { requireHttps, allowPrivate }: UrlRules): string | undefined {
  const { protocol, hostname } = new URL(href)
  if (requireHttps && protocol !== 'https:') return 'must be an https address'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (allowPrivate) return isPlatformAddress(host) ? 'must be a public address' : undefined
  const isInside = isIP(host) ? !isPublicAddress(host) : isLocalhost(host)
  return isInside ? 'must be a public address' : undefined
}
