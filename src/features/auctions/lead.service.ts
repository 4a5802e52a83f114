// Who leads an auction, derived anew whenever bids become invalid (docs/decisions/0016). The caller holds the auction's lock.
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { hasPlacement } from '../placements/index.ts'
import { type LockedAuction, lockAuction } from './auctions.sql.ts'
import { BAR_DAYS, findBidder } from './bids.sql.ts'
import { invalidateLostBids, isOfferLost, supersedeOwnRaises, writeLead } from './lead.sql.ts'
import { offerToNext } from './offering.service.ts'
import { findOffersOf, writeOfferStatus } from './offers.sql.ts'

/** An auction that ended longer ago is not offered again. */
const OFFERED_WITHIN_MS = 30 * 86_400_000

/**
 * Derives the lead from the bids that remain valid. While bids are taken, a user who leads again is notified. After the end an
 * offer that was lost is withdrawn, and the auction is offered to the leader. What was sold stays as it was sold.
 * @returns whether it was offered to somebody by this
 */
export async function recount(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auctionId: string,
  auction: LockedAuction,
  now: Date,
): Promise<boolean> {
  const offers = await findOffersOf(tx, [auctionId])
  const live = offers.find(({ status }) => status === 'open' || status === 'paid')
  const isSold =
    live?.status === 'paid' ||
    (await hasPlacement(
      tx,
      offers.map(({ id }) => id),
    ))
  let isOpenToNext = !live && !isSold
  if (live && !isSold && (await isOfferLost(tx, live.id))) {
    await writeOfferStatus(tx, live.id, { status: 'withdrawn' })
    isOpenToNext = true
  }
  if (!isSold) await invalidateLostBids(tx, auctionId, now, BAR_DAYS)
  // The price of an offer stands: its page may be open.
  if (isOpenToNext) await supersedeOwnRaises(tx, auctionId, now)
  const before = auction.leadingBidId === null ? undefined : await findBidder(tx, auction.leadingBidId)
  const lead = await writeLead(tx, auctionId)

  if (auction.status === 'completed' && isOpenToNext && now.getTime() - auction.endsAt.getTime() < OFFERED_WITHIN_MS)
    return offerToNext(tx, jobs, auctionId, auction, now)
  if (auction.status === 'active' && now < auction.endsAt && lead && lead.userId !== before)
    await jobs.enqueue(tx, notify, [
      {
        event: 'auctionOutbid',
        at: now.toISOString(),
        userId: lead.userId,
        data: { title: auction.title, auctionId, leadsWith: lead.amount },
      },
    ])
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
    if (auction) await recount(tx, jobs, auctionId, auction, await readClock(tx))
  }
}

/** The same in a transaction of its own, for the sweep. */
export async function recountAuction(
  { pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>,
  auctionId: string,
): Promise<void> {
  await inTransaction(pool, (tx) => recountAuctions(tx, jobs, [auctionId]))
  log.info({ auctionId }, 'auction recounted')
}
