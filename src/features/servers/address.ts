// A game server's address in the one form it is stored in, so that the same server is not listed twice.
import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { isPlatformAddress, isPublicAddress } from '../../platform/public-address.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** What may stand in a name before it is turned into punycode; `domainToASCII` itself stops at `/`, decodes `%` and so on. */
const FORBIDDEN = /[\s\p{Cc}\p{Cf}\p{Cs}%/\\?#@:[\]<>^|"'`{}_]/u

/**
 * @returns an IPv4 address as a strict dotted quad, or a DNS name in lower case, punycode, without the final dot;
 *   undefined when it is neither. Short, octal and hexadecimal IPv4 forms are neither: readers disagree about them.
 */
export function normaliseAddress(address: string): string | undefined {
  const given = address.trim().replace(/\.$/, '')
  if (isIPv4(given)) return given
  if (FORBIDDEN.test(given)) return undefined
  const name = domainToASCII(given)
  const labels = name.split('.')
  // A last label that is a number makes the whole an IPv4 address to a URL parser; so does `domainToASCII` answer one.
  const isNumber = /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')
  if (isNumber || name.length > 253 || !labels.every((label) => LABEL.test(label))) return undefined
  return name
}

/**
 * Whether an IPv4 address may be asked: public ones, and private and loopback ones where the settings allow it.
 * Those of cloud platforms never, nor those that mean no host or many: one query would go out to all of them.
 */
export function mayBeAsked(address: string, allowPrivate: boolean): boolean {
  if (isPublicAddress(address)) return true
  const range = ipaddr.IPv4.parse(address).range()
  return (
    allowPrivate &&
    !isPlatformAddress(address) &&
    range !== 'broadcast' &&
    range !== 'multicast' &&
    range !== 'unspecified'
  )
}
