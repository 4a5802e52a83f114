// The fields that users enter about themselves, each with its rule and its stored form.
import * as z from 'zod'
import { MAX_EMAIL, normalizeEmail } from '../../platform/email-address.ts'
import { line, maxLength, minLength, text } from '../../platform/text.ts'

const MIN_PASSWORD = 8
const MAX_PASSWORD = 128

/** Their users get what is sent to any spelling with or without dots. */
const IGNORES_DOTS = ['gmail.com', 'googlemail.com']

/**
 * The mailbox that gets the mails of an address: without a tag (`+tag`), and at Gmail without dots. Only for counting.
 * @param address as `normalizeEmail` returns it
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const untagged = local.replace(/(?<=.)\+.*$/, '')
  return IGNORES_DOTS.includes(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`
}

export const email = text()
  .check(maxLength(MAX_EMAIL))
  .transform((given, context) => {
    const normalised = normalizeEmail(given)
    if (normalised !== undefined) return normalised
    context.issues.push({ code: 'custom', message: 'must be an e-mail address', input: given })
    return z.NEVER
  })
  .meta({ format: 'email' })

export const username = line(2, 50)

/** A password to compare. In NFC, so that every keyboard produces the same text. */
export const enteredPassword = text()
  .normalize('NFC')
  .refine((password) => password.isWellFormed(), 'must be valid Unicode')
  .check(maxLength(MAX_PASSWORD))

/** A password to set. password-rules.ts rejects common ones, for which it needs the account. */
export const newPassword = enteredPassword.check(minLength(MIN_PASSWORD))

/** A token from a mail. Its form is described, but not checked: malformed and unknown tokens get the same reply. */
export const mailedToken = text().check(maxLength(200)).meta({ pattern: '^[\\w-]{43}$' })
