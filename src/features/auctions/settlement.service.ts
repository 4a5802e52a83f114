// Settlement: a payment starts the placement; a refund or a dispute ends it.
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { retryDeadlocks } from '../../platform/db/deadlock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import {
  findPaidOrProcessing,
  findPayment,
  hasRefund,
  type PaymentSettled,
  type Payments,
  requestRefund,
} from '../billing/index.ts'
import { hasPlacement, lockSlot, startPlacement, stopPlacement } from '../placements/index.ts'
import type { Checkout } from './auctions.schema.ts'
import { type LockedAuction, lockAuction } from './auctions.store.ts'
import { noSuchAuction, requireActiveSlot, requireOwnListing } from './bids.service.ts'
import { findBidderRights, isOwnListing, reinstateBid } from './bids.store.ts'
import { closeLockedAuction } from './closing.service.ts'
import { writeLead } from './lead.sql.ts'
import { openOfferPage, refreshObstacles } from './obstacles.service.ts'
import { findLiveOffer, findOffer, findOffersOf, isSold, type OfferRow, updateOffer } from './offers.store.ts'

/**
 * Opens the winner's payment page, or returns the one that is still open.
 * @throws ApiError 404; 400 `auction_not_over`, `not_the_winner`, `already_paid`, `slot_inactive`, `validation_failed`
 * without a server; 503 `billing_unavailable` if payments are off, `unavailable` if the provider is down
 */
export async function openCheckout(
  { pool, jobs, settings, payments }: Pick<Deps, 'pool' | 'jobs' | 'settings'> & { payments: Payments },
  { userId, auctionId, serverId, language }: { userId: string; auctionId: string } & z.output<typeof Checkout>,
) {
  // Closing the auction may deadlock with the deletion of its winner, as in `closeAuction`.
  const { auction, offer } = await retryDeadlocks(() =>
    inTransaction(pool, async (tx) => {
      const auction = await lockAuction(tx, auctionId)
      if (!auction) throw noSuchAuction()
      if (auction.status === 'active' && !(await closeLockedAuction(tx, jobs, auction)))
        throw new ApiError(400, 'auction_not_over', 'This auction is not over yet.')
      const live = await findLiveOffer(tx, auctionId)
      if (live?.userId !== userId) throw notTheWinner()
      if (live.status === 'paid') throw new ApiError(400, 'already_paid', 'This auction is already paid for.')
      if ((await findPaidOrProcessing(tx, [live.id])).has(live.id))
        throw new ApiError(400, 'already_paid', 'Your payment for this auction is being processed.')
      const now = await readClock(tx)
      const offer = await refreshObstacles(tx, payments, live, now)
      await requireActiveSlot(tx, auction)
      if (now >= offer.expiresAt && offer.obstacles.length === 0) throw notTheWinner()
      const featured = serverId ?? offer.serverId
      if (!featured) throw validationFailed([{ path: 'body.serverId', message: 'must name the server to feature' }])
      await requireOwnListing(tx, featured, userId)
      if (featured !== offer.serverId) await updateOffer(tx, offer.id, { serverId: featured })
      return { auction, offer }
    }),
  )
  return openOfferPage({ pool, jobs, settings, payments }, { auction, offer, language })
}

const notTheWinner = () => new ApiError(400, 'not_the_winner', 'Only the winner can pay for this auction.')

/** What a payment does. `isRefunded`: it buys nothing, and its refund was requested. */
interface Settlement {
  outcome: 'gone' | 'kept' | 'paid_before' | 'paid' | 'refund_due' | 'refunded' | 'disputed'
  isRefunded: boolean
}

/**
 * Handler of `payment-settled`: applies a payment's status. Idempotent, in any order. A payment that buys nothing is
 * refunded in the same transaction: another bidder got the auction, the bid was voided, its bidder was banned, the
 * account was deleted, the offer was paid before, or there is nothing to show (`canBeShown`).
 */
export async function applyPayment(
  { pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>,
  payment: PaymentSettled,
): Promise<void> {
  if (payment.status === 'expired') return // the page expired, not the offer
  const { reference } = payment
  const known = isUuid(reference) ? await findOffer(pool, reference) : null
  const { outcome, isRefunded } = await inTransaction(pool, (tx) => settle(tx, jobs, payment, known))
  const line = { offerId: reference, auctionId: known?.auctionId, outcome }
  if (isRefunded) log.warn(line, 'a payment buys nothing and is refunded')
  else log.info(line, 'payment of an auction settled')
}

/** @param known the offer that the payment names, read before its auction was locked */
async function settle(
  tx: Db,
  jobs: JobQueue,
  { status: reported, paymentId, sessionId }: PaymentSettled,
  known: OfferRow | null,
): Promise<Settlement> {
  const auction = known && (await lockAuction(tx, known.auctionId))
  const offer = known && (await findOffer(tx, known.id))
  // A retried job may run after newer ones, so the stored status of the payment counts.
  const payment = await findPayment(tx, sessionId)
  const status = payment?.status ?? reported
  const refuse = async (outcome: 'gone' | 'paid_before') => {
    const isRefunded = status === 'paid' // else it is refunded already, or disputed
    if (isRefunded) await requestRefund(tx, jobs, sessionId)
    return { outcome, isRefunded }
  }
  if (!auction || !offer)
    // Without a reference it bought what an account that is deleted has had.
    return payment?.reference === null ? { outcome: 'kept', isRefunded: false } : refuse('gone')
  // The placement follows the first payment.
  if (offer.paymentId !== null && paymentId !== null && offer.paymentId !== paymentId) return refuse('paid_before')
  const paidBy = paymentId === null ? {} : { paymentId }
  if (status === 'refunded' || status === 'disputed') {
    await stopPlacement(tx, offer.id, status)
    await updateOffer(tx, offer.id, { status: 'refunded', ...paidBy })
    return { outcome: status, isRefunded: false }
  }
  if (offer.status === 'paid') return { outcome: 'paid', isRefunded: false } // reported before; its placement exists
  return applyPaid(tx, jobs, { auction, offer, paidBy, sessionId })
}

/** Starts the placement of an offer that was paid, or has the payment refunded. */
async function applyPaid(
  tx: Db,
  jobs: JobQueue,
  paid: { auction: LockedAuction; offer: OfferRow; paidBy: { paymentId?: string }; sessionId: string },
): Promise<Settlement> {
  const { auction, offer, paidBy, sessionId } = paid
  const outcome = await classifyPayment(tx, auction, offer, sessionId)
  const defaulted = outcome === 'paid' ? { defaultedAt: null } : {}
  await updateOffer(tx, offer.id, { status: outcome, ...paidBy, ...defaulted, paidAt: await readClock(tx) })
  if (outcome === 'refund_due') {
    await requestRefund(tx, jobs, sessionId)
    return { outcome, isRefunded: true }
  }
  if (offer.status === 'expired') {
    await reinstateBid(tx, offer.bidId)
    await writeLead(tx, offer.auctionId)
  }
  if (offer.serverId)
    await startPlacement(tx, {
      offerId: offer.id,
      slotId: auction.slotId,
      serverId: offer.serverId,
      days: auction.placementDays,
    })
  return { outcome, isRefunded: false }
}

/**
 * A late payment counts unless another bidder has, or had, the auction, or its bidder was banned. A dispute that was
 * won, or a refund that failed, makes the offer paid again.
 */
async function classifyPayment(
  tx: Db,
  auction: LockedAuction,
  offer: OfferRow,
  sessionId: string,
): Promise<'paid' | 'refund_due'> {
  if (offer.status === 'withdrawn' || (await hasRefund(tx, sessionId))) return 'refund_due'
  if (await hasPlacement(tx, [offer.id])) return 'paid'
  if ((await findBidderRights(tx, offer.userId, await readClock(tx)))?.isBanned) return 'refund_due'
  const others = (await findOffersOf(tx, [offer.auctionId])).filter(({ id }) => id !== offer.id)
  const isTaken = others.some(({ status }) => status === 'open') || (await isSold(tx, auction, others))
  return !isTaken && (await canBeShown(tx, auction, offer)) ? 'paid' : 'refund_due'
}

/**
 * Whether the slot is active, and the server is still listed and the payer's. Locks the slot as `startPlacement` does.
 */
async function canBeShown(tx: Db, { slotId }: LockedAuction, { serverId, userId }: OfferRow): Promise<boolean> {
  const slot = await lockSlot(tx, slotId)
  return slot?.isActive === true && serverId !== null && (await isOwnListing(tx, serverId, userId))
}
