// An outage of the directory itself is an obstacle of every open offer (docs/decisions/0009-auctions.md).
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { lockAuction } from './auctions.store.ts'
import { extendOffer, notifyExtended } from './obstacles.service.ts'
import { findAuctionsWithOpenOffers, findCurrentObstacles, recordSweep } from './obstacles.sql.ts'
import { findLiveOffer } from './offers.store.ts'

/**
 * After the directory was down, gives the bidder of each open offer the whole time again: paying was not possible. The
 * sweep calls this before it ends any offer.
 */
export async function extendAfterOutage({ pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>): Promise<void> {
  const extended = await inTransaction(pool, async (tx) => {
    if (!(await recordSweep(tx))) return []
    const auctionIds = await findAuctionsWithOpenOffers(tx)
    for (const auctionId of auctionIds) {
      const auction = await lockAuction(tx, auctionId)
      const offer = await findLiveOffer(tx, auctionId)
      if (!auction || offer?.status !== 'open') continue
      const now = await readClock(tx)
      const expiresAt = (await extendOffer(tx, offer, [now])) ?? offer.expiresAt
      const obstacles = await findCurrentObstacles(tx, offer.id)
      if (obstacles.length === 0) await notifyExtended(tx, jobs, { auction, offer: { ...offer, expiresAt }, now })
    }
    return auctionIds
  })
  if (extended.length > 0) log.warn({ auctionIds: extended }, 'offers were extended, because the directory was down')
}
