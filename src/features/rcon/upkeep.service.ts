// Ends commands that everybody forgot, clears away their answers and passwords without an owner, and seals passwords anew after
// APP_SECRET was changed.
import type { Deps } from '../../deps.ts'
import { sealAnew } from '../../platform/config/reseal.ts'
import { createVault } from '../../platform/config/vault.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { deleteForgotten } from './commands.sql.ts'
import { deleteStray, sealedPasswords } from './credentials.sql.ts'
import { createSettlement } from './settlement.ts'

/** Whoever waits for an answer fetches it within a second. */
const FORGOTTEN_SECONDS = 60

export async function runRconUpkeep({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  const vault = createVault(settings)
  const settlement = createSettlement(vault)
  const expired = await inTransaction(pool, (tx) => settlement.settleExpired(tx))
  const forgotten = await deleteForgotten(pool, FORGOTTEN_SECONDS)
  const strays = await deleteStray(pool)
  const { resealed, unreadable } = await sealAnew(vault, 'rcon', sealedPasswords(pool))
  log.info({ expired, forgotten, strays, resealed }, 'RCON commands cleared away')
  if (unreadable) log.error({ unreadable }, 'RCON passwords are sealed under an APP_SECRET that is not known any more')
}
