// Derives who leads an auction when bids become invalid (docs/decisions/0016), and offers one that is over to one
// bidder at a time. The caller has locked the auction.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { lockSlotForShare } from '../placements/index.ts'
import { queueDeliveries } from '../webhooks/index.ts'
import { CURRENCY } from './auctions.schema.ts'
import { type LockedAuction, lockAuction } from './auctions.store.ts'
import { findBid, findNextBidder } from './bids.store.ts'
import { invalidateLostBids, isOfferInvalid, OFFERED_WITHIN_DAYS, supersedeOwnRaises, writeLead } from './lead.sql.ts'
import { findOffersOf, insertOffer, isSold, type OfferRow, updateOffer } from './offers.store.ts'

/** How long the winner has to pay. */
export const OFFER_HOURS = 48

/** Whether an auction that is over may still be offered. */
export const mayBeOffered = ({ endsAt }: Pick<LockedAuction, 'endsAt'>, now: Date): boolean =>
  now.getTime() - endsAt.getTime() < OFFERED_WITHIN_DAYS * DAY_MS

/**
 * Derives the lead from the valid bids. During the auction, a user who leads again is notified. After the end, an offer
 * whose bid has become invalid is withdrawn, and the auction is offered to the leader. The bids of an auction that
 * was sold or canceled stay valid.
 * @returns whether this call made an offer
 */
export async function updateLead(tx: Db, jobs: JobQueue, auction: LockedAuction, now: Date): Promise<boolean> {
  const { id: auctionId } = auction
  if (auction.status === 'canceled') {
    await writeLead(tx, auctionId) // the account of a bidder may be deleted
    return false
  }
  const offers = await findOffersOf(tx, [auctionId])
  const live = offers.find(({ status }) => status === 'open' || status === 'paid')
  const sold = await isSold(tx, auction, offers)
  let isOpenToNext = !live && !sold
  if (live && !sold && (await isOfferInvalid(tx, live.id))) {
    await updateOffer(tx, live.id, { status: 'withdrawn' })
    isOpenToNext = true
  }
  if (!sold) await invalidateLostBids(tx, auctionId, now)
  // The price of an offer does not change, because its payment page may be open.
  if (isOpenToNext) await supersedeOwnRaises(tx, auctionId, now)
  const before = auction.leadingBidId === null ? null : await findBid(tx, auction.leadingBidId)
  const lead = await writeLead(tx, auctionId)

  if (auction.status === 'completed' && isOpenToNext && mayBeOffered(auction, now))
    return makeOffer(tx, jobs, auction, now)
  if (auction.status === 'active' && now < auction.endsAt && lead && lead.userId !== before?.userId) {
    const data = { title: auction.title, auctionId, currentBid: lead.amount, currency: CURRENCY }
    await jobs.enqueue(tx, notify, [{ event: 'auctionLeadRegained', at: now.toISOString(), userId: lead.userId, data }])
  }
  return false
}

/** Locks these auctions, which the caller has locked in id order with `lockAuctionsOf`, and derives their leads. */
export async function lockAndUpdateLeads(tx: Db, jobs: JobQueue, auctionIds: readonly string[]): Promise<void> {
  for (const auctionId of auctionIds) {
    const auction = await lockAuction(tx, auctionId)
    if (auction) await updateLead(tx, jobs, auction, await readClock(tx))
  }
}

/** Locks an auction and derives its lead, for the sweep. */
export async function updateLeadInTransaction(
  { pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>,
  auctionId: string,
): Promise<void> {
  await inTransaction(pool, (tx) => lockAndUpdateLeads(tx, jobs, [auctionId]))
  log.info({ auctionId }, 'lead of an auction updated')
}

interface OfferToPay {
  auction: Pick<LockedAuction, 'id' | 'title'>
  offer: Pick<OfferRow, 'userId' | 'amount' | 'expiresAt'>
  now: Date
}

/** Notifies a bidder that an offer is to be paid. */
export async function notifyWinner(tx: Db, jobs: JobQueue, { auction, offer, now }: OfferToPay): Promise<void> {
  const { id: auctionId, title } = auction
  const { userId, amount, expiresAt } = offer
  const data = { title, auctionId, amountCents: amount, currency: CURRENCY, expiresAt: expiresAt.toISOString() }
  await jobs.enqueue(tx, notify, [{ event: 'auctionWon', at: now.toISOString(), userId, data }])
}

/**
 * Offers an auction to the highest bidder who has not had an offer.
 * @returns false if no bidder is left, or the slot is inactive: once it is active again, the sweep makes the offer
 */
async function makeOffer(tx: Db, jobs: JobQueue, auction: LockedAuction, now: Date): Promise<boolean> {
  const { id: auctionId, slotId, title } = auction
  const isActive = (await lockSlotForShare(tx, slotId))?.isActive
  const bidder = isActive ? await findNextBidder(tx, auctionId) : undefined
  if (!bidder) return false
  const expiresAt = new Date(now.getTime() + OFFER_HOURS * HOUR_MS)
  await insertOffer(tx, { id: uuidv7(), auctionId, ...bidder, offeredAt: now, expiresAt })
  const { serverId, amount: amountCents } = bidder
  await notifyWinner(tx, jobs, { auction, offer: { ...bidder, expiresAt }, now })
  if (serverId)
    await queueDeliveries(tx, jobs, [
      {
        serverId,
        type: 'auction.won',
        at: now,
        data: { title, auctionId, amountCents, serverId, payWithinHours: OFFER_HOURS },
      },
    ])
  return true
}
