// Derives who leads an auction when bids become invalid (docs/decisions/0016). The caller has locked the auction.
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { type LockedAuction, lockAuction } from './auctions.store.ts'
import { BAR_DAYS, findBid } from './bids.store.ts'
import { invalidateLostBids, isOfferLost, supersedeOwnRaises, writeLead } from './lead.sql.ts'
import { makeOffer } from './offering.service.ts'
import { findOffersOf, isSold, updateOffer } from './offers.store.ts'

/** Auctions that ended longer ago are not offered again. */
const OFFERED_WITHIN_MS = 30 * 86_400_000

/**
 * Derives the lead from the valid bids. During the auction, a user who leads again is notified. After the end, an offer
 * whose bid has become invalid is withdrawn, and the auction is offered to the leader. A sold auction does not change.
 * @returns whether this call made an offer
 */
export async function recount(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auction: LockedAuction,
  now: Date,
): Promise<boolean> {
  const { id: auctionId } = auction
  const offers = await findOffersOf(tx, [auctionId])
  const live = offers.find(({ status }) => status === 'open' || status === 'paid')
  const sold = await isSold(tx, offers)
  let isOpenToNext = !live && !sold
  if (live && !sold && (await isOfferLost(tx, live.id))) {
    await updateOffer(tx, live.id, { status: 'withdrawn' })
    isOpenToNext = true
  }
  if (!sold) await invalidateLostBids(tx, auctionId, now, BAR_DAYS)
  // The price of an offer does not change, because its payment page may be open.
  if (isOpenToNext) await supersedeOwnRaises(tx, auctionId, now)
  const before = auction.leadingBidId === null ? null : await findBid(tx, auction.leadingBidId)
  const lead = await writeLead(tx, auctionId)

  if (auction.status === 'completed' && isOpenToNext && now.getTime() - auction.endsAt.getTime() < OFFERED_WITHIN_MS)
    return makeOffer(tx, jobs, auction, now)
  if (auction.status === 'active' && now < auction.endsAt && lead && lead.userId !== before?.userId) {
    const data = { title: auction.title, auctionId, leadsWith: lead.amount }
    await jobs.enqueue(tx, notify, [{ event: 'auctionOutbid', at: now.toISOString(), userId: lead.userId, data }])
  }
  return false
}

/** The same for auctions that the caller has locked with `lockAuctionsOf`. */
export async function recountAuctions(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auctionIds: readonly string[],
): Promise<void> {
  for (const auctionId of auctionIds) {
    const auction = await lockAuction(tx, auctionId)
    if (auction) await recount(tx, jobs, auction, await readClock(tx))
  }
}

/** The same in its own transaction, for the sweep. */
export async function recountAuction(
  { pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>,
  auctionId: string,
): Promise<void> {
  await inTransaction(pool, (tx) => recountAuctions(tx, jobs, [auctionId]))
  log.info({ auctionId }, 'auction recounted')
}
