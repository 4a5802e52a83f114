// Administrators' actions on a locked auction.
import { readClock } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/pool.ts'
import { DAY_MS } from '../../platform/durations.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { auctionClose } from './auctions.jobs.ts'
import type { AuctionChange } from './auctions.schema.ts'
import { hasBids, type LockedAuction, updateAuction } from './auctions.store.ts'
import { findBid, invalidateBid } from './bids.store.ts'
import { updateLead } from './lead.service.ts'
import { findOffersOf, isSold } from './offers.store.ts'

const MAX_DAYS = 366

/**
 * Changes the terms of an auction that has no bids, or cancels one that is not over. Invalid bids count, since their
 * users saw the terms.
 * @throws ApiError 400 `has_bids`, `auction_closed`
 */
export async function changeAuction(
  tx: Db,
  jobs: JobQueue,
  auction: LockedAuction,
  change: AuctionChange,
): Promise<void> {
  const now = await readClock(tx)
  if (auction.status !== 'active' || now >= auction.endsAt)
    throw new ApiError(400, 'auction_closed', 'This auction is over and can’t be changed.')
  const { status: _, ...terms } = change
  if (Object.keys(terms).length > 0) {
    if (await hasBids(tx, auction.id)) throw hasBidsError('changed')
    const { startsAt = auction.startsAt, endsAt = auction.endsAt } = terms
    checkTimes({ startsAt, endsAt }, now)
    if (endsAt.getTime() !== auction.endsAt.getTime())
      await jobs.enqueue(tx, auctionClose, [{ auctionId: auction.id }], { startAfter: endsAt })
  }
  await updateAuction(tx, auction.id, change)
}

/**
 * Voids a bid and derives the new leader. If the auction has ended, an open offer for the bid is withdrawn and the next
 * bidder gets one.
 * @throws ApiError 404; 400 `bid_not_valid`, or `auction_closed` if the auction was canceled or sold
 */
export async function voidBid(tx: Db, jobs: JobQueue, auction: LockedAuction, bidId: string) {
  const bid = await findBid(tx, bidId)
  if (bid?.auctionId !== auction.id) throw notFound('There is no such bid.')
  if (auction.status === 'canceled' || (await isSold(tx, auction, await findOffersOf(tx, [auction.id]))))
    throw new ApiError(400, 'auction_closed', 'This auction was canceled or sold, so its bids can’t be voided.')
  if (bid.invalidAt) throw new ApiError(400, 'bid_not_valid', 'This bid is already invalid.')
  const now = await readClock(tx)
  await invalidateBid(tx, bidId, now)
  await updateLead(tx, jobs, auction, now)
  return bid
}

/** @param options.isOver whether it can't be canceled either */
export const hasBidsError = (what: 'changed' | 'deleted', { isOver = false } = {}) =>
  new ApiError(400, 'has_bids', `This auction has bids. It can’t be ${what}${isOver ? '' : ', only canceled'}.`)

export function checkTimes({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }, now: Date): void {
  const refuse = (message: string) => validationFailed([{ path: 'body.endsAt', message }])
  if (endsAt <= startsAt) throw refuse('must be after startsAt')
  if (endsAt <= now) throw refuse('must be in the future')
  if (endsAt.getTime() > startsAt.getTime() + MAX_DAYS * DAY_MS)
    throw refuse(`must be at most ${MAX_DAYS} days after startsAt`)
}
