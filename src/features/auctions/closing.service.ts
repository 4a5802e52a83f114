// Closes auctions: the highest valid bid wins, and the next bidder gets an offer if the winner does not pay.
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { lockSlotForShare } from '../placements/index.ts'
import { type LockedAuction, lockAuction, updateAuction } from './auctions.store.ts'
import { recount, recountAuction } from './lead.service.ts'
import { findLiveOffer, updateOffer } from './offers.store.ts'
import { findAuctionsWithLostBids } from './sweep.sql.ts'

/**
 * A payment page is open for at least 30 minutes and its event takes a moment. A payment on the last page still counts.
 */
export const GRACE_MINUTES = 35

export type ClosingDeps = Pick<Deps, 'pool' | 'jobs' | 'log'>

/** Handler of `auction-close`. Does nothing if the auction is not over, or was closed before. */
export async function closeAuction({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  const closed = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    return auction !== undefined && closeLockedAuction(tx, jobs, auction)
  })
  if (closed) log.info({ auctionId }, 'auction closed')
}

/**
 * The same for a locked auction, for winners who check out before the job has run.
 * @returns whether this call closed it
 */
export async function closeLockedAuction(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auction: LockedAuction,
): Promise<boolean> {
  if (auction.status !== 'active') return false
  const now = await readClock(tx)
  if (now < auction.endsAt) return false
  await updateAuction(tx, auction.id, { status: 'completed' })
  await recount(tx, jobs, { ...auction, status: 'completed' }, now)
  return true
}

/**
 * Ends an offer that was not paid in time and makes the next one. The bidder defaults, unless the slot was inactive.
 */
export async function offerToNextBidder({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  const ended = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (auction?.status !== 'completed') return undefined
    const offer = await findLiveOffer(tx, auctionId)
    const now = await readClock(tx)
    if (offer?.status !== 'open' || now.getTime() < offer.expiresAt.getTime() + GRACE_MINUTES * 60_000) return undefined
    const isActive = (await lockSlotForShare(tx, auction.slotId))?.isActive
    await updateOffer(tx, offer.id, isActive ? { status: 'expired', defaultedAt: now } : { status: 'withdrawn' })
    return { userId: offer.userId, isOffered: await recount(tx, jobs, auction, now) }
  })
  if (!ended) return
  const { userId, isOffered } = ended
  log.info({ auctionId, isOffered }, 'an offer was not paid in time; the auction goes to the next bidder')
  // One transaction each, because several auctions may only be locked in id order.
  for (const other of await findAuctionsWithLostBids(pool, userId)) await recountAuction({ pool, jobs, log }, other)
}
