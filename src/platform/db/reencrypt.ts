// Re-encrypts stored secrets after APP_SECRET was changed, so that APP_SECRET_PREVIOUS can be removed.
import { NIL } from 'uuid'
import { createSecretCipher, type Purpose, SecretDecryptionError } from '../config/secret-cipher.ts'
import type { ProcessSettings } from '../config/settings.ts'
import type { Log } from '../observability/log.ts'
import type { Sql } from './pool.ts'
import { readInBatches } from './read-in-batches.ts'

interface ReencryptDeps {
  pool: Sql
  settings: Pick<ProcessSettings, 'APP_SECRET' | 'APP_SECRET_PREVIOUS'>
  log: Log
}

/** Where secrets are stored. */
export interface EncryptedColumns {
  table: string
  /** The table's key, a UUID. */
  key: string
  /** Encrypted, or null. */
  columns: readonly string[]
  /** Condition of an index on the key, for a large table of which few rows have a secret. */
  where?: string
}

interface EncryptedRow {
  key: string
  encrypted: (string | null)[]
}

const BATCH = 1_000

/**
 * Re-encrypts all rows, unless they change in the meantime. Safe to repeat and to run concurrently.
 * Logs how many were re-encrypted, and how many neither secret decrypts: these stay as they are.
 * @returns the number of rows re-encrypted
 */
export async function reencrypt(
  { pool, settings, log }: ReencryptDeps,
  purpose: Purpose,
  stored: EncryptedColumns,
): Promise<number> {
  const secretCipher = createSecretCipher(settings)
  const isStale = (row: EncryptedRow) => row.encrypted.some((one) => one !== null && !secretCipher.isCurrent(one))
  const encryptAgain = (encrypted: string | null) =>
    encrypted && secretCipher.encrypt(purpose, secretCipher.decrypt(purpose, encrypted))
  let reencrypted = 0
  let unreadable = 0
  const batches = readInBatches(BATCH, (last?: EncryptedRow) => findAfter(pool, stored, last?.key ?? NIL))
  for await (const rows of batches)
    for (const row of rows.filter(isStale))
      try {
        await replace(pool, stored, row, row.encrypted.map(encryptAgain))
        reencrypted++
      } catch (error) {
        if (!(error instanceof SecretDecryptionError)) throw error
        unreadable++
      }
  const { table } = stored
  if (reencrypted) log.info({ table, reencrypted }, 'stored secrets encrypted under the current APP_SECRET')
  if (unreadable)
    log.warn({ table, unreadable }, 'stored secrets can’t be decrypted: they were encrypted under another APP_SECRET')
  return reencrypted
}

async function findAfter(db: Sql, { table, key, columns, where = 'true' }: EncryptedColumns, after: string) {
  const { rows } = await db.query<EncryptedRow>(
    `select ${key} as key, array[${columns}] as encrypted from ${table} where ${key} > $1 and ${where} order by ${key} limit $2`,
    [after, BATCH],
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
