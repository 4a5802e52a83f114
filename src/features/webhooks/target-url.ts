// Which URLs an owner may give: web addresses outside of ours, in whatever form they are written. What a name leads to is looked
// at when it is connected to.
import { isIP } from 'node:net'
import * as z from 'zod'
import { isLocalhost, isPlatformAddress, isPublicAddress } from '../../platform/public-address.ts'
import { seen, text } from '../../platform/text.ts'

const MOST_CHARACTERS = 2_048

/** A web address in the one form that URL parsers agree on: names in punycode, IPv4 addresses as dotted quads. */
export const TargetUrl = text()
  .trim()
  .transform((given, context) => {
    const refuse = (message: string) => {
      context.issues.push({ code: 'custom', message, input: given })
      return z.NEVER
    }
    // A parser would take line breaks out and turn backslashes round: what was meant is not clear.
    if (!/^https?:\/\/(?!\/)[^\s"<>\\^`{|}]+$/i.test(given) || !seen(given))
      return refuse('must be an http or https address')
    const url = URL.parse(given)
    if (!url || url.port === '0') return refuse('must be an http or https address')
    if (url.username || url.password) return refuse('must have no user name or password in it')
    if (url.href.includes('#')) return refuse('must have no fragment')
    if (url.href.length > MOST_CHARACTERS) return refuse(`must have at most ${MOST_CHARACTERS} characters`)
    return url.href
  })

export interface TargetRules {
  /** As in production. */
  requireHttps: boolean
  /** Setting ALLOW_PRIVATE_TARGETS. */
  allowPrivate: boolean
}

/** @param href as `TargetUrl` gives it; @returns what is wrong with it here, undefined when nothing is */
export function refusalOf(href: string, { requireHttps, allowPrivate }: TargetRules): string | undefined {
  const { protocol, hostname } = new URL(href)
  if (requireHttps && protocol !== 'https:') return 'must be an https address'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (allowPrivate) return isPlatformAddress(host) ? 'must be a public address' : undefined
  const isInside = isIP(host) ? !isPublicAddress(host) : isLocalhost(host)
  return isInside ? 'must be a public address' : undefined
}
