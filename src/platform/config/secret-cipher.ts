// Encrypts secrets that must be read back (webhooks, RCON, chats, one-time codes, addresses in jobs) under keys
// derived from APP_SECRET.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { ProcessSettings } from './settings.ts'

export type SecretCipher = ReturnType<typeof createSecretCipher>

/** What a secret is used for. A secret encrypted for one purpose can't be decrypted for another. */
export type Purpose = 'webhook' | 'webhook-url' | 'rcon' | 'chat' | 'mail' | 'push' | 'one-time-code'

export class SecretDecryptionError extends Error {
  override name = 'SecretDecryptionError'
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with APP_SECRET. Also decrypts what APP_SECRET_PREVIOUS encrypted, so that the secret can be rotated
 * (docs/OPERATIONS.md#changing-app_secret).
 */
export function createSecretCipher(settings: Pick<ProcessSettings, 'APP_SECRET' | 'APP_SECRET_PREVIOUS'>) {
  const { APP_SECRET, APP_SECRET_PREVIOUS } = settings
  const secrets = [APP_SECRET, ...(APP_SECRET_PREVIOUS ? [APP_SECRET_PREVIOUS] : [])]
  const byId = new Map(secrets.map((secret) => [idOf(secret), secret]))

  /**
   * @throws SecretDecryptionError if the value was encrypted under another APP_SECRET than the current or the previous
   * one, was encrypted for another purpose, or has been modified
   */
  function decrypt(purpose: Purpose, encrypted: string): string {
    const [version, id = '', payload = ''] = encrypted.split('.')
    const secret = byId.get(id)
    if (version !== 'v1' || !secret)
      throw new SecretDecryptionError(
        'a stored secret was encrypted under another APP_SECRET: set that one as APP_SECRET_PREVIOUS',
      )
    const bytes = Buffer.from(payload, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch (cause) {
      throw new SecretDecryptionError('a stored secret can’t be decrypted: it has been modified', { cause })
    }
  }

  return {
    /** @returns text to store: `v1.<key id>.<nonce, tag and ciphertext>` */
    encrypt(purpose: Purpose, secret: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(APP_SECRET, purpose), nonce)
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `v1.${idOf(APP_SECRET)}.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`
    },
    decrypt,
    /** Like `decrypt`, but returns undefined instead of throwing SecretDecryptionError. */
    decryptIfPossible(purpose: Purpose, encrypted: string): string | undefined {
      try {
        return decrypt(purpose, encrypted)
      } catch (error) {
        if (error instanceof SecretDecryptionError) return undefined
        throw error
      }
    },
    /** Whether the value was encrypted under the current APP_SECRET. If not, `reencrypt.ts` encrypts it again. */
    isCurrent: (encrypted: string) => encrypted.startsWith(`v1.${idOf(APP_SECRET)}.`),
  }
}

/** Identifies a secret without revealing it. The label is part of the stored format. */
const idOf = (secret: string) => createHash('sha256').update(`vault key id\0${secret}`).digest('base64url').slice(0, 8)

const keys = new Map<string, KeyObject>()

function keyOf(secret: string, purpose: Purpose): KeyObject {
  const name = `${purpose}\0${secret}`
  let key = keys.get(name)
  if (!key) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `server-directory vault ${purpose}`, 32)))
    keys.set(name, key)
  }
  return key
}
