// The hourly upkeep: forgets unclaimed servers that no longer answer, and those that a block forbids.
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { forgetServers, notifyDirectory } from '../servers/index.ts'
import { findBlockedListings, findSilentListings } from './placing.sql.ts'

/** Rows of one transaction. */
const CHUNK = 1_000

export async function runDiscoveryUpkeep({
  pool,
  settings,
  log,
}: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  const forget = (find: () => Promise<string[]>) =>
    inTransaction(pool, async (tx) => {
      const forgotten = await forgetServers(tx, await find())
      if (forgotten.length) await notifyDirectory(tx)
      return forgotten.length
    })
  const all = async (find: () => Promise<string[]>) => {
    let total = 0
    for (;;) {
      const forgotten = await forget(find)
      total += forgotten
      if (forgotten === 0) return total
    }
  }
  const blocked = await all(() => findBlockedListings(pool, CHUNK))
  const silent = await all(() => findSilentListings(pool, { days: settings.DISCOVER_FORGET_DAYS, limit: CHUNK }))
  if (blocked || silent) log.info({ blocked, silent }, 'unclaimed servers removed')
}
