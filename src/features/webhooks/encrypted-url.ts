// Webhook URLs at rest: encrypted, since the path of a chat platform's webhook is a credential.
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'

export const encryptUrl = (secretCipher: SecretCipher, url: string): string => secretCipher.encrypt('webhook-url', url)

/** @returns undefined if the URL was encrypted under another APP_SECRET */
export const decryptUrl = (secretCipher: SecretCipher, stored: string): string | undefined =>
  secretCipher.decryptIfPossible('webhook-url', stored)
