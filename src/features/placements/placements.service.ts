// How a paid placement starts and ends.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { notifyDirectory } from '../servers/index.ts'
import { endPlacement, insertPlacement, recordShown, refreshFeatured, resumePlacement } from './placements.sql.ts'
import { lockSlot } from './slots.store.ts'

/** What an auction's offer sold. */
export interface SoldPlacement {
  offerId: string
  slotId: string
  serverId: string
  days: number
}

/**
 * Schedules a paid placement in the caller's transaction. If the offer already has one, does nothing, unless a dispute
 * or a refund has ended it: then it resumes.
 */
export async function startPlacement(tx: Db, sold: SoldPlacement): Promise<void> {
  await lockSlot(tx, sold.slotId) // gives a slot's next free time to one offer only
  const isNew = await insertPlacement(tx, { id: uuidv7(), ...sold })
  if (!isNew && !(await resumePlacement(tx, sold.offerId))) return
  await recordShown(tx, sold.offerId)
  if (await refreshFeatured(tx, [sold.serverId])) await notifyDirectory(tx)
}

/** Ends the placement of an offer whose payment was refunded or disputed. */
export async function stopPlacement(tx: Db, offerId: string, reason: 'refunded' | 'disputed'): Promise<void> {
  const serverId = await endPlacement(tx, offerId, reason)
  if (serverId && (await refreshFeatured(tx, [serverId]))) await notifyDirectory(tx)
}

/** Handler of `placement-turn`: starts and ends placements whose time has come. */
export async function updatePlacements({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const servers = await inTransaction(pool, async (tx) => {
    await recordShown(tx, null)
    const changed = await refreshFeatured(tx, null)
    if (changed) await notifyDirectory(tx)
    return changed
  })
  if (servers) log.info({ servers }, 'placements started or ended')
}
