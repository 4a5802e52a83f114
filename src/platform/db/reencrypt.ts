// Re-encrypts stored secrets after APP_SECRET was changed, so that APP_SECRET_PREVIOUS can be removed.
import { type Purpose, type SecretCipher, SecretDecryptionError } from '../config/secret-cipher.ts'
import type { Sql } from './pool.ts'

/** Where secrets are stored. */
export interface EncryptedColumns {
  table: string
  /** The table's key, a UUID. */
  key: string
  /** Encrypted, or null. */
  columns: readonly string[]
  /** Which rows; all unless given. */
  where?: string
}

interface EncryptedRow {
  key: string
  encrypted: (string | null)[]
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
const PAGE = 1_000

/**
 * Re-encrypts all rows, unless they change in the meantime. Safe to repeat and to run concurrently.
 * @returns the number of rows re-encrypted, and of rows that neither secret decrypts, which stay as they are
 */
export async function reencrypt(
  db: Sql,
  secretCipher: SecretCipher,
  purpose: Purpose,
  stored: EncryptedColumns,
): Promise<{ reencrypted: number; unreadable: number }> {
  const isStale = (row: EncryptedRow) => row.encrypted.some((one) => one !== null && !secretCipher.isCurrent(one))
  const encryptAgain = (encrypted: string | null) =>
    encrypted && secretCipher.encrypt(purpose, secretCipher.decrypt(purpose, encrypted))
  let reencrypted = 0
  let unreadable = 0
  for (let after = BEFORE_ALL; ; ) {
    const page = await findAfter(db, stored, after)
    for (const row of page.filter(isStale))
      try {
        await replace(db, stored, row, row.encrypted.map(encryptAgain))
        reencrypted++
      } catch (error) {
        if (!(error instanceof SecretDecryptionError)) throw error
        unreadable++
      }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return { reencrypted, unreadable }
    after = last.key
  }
}

async function findAfter(db: Sql, { table, key, columns, where = 'true' }: EncryptedColumns, after: string) {
  const { rows } = await db.query<EncryptedRow>(
    `select ${key} as key, array[${columns}] as encrypted from ${table} where ${key} > $1 and ${where} order by ${key} limit $2`,
    [after, PAGE],
  )
  return rows
}

async function replace(db: Sql, stored: EncryptedColumns, before: EncryptedRow, after: (string | null)[]) {
  const { table, key, columns } = stored
  const changes = columns.map((column, place) => `${column} = ($3::text[])[${place + 1}]`)
  await db.query(`update ${table} set ${changes} where ${key} = $1 and array[${columns}] = $2::text[]`, [
    before.key,
    before.encrypted,
    after,
  ])
}
