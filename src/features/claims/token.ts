// The token by which a server proves who runs it.
import { randomBytes } from 'node:crypto'

// Lower case and digits only: games upper-case names, and some drop signs. 32 of them, so that a byte's low bits pick one evenly.
const ALPHABET = 'abcdefghijkmnopqrstuvwxyz0123456'
const RANDOM_LENGTH = 16

/** `sd-verify-` and 80 random bits: 26 characters, since names hold few. */
export function createToken(): string {
  return `sd-verify-${Array.from(randomBytes(RANDOM_LENGTH), (byte) => ALPHABET[byte & 31]).join('')}`
}

export const howToProve = (token: string) =>
  `Put ${token} into the server's name, its rules or its keywords, so that a query of the server shows it. ` +
  'It is looked for at each poll, and at once by POST claim/verify. When it was found, the server is yours and the token can go.'
