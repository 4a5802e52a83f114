// The hourly upkeep: forgets unclaimed servers that no longer answer, and those that a block forbids;
// deletes old announcements.
import type { Deps } from '../../deps.ts'
import { chunksOf } from '../../platform/chunks.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { forgetServers, notifyDirectory } from '../servers/index.ts'
import { deleteOldAnnouncements } from './announcements.sql.ts'
import { findBlockedListings, findSilentListings, NO_NAMES, type ResolvedNames } from './placing.sql.ts'

/** Rows of one statement: of a large network, one for all would exceed the time limit. */
const CHUNK = 1_000

/**
 * Forgets the unclaimed listings that a block forbids, but not by where names lead, in the caller's transaction.
 * @returns how many
 */
export async function removeBlocked(tx: Db, blockId: string): Promise<number> {
  // Each statement locks its rows in id order: all of them together must too, to avoid deadlocks.
  const ids = (await findBlockedListings(tx, { names: NO_NAMES, blockId, limit: null })).sort()
  let removed = 0
  for (const chunk of chunksOf(ids, CHUNK)) removed += (await forgetServers(tx, chunk)).length
  return removed
}

/** @param names where they lead now: a block may forbid that address */
export async function runDiscoveryUpkeep(
  { pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>,
  names: ResolvedNames = NO_NAMES,
): Promise<void> {
  /** @param find up to CHUNK listings to forget */
  async function forgetAll(find: () => Promise<string[]>): Promise<number> {
    for (let total = 0; ; ) {
      const ids = await find()
      const forgotten = await inTransaction(pool, async (tx) => {
        const removed = await forgetServers(tx, ids)
        if (removed.length) await notifyDirectory(tx)
        return removed.length
      })
      total += forgotten
      if (ids.length < CHUNK || forgotten === 0) return total
    }
  }
  const blocked = await forgetAll(() => findBlockedListings(pool, { names, blockId: null, limit: CHUNK }))
  const days = settings.DISCOVER_FORGET_DAYS
  const silent = await forgetAll(() => findSilentListings(pool, { days, limit: CHUNK }))
  await deleteOldAnnouncements(pool)
  if (blocked || silent) log.info({ blocked, silent }, 'unclaimed servers forgotten')
}
