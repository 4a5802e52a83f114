// Re-encrypts stored secrets after APP_SECRET was changed, so that APP_SECRET_PREVIOUS can be removed.
import { type Purpose, type SecretCipher, SecretDecryptionError } from './secret-cipher.ts'

export interface EncryptedRow {
  /** UUID. */
  id: string
  /** The encrypted secret; null if the row has none. */
  encrypted: (string | null)[]
}

export interface EncryptedRows {
  /** Up to `limit` rows with ids greater than the given one, in id order. */
  findAfter(id: string, limit: number): Promise<EncryptedRow[]>
  /** Stores the re-encrypted secret unless the row has changed in the meantime. */
  replace(before: EncryptedRow, after: EncryptedRow): Promise<void>
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
const PAGE = 1_000

/**
 * Re-encrypts all rows. Safe to repeat and to run concurrently.
 * @returns the number of rows re-encrypted, and of rows that neither secret decrypts, which stay as they are
 */
export async function reencrypt(
  secretCipher: SecretCipher,
  purpose: Purpose,
  rows: EncryptedRows,
): Promise<{ reencrypted: number; unreadable: number }> {
  const isStale = (row: EncryptedRow) => row.encrypted.some((one) => one !== null && !secretCipher.isCurrent(one))
  const encryptAgain = (encrypted: string | null) =>
    encrypted && secretCipher.encrypt(purpose, secretCipher.decrypt(purpose, encrypted))
  let reencrypted = 0
  let unreadable = 0
  for (let after = BEFORE_ALL; ; ) {
    const page = await rows.findAfter(after, PAGE)
    for (const row of page.filter(isStale))
      try {
        await rows.replace(row, { ...row, encrypted: row.encrypted.map(encryptAgain) })
        reencrypted++
      } catch (error) {
        if (!(error instanceof SecretDecryptionError)) throw error
        unreadable++
      }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return { reencrypted, unreadable }
    after = last.id
  }
}
