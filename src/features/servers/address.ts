// Normalizes a game server's address, so that the same server is not listed twice.
import { domainToASCII } from 'node:url'
import type ipaddr from 'ipaddr.js'
import { canonicalAddress, isPrivateAddress, isPublicAddress, withPort } from '../../platform/public-address.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Not allowed in a name before its conversion to punycode: `domainToASCII` stops at `/` and decodes `%`. */
const FORBIDDEN = /[\s\p{Cc}\p{Cf}\p{Cs}%/\\?#@:[\]<>^|"'`{}_]/u

/** What an address consists of, for the OpenAPI document. */
export const ADDRESS_PATTERN = '^(\\[[0-9A-Fa-f:.]+\\]|[0-9A-Fa-f:.]+|[^\\s%/\\\\?#@:\\[\\]<>^|"\'`{}_]+)$'

/**
 * @returns an IPv4 address as a strict dotted quad, an IPv6 address as RFC 5952 writes it, without brackets, or a DNS
 *   name in lower case, punycode, without the final dot; undefined if it is none of them. Short, octal and hexadecimal
 *   IPv4 forms are rejected, because parsers disagree about them. An IPv4 address written as IPv6 is that IPv4 address.
 */
export function normalizeAddress(address: string): string | undefined {
  const given = address.trim().replace(/\.$/, '')
  const literal = canonicalAddress(given.replace(/^\[([^\]]*:[^\]]*)\]$/, '$1'))
  if (literal !== undefined) return literal
  if (FORBIDDEN.test(given)) return undefined
  const name = domainToASCII(given)
  const labels = name.split('.')
  // A URL parser and `domainToASCII` read the whole name as an IPv4 address if its last label is numeric.
  const isNumber = /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')
  if (isNumber || name.length > 253 || !labels.every((label) => LABEL.test(label))) return undefined
  return name
}

/**
 * Whether a game server may be queried at an address: public ones, and those of this machine and of private networks if
 * the settings allow them. Never addresses of cloud platforms, and never those that reach several hosts.
 * @param address IPv4 or IPv6; false for anything else
 */
export const mayBeQueried = (address: string | ipaddr.IPv4 | ipaddr.IPv6, allowPrivate: boolean): boolean =>
  isPublicAddress(address) || (allowPrivate && isPrivateAddress(address))

/** Where a server is queried: what two listings can't share. */
export const addressOf = ({ ipAddress, queryPort }: { ipAddress: string; queryPort: number }): string =>
  withPort(ipAddress, queryPort)
