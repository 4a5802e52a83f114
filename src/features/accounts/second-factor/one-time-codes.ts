// One-time codes (RFC 6238) and recovery codes.
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../deps.ts'
import type { ProcessSettings } from '../../../platform/config/settings.ts'

const PERIOD_SECONDS = 30
/** One period before and after: clocks of phones differ. */
const DRIFT = 1

/** What apps assume, whatever the address says. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS }

/** @param settings whose host names the codes in the app */
export function createOneTimeCodes({ PUBLIC_BASE_URL }: Pick<ProcessSettings, 'PUBLIC_BASE_URL'>, clock: Clock) {
  const issuer = new URL(PUBLIC_BASE_URL).hostname
  return {
    /** @param label the account, for its owner */
    async newSecret(label: string): Promise<{ secret: string; uri: string }> {
      const { Secret, TOTP } = await import('otpauth')
      const secret = new Secret({ size: 20 }) // RFC 4226 §4: 160 bits
      return { secret: secret.base32, uri: new TOTP({ ...PARAMETERS, issuer, label, secret }).toString() }
    },
    /** @returns the number of the period whose code it is; undefined if it is wrong now */
    async stepOf(secret: string, code: string): Promise<number | undefined> {
      const { TOTP } = await import('otpauth')
      const timestamp = clock()
      const delta = new TOTP({ ...PARAMETERS, secret }).validate({ token: code, timestamp, window: DRIFT })
      return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
    },
  }
}

const RECOVERY_CODES = 10
export const FEW_RECOVERY_CODES = 3
/** Crockford's Base32: without the letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 100 bits: too many to guess, also with the hashes. */
const CHARACTERS = 20

/** A code has groups of five characters. */
const newCode = (): string =>
  [...randomBytes(CHARACTERS)]
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('')
    .replace(/.{5}(?=.)/g, '$&-')

/** @returns ten */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode)
export const newSetupCode = newCode

export const recoveryCodeHash = (userId: string, typed: string) => codeHash('recovery code', userId, typed)
export const setupCodeHash = (userId: string, typed: string) => codeHash('setup code', userId, typed)

/**
 * The hash is the same however the code is typed. It includes the account: equal codes of two accounts
 * have different hashes.
 */
function codeHash(kind: string, userId: string, typed: string): Buffer {
  const code = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return createHash('sha256').update(`${kind}\n${userId}\n${code}`).digest()
}
