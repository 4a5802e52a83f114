// Completes expired commands, deletes answers that were never collected and passwords that became invalid, and encrypts passwords
// again after APP_SECRET was changed.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { deleteUncollected } from './commands.sql.ts'
import { recordExpired } from './completion.ts'
import { deleteInvalidCredentials } from './credentials.sql.ts'

/** A waiting request collects its answer within a second. */
const UNCOLLECTED_SECONDS = 60

export async function runRconUpkeep({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  const secretCipher = createSecretCipher(settings)
  const expired = await inTransaction(pool, (tx) => recordExpired(tx, secretCipher))
  const uncollected = await deleteUncollected(pool, UNCOLLECTED_SECONDS)
  const invalid = await deleteInvalidCredentials(pool)
  const passwords = { table: 'rcon_credentials', key: 'server_id', columns: ['password'] }
  const { reencrypted, unreadable } = await reencrypt(pool, secretCipher, 'rcon', passwords)
  log.info({ expired, uncollected, invalid, reencrypted }, 'old RCON commands and passwords deleted')
  if (unreadable) log.error({ unreadable }, 'RCON passwords are encrypted with an APP_SECRET that is no longer known')
}
