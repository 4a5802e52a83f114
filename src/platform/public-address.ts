// Which addresses the service may connect to for users: those of the public internet, in any notation.
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** RFC 6052. */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::')

/**
 * Ranges of ipaddr.js that stay within a machine, a site or a test set-up. Missing are those that reach several hosts
 * (multicast, broadcast, unspecified), need a zone (link-local), or lead through a tunnel (6to4, Teredo).
 */
const PRIVATE_RANGES = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal', 'reserved', 'benchmarking'])

/**
 * Metadata services of cloud platforms, which hand out credentials and configuration. Always refused, even where
 * private addresses are allowed. 168.63.129.16 is the only one outside all special-purpose ranges.
 */
const PLATFORM_ADDRESSES: Record<string, string> = {
  '168.63.129.16/32': 'Azure: WireServer, DNS and health probes',
  '169.254.0.0/16':
    'AWS, Azure, Google Cloud, Oracle, DigitalOcean (169.254.169.254), AWS ECS (169.254.170.2), Tencent, Scaleway',
  '100.100.100.200/32': 'Alibaba Cloud: metadata',
  '192.0.0.192/32': 'Oracle Cloud Classic: metadata',
  'fd00:ec2::/32': 'AWS: metadata (::254), EKS Pod Identity (::23)',
  'fd20:ce::254/128': 'Google Cloud: metadata',
  'fd00:42::42/128': 'Scaleway: metadata',
}
const PLATFORM_RANGES = Object.keys(PLATFORM_ADDRESSES).map((range) => ipaddr.parseCIDR(range))

/** RFC 6761: this machine, whatever DNS says. */
export const isLocalhost = (name: string): boolean => /(^|\.)localhost\.*$/i.test(name)

/** @returns undefined for a text that is no address */
function parsedOf(address: string | Address): Address | undefined {
  if (typeof address !== 'string') return address
  return ipaddr.isValid(address) ? ipaddr.parse(address) : undefined
}

/**
 * Whether a cloud platform's metadata service has this address.
 * @param address false for anything that is not an address
 */
export function isPlatformAddress(address: string | Address): boolean {
  const literal = parsedOf(address)
  if (!literal) return false
  const parsed = withinIPv6(literal)
  return PLATFORM_RANGES.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits))
}

/** @param address IPv4 or IPv6, as a resolver returns it; anything else is not public */
export function isPublicAddress(address: string | Address): boolean {
  const literal = parsedOf(address)
  if (!literal || isPlatformAddress(literal)) return false
  const parsed = withinIPv6(literal)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast'
  // Global unicast is 2000::/3; ipaddr.js names 6to4, Teredo and the other special ranges in it separately.
  return parsed.range() === 'unicast' && ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** Whether an address is one host of this machine or of a private network, and not a cloud platform's. */
export function isPrivateAddress(address: string | Address): boolean {
  const literal = parsedOf(address)
  return literal !== undefined && !isPlatformAddress(literal) && PRIVATE_RANGES.has(withinIPv6(literal).range())
}

/**
 * The one text of an address, which is also what sockets report of their peers: a dotted quad, also for an IPv4 address
 * written as IPv6; else RFC 5952.
 * @returns undefined for a text that is no address, or that names a zone, which only this machine knows
 */
export function canonicalAddress(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address) || address.includes('%')) return undefined
  const parsed = ipaddr.IPv6.parse(address)
  return (parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed).toString()
}

/** `host:port`; an IPv6 address in brackets (RFC 3986). */
export const withPort = (host: string, port: number): string => `${inBrackets(host)}:${port}`

/** A host as URLs have it. */
export const inBrackets = (host: string): string => (/^[^[]*:/.test(host) ? `[${host}]` : host)

/**
 * The IPv4 address that an IPv6 address leads to: mapped, or behind NAT64's well-known prefix. NAT64's local-use prefix
 * (64:ff9b:1::/48, RFC 8215) has no fixed target, so such an address stays as it is.
 */
export function withinIPv6(address: Address): Address {
  if (address.kind() === 'ipv4') return address
  const ipv6 = address as ipaddr.IPv6
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address()
  return ipv6.match(NAT64, 96) ? new ipaddr.IPv4(ipv6.toByteArray().slice(12)) : ipv6
}
