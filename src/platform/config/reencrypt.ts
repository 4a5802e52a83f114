// Encrypts stored secrets anew after APP_SECRET was changed, so that APP_SECRET_PREVIOUS can be taken away.
import { type Purpose, type SecretCipher, SecretDecryptionError } from './secret-cipher.ts'

export interface EncryptedRow {
  /** UUID. */
  id: string
  /** What the row keeps encrypted; null where it keeps nothing. */
  encrypted: (string | null)[]
}

export interface EncryptedRows {
  /** At most `limit` rows with greater ids, in their order. */
  findAfter(id: string, limit: number): Promise<EncryptedRow[]>
  /** Writes what was encrypted anew, unless the row has changed meanwhile. */
  replace(before: EncryptedRow, after: EncryptedRow): Promise<void>
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
const PAGE = 1_000

/**
 * Walks through all rows. Doing it again, or twice at once, does no harm.
 * @returns rows encrypted anew, and those that neither secret opens, which stay as they are
 */
export async function reencrypt(
  secretCipher: SecretCipher,
  purpose: Purpose,
  rows: EncryptedRows,
): Promise<{ reencrypted: number; unreadable: number }> {
  const isStale = (row: EncryptedRow) => row.encrypted.some((one) => one !== null && !secretCipher.isCurrent(one))
  const anew = (encrypted: string | null) =>
    encrypted && secretCipher.encrypt(purpose, secretCipher.decrypt(purpose, encrypted))
  let reencrypted = 0
  let unreadable = 0
  for (let after = BEFORE_ALL; ; ) {
    const page = await rows.findAfter(after, PAGE)
    for (const row of page.filter(isStale))
      try {
        await rows.replace(row, { ...row, encrypted: row.encrypted.map(anew) })
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
