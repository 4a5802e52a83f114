// Offers: who may pay for an auction that is over, one at a time.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { holdSlot } from '../placements/index.ts'
import { queueDeliveries } from '../webhooks/index.ts'
import type { LockedAuction } from './auctions.sql.ts'
import { findNextBidder } from './bids.sql.ts'
import { insertOffer } from './offers.sql.ts'

/** The winner has 48 h to pay. */
export const OFFER_HOURS = 48

/**
 * Offers an auction to the highest bidder who was not offered it yet.
 * @returns false when nobody is left, or the slot is not sold at the moment: once it is again, the sweep comes back to it
 */
export async function offerToNext(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auctionId: string,
  auction: LockedAuction,
  now: Date,
): Promise<boolean> {
  const isSold = (await holdSlot(tx, auction.slotId))?.isActive
  const bidder = isSold ? await findNextBidder(tx, auctionId) : undefined
  if (!bidder) return false
  await insertOffer(tx, { id: uuidv7(), auctionId, ...bidder }, now, OFFER_HOURS)
  const { title } = auction
  await jobs.enqueue(tx, notify, [
    {
      event: 'auctionWon',
      at: now.toISOString(),
      userId: bidder.userId,
      data: { title, auctionId, amountCents: bidder.amount },
    },
  ])
  if (bidder.serverId)
    await queueDeliveries(tx, jobs, [
      {
        serverId: bidder.serverId,
        type: 'auction.won',
        at: now,
        data: { auctionId, title, serverId: bidder.serverId, amountCents: bidder.amount, payWithinHours: OFFER_HOURS },
      },
    ])
  return true
}
