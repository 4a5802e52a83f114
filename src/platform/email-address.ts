// The one spelling of an e-mail address, in which accounts store it and settings and commands name it.
import { domainToASCII } from 'node:url'

export const MAX_EMAIL = 254 // RFC 5321 §4.5.3.1.3, without the angle brackets of a path

const LOCAL_PART = /^(?!.{65})[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A mailbox in canonical spelling: lower case, NFC, domain in punycode.
 * @returns undefined if it is not a valid address
 */
export function normalizeEmail(given: string): string | undefined {
  const address = given.normalize('NFC').trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  // `domainToASCII` itself stops at `/` and decodes `%`, so only letters, digits, dots and hyphens may reach it.
  if (at < 1 || !LOCAL_PART.test(address.slice(0, at)) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  const labels = ascii.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  const normalised = `${address.slice(0, at)}@${ascii}`
  return isName && normalised.length <= MAX_EMAIL ? normalised : undefined
}
