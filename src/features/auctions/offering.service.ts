// Offers an auction that is over to one bidder at a time.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { lockSlotForShare } from '../placements/index.ts'
import { queueDeliveries } from '../webhooks/index.ts'
import type { LockedAuction } from './auctions.store.ts'
import { findNextBidder } from './bids.store.ts'
import { insertOffer } from './offers.store.ts'

/** How long the winner has to pay. */
export const OFFER_HOURS = 48

/**
 * Offers an auction to the highest bidder who has not had an offer.
 * @returns false if no bidder is left, or the slot is inactive: once it is active again, the sweep makes the offer
 */
export async function makeOffer(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  { id: auctionId, slotId, title }: LockedAuction,
  now: Date,
): Promise<boolean> {
  const isActive = (await lockSlotForShare(tx, slotId))?.isActive
  const bidder = isActive ? await findNextBidder(tx, auctionId) : undefined
  if (!bidder) return false
  const expiresAt = new Date(now.getTime() + OFFER_HOURS * 3_600_000)
  await insertOffer(tx, { id: uuidv7(), auctionId, ...bidder, offeredAt: now, expiresAt })
  const { userId, serverId, amount: amountCents } = bidder
  const data = { title, auctionId, amountCents }
  await jobs.enqueue(tx, notify, [{ event: 'auctionWon', at: now.toISOString(), userId, data }])
  if (serverId)
    await queueDeliveries(tx, jobs, [
      { serverId, type: 'auction.won', at: now, data: { ...data, serverId, payWithinHours: OFFER_HOURS } },
    ])
  return true
}
