// Ends commands that everybody forgot, clears away their answers and passwords without an owner, and seals passwords anew after
// APP_SECRET was changed.
import type { Deps } from '../../deps.ts'
import { createVault, type Vault, VaultError } from '../../platform/config/vault.ts'
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import { deleteForgotten } from './commands.sql.ts'
import { deleteStray, findSealed, replaceSealed } from './credentials.sql.ts'
import { createSettlement } from './settlement.ts'

/** Whoever waits for an answer fetches it within a second. */
const FORGOTTEN_SECONDS = 60
const CHUNK = 1_000
const FIRST = '00000000-0000-0000-0000-000000000000'

export async function runRconUpkeep({ pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  const vault = createVault(settings)
  const settlement = createSettlement(vault)
  const expired = await inTransaction(pool, (tx) => settlement.settleExpired(tx))
  const forgotten = await deleteForgotten(pool, FORGOTTEN_SECONDS)
  const strays = await deleteStray(pool)
  const { sealed, unreadable } = await sealAnew(pool, vault)
  log.info({ expired, forgotten, strays, sealed }, 'RCON commands cleared away')
  if (unreadable) log.error({ unreadable }, 'RCON passwords are sealed under an APP_SECRET that is not known any more')
}

/** After it APP_SECRET_PREVIOUS is needed by no RCON password any more. */
async function sealAnew(pool: Pool, vault: Vault): Promise<{ sealed: number; unreadable: number }> {
  let sealed = 0
  let unreadable = 0
  let after = FIRST
  for (;;) {
    const rows = await findSealed(pool, { after, limit: CHUNK })
    for (const { serverId, password } of rows.filter(({ password }) => !vault.isCurrent(password)))
      try {
        const anew = vault.seal('rcon', vault.open('rcon', password))
        await replaceSealed(pool, { serverId, before: password, after: anew })
        sealed++
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        unreadable++
      }
    if (rows.length < CHUNK) return { sealed, unreadable }
    after = rows.at(-1)?.serverId ?? after
  }
}
