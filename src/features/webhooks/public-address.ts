// Which addresses an owner may have us connect to: those of the public internet, in whatever form they are written.
import ipaddr from 'ipaddr.js'

/** RFC 6052. */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::')

/** RFC 6761: this machine, whatever a name server says. */
export const isLocalhost = (name: string): boolean => /(^|\.)localhost\.*$/i.test(name)

/** @param address IPv4 or IPv6, as a resolver gives it; anything else is not public */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast'
  const ipv6 = parsed as ipaddr.IPv6
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().range() === 'unicast'
  const bytes = ipv6.toByteArray()
  // NAT64's well-known prefix leads to the IPv4 address in its last four bytes. Its local-use one (64:ff9b:1::/48, RFC 8215) leads
  // wherever a network likes.
  if (ipv6.match(NAT64, 96)) return new ipaddr.IPv4(bytes.slice(12)).range() === 'unicast'
  // Global unicast is 2000::/3; 6to4, Teredo and the other ranges in it that lead elsewhere have names of their own.
  return ipv6.range() === 'unicast' && ((bytes[0] ?? 0) & 0xe0) === 0x20
}
