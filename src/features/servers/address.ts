// Normalizes a game server's address, so that the same server is not listed twice.
import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { isPlatformAddress, isPublicAddress } from '../../platform/public-address.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Not allowed in a name before its conversion to punycode: `domainToASCII` stops at `/` and decodes `%`. */
const FORBIDDEN = /[\s\p{Cc}\p{Cf}\p{Cs}%/\\?#@:[\]<>^|"'`{}_]/u

/** For the document: what no notation of an address contains. */
export const ADDRESS_PATTERN = '^[^\\s%/\\\\?#@:\\[\\]<>^|"\'`{}_]+$'

/**
 * @returns an IPv4 address as a strict dotted quad, or a DNS name in lower case, punycode, without the final dot;
 *   undefined if it is neither. Short, octal and hexadecimal IPv4 forms are rejected, because parsers disagree about
 * them.
 */
export function normalizeAddress(address: string): string | undefined {
  const trimmed = address.trim().replace(/\.$/, '')
  if (isIPv4(trimmed)) return trimmed
  if (FORBIDDEN.test(trimmed)) return undefined
  const name = domainToASCII(trimmed)
  const labels = name.split('.')
  // To a URL parser and `domainToASCII`, a numeric last label makes the whole name an IPv4 address.
  const isNumber = /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')
  if (isNumber || name.length > 253 || !labels.every((label) => LABEL.test(label))) return undefined
  return name
}

/**
 * Whether an IPv4 address may be queried: public ones, and private and loopback ones if the settings allow them.
 * Never addresses of cloud platforms, and never unspecified, broadcast or multicast ones, which reach several hosts.
 */
export function mayBeQueried(address: string | ipaddr.IPv4, allowPrivate: boolean): boolean {
  const parsed = typeof address === 'string' ? ipaddr.IPv4.parse(address) : address
  if (isPublicAddress(parsed)) return true
  const range = parsed.range()
  return (
    allowPrivate &&
    !isPlatformAddress(parsed) &&
    range !== 'broadcast' &&
    range !== 'multicast' &&
    range !== 'unspecified'
  )
}
