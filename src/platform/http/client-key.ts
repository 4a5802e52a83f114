// Identifies a client without storing its address: a keyed hash for the log and for request limits.
import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { createBoundedCache } from '../bounded-cache.ts'
import { withinIPv6 } from '../public-address.ts'

export type ClientKeys = ReturnType<typeof createClientKeys>

/**
 * @param secret key of the hash
 * @param trustedProxies how many `X-Forwarded-For` entries, counted from the right, are trusted
 */
export function createClientKeys(options: { secret: string; trustedProxies: number }) {
  const keys = createBoundedCache<string>(20_000)
  return {
    /** A stable key for the client's address. Without APP_SECRET it can't be turned back into the address. */
    keyOf(req: IncomingMessage): string {
      const address = clientAddress(req, options.trustedProxies)
      const known = keys.get(address)
      if (known !== undefined) return known
      const key = createHmac('sha256', options.secret).update(countedAddress(address)).digest('base64url').slice(0, 22)
      keys.set(address, key)
      return key
    },
  }
}

/** The address that the outermost trusted proxy saw, or the connection's own. */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const peer = req.socket.remoteAddress ?? 'local'
  const forwarded = trustedProxies > 0 ? req.headers['x-forwarded-for'] : undefined
  if (!forwarded) return peer
  const entries = String(forwarded).split(',')
  return forwardedAddress(entries[Math.max(entries.length - trustedProxies, 0)] ?? '') ?? peer
}

/** One `X-Forwarded-For` entry without the port that some proxies add; undefined if it is not an address. */
function forwardedAddress(entry: string): string | undefined {
  const text = entry.trim()
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : undefined
}

/**
 * What counts as one client: an IPv4 address, or an IPv6 /56, the usual prefix of a household.
 * `::ffff:192.0.2.1` is 192.0.2.1, and so is `64:ff9b::192.0.2.1`, as which a network without IPv4 sees it
 * (NAT64's well-known prefix, RFC 6052).
 */
export function countedAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = withinIPv6(ipaddr.parse(address))
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const [a = 0, b = 0, c = 0, d = 0] = (parsed as ipaddr.IPv6).parts
  return `${[a, b, c, d & 0xff00].map((part) => part.toString(16)).join(':')}::/56`
}
