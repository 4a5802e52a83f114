// Webhook URLs at rest: encrypted, since the path of a chat platform's webhook is a credential.
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'

export const encryptUrl = (secretCipher: SecretCipher, url: string): string => secretCipher.encrypt('webhook-url', url)

/** Versions before 0.2 stored it in clear; the daily upkeep encrypts those. */
export const isClearUrl = (stored: string): boolean => /^https?:/.test(stored)

/** @returns undefined if the URL was encrypted under another APP_SECRET */
export const openUrl = (secretCipher: SecretCipher, stored: string): string | undefined =>
  isClearUrl(stored) ? stored : secretCipher.decryptIfPossible('webhook-url', stored)
