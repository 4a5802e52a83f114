// Secrets that must be read back (of webhooks, RCON and chats), encrypted at rest under keys derived from APP_SECRET.
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

export interface Vault {
  /** @returns text to store: `v1.<key id>.<nonce, tag and ciphertext>` */
  seal(purpose: Purpose, secret: string): string
  /**
   * @throws VaultError when it was sealed under an APP_SECRET that is neither the present nor the previous one, for another
   * purpose, or was changed since
   */
  open(purpose: Purpose, sealed: string): string
  /** The same; undefined where `open` throws VaultError. */
  openIfPossible(purpose: Purpose, sealed: string): string | undefined
  /** Whether it was sealed under the present APP_SECRET; else it is to be sealed anew, so that the previous one can go. */
  isCurrent(sealed: string): boolean
}

/** What a secret is for. One that was sealed for a purpose opens for no other. */
export type Purpose = 'webhook' | 'webhook-url' | 'rcon' | 'chat'

export class VaultError extends Error {
  override name = 'VaultError'
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals with APP_SECRET; opens what APP_SECRET_PREVIOUS sealed as well, so that the secret can be changed (README, settings). */
export function createVault(settings: Pick<ProcessSettings, 'APP_SECRET' | 'APP_SECRET_PREVIOUS'>): Vault {
  const { APP_SECRET, APP_SECRET_PREVIOUS } = settings
  const secrets = [APP_SECRET, ...(APP_SECRET_PREVIOUS ? [APP_SECRET_PREVIOUS] : [])]
  const byId = new Map(secrets.map((secret) => [idOf(secret), secret]))

  function open(purpose: Purpose, sealed: string): string {
    const [version, id = '', payload = ''] = sealed.split('.')
    const secret = byId.get(id)
    if (version !== 'v1' || !secret)
      throw new VaultError('a stored secret was sealed under another APP_SECRET: set that one as APP_SECRET_PREVIOUS')
    const bytes = Buffer.from(payload, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch (cause) {
      throw new VaultError('a stored secret can’t be opened: it is not what was sealed', { cause })
    }
  }

  return {
    seal(purpose, secret) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(APP_SECRET, purpose), nonce)
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `v1.${idOf(APP_SECRET)}.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`
    },
    open,
    openIfPossible(purpose, sealed) {
      try {
        return open(purpose, sealed)
      } catch (error) {
        if (error instanceof VaultError) return undefined
        throw error
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${idOf(APP_SECRET)}.`),
  }
}

/** Tells secrets apart without telling anything about them. */
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
