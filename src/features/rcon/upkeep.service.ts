// Completes expired commands, deletes answers that were never collected and passwords that became invalid, and encrypts
// passwords again after APP_SECRET was changed.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { deleteUncollected } from './commands.sql.ts'
import { recordExpired } from './completion.ts'
import { deleteInvalidCredentials } from './credentials.sql.ts'

/** A waiting request collects its answer within a second. */
const UNCOLLECTED_SECONDS = 60

export async function runRconUpkeep(deps: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  const { pool, settings, log } = deps
  const expired = await inTransaction(pool, (tx) => recordExpired(tx, createSecretCipher(settings)))
  const uncollected = await deleteUncollected(pool, UNCOLLECTED_SECONDS)
  const invalid = await deleteInvalidCredentials(pool)
  log.info({ expired, uncollected, invalid }, 'old RCON commands and passwords deleted')
  await reencrypt(deps, 'rcon', { table: 'rcon_credentials', key: 'server_id', columns: ['password'] })
}
