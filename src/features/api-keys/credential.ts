// The two halves of a key: a public name and a secret of 256 bits that is only ever stored as its hash.
import { hash, randomBytes, randomInt } from 'node:crypto'
import { isEqual } from '../../platform/constant-time.ts'

export interface Credential {
  /** The public half, as `sd_4fK…`: the prefix lets people and secret scanners recognize leaks. */
  key: string
  secret: string
}

const PREFIX = 'sd_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_CHARACTERS = 24
const SECRET_BYTES = 32

// The scheme's name is case-insensitive (RFC 9110 §11.1), the credential is not.
const AUTHORIZATION = new RegExp(
  `^[Bb][Ee][Aa][Rr][Ee][Rr] (${PREFIX}[0-9A-Za-z]{${KEY_CHARACTERS}})\\.([\\w-]{${Math.ceil((SECRET_BYTES * 4) / 3)}})$`,
)

export function newCredential(): Credential {
  const characters = Array.from({ length: KEY_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return { key: PREFIX + characters.join(''), secret: randomBytes(SECRET_BYTES).toString('base64url') }
}

/**
 * Reads `Bearer <API_KEY>.<SECRET>`.
 * @returns undefined for any other text
 */
export function parseAuthorization(header: string): Credential | undefined {
  const [, key, secret] = AUTHORIZATION.exec(header) ?? []
  return key !== undefined && secret !== undefined ? { key, secret } : undefined
}

export const looksLikeKey = (text: string): boolean => text.startsWith(PREFIX)

/** A fast hash is enough, because 256 random bits can't be guessed. It hashes the text, not the bytes it encodes. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(hash('sha256', secret, 'buffer'))

export const isSecretOf = (secret: string, secretHash: Uint8Array): boolean => isEqual(hashSecret(secret), secretHash)
