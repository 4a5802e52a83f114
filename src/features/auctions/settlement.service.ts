// Settlement: the winner pays, the placement begins; money that goes back ends it.
import { validate as isUuid } from 'uuid'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { findPaymentStatus, hasRefund, type PaymentSettled, type Payments, requestRefund } from '../billing/index.ts'
import { hasPlacement, holdSlot, startPlacement, stopPlacement } from '../placements/index.ts'
import { lockAuction } from './auctions.sql.ts'
import { noSuchAuction, requireOwnListing } from './bids.service.ts'
import { closeLocked } from './closing.service.ts'
import { reinstateBid, writeLead } from './lead.sql.ts'
import {
  findLiveOffer,
  findOffer,
  findOffersOf,
  type OfferRow,
  writeOfferServer,
  writeOfferStatus,
} from './offers.sql.ts'

export const CHECKOUT_CODES = ['auction_not_over', 'not_the_winner', 'already_paid', 'slot_inactive'] as const
const CURRENCY = 'usd'

export interface SettlementService {
  /**
   * The page on which whoever has the offer pays for it; asked again, the same page while it can be paid.
   * @throws ApiError 404; 400 `auction_not_over`, `not_the_winner`, `already_paid`, `slot_inactive`, `validation_failed` when no server
   * is named; 503 when payments are off or the provider is down
   */
  checkout(
    userId: string,
    auctionId: string,
    given: { serverId?: string | undefined },
  ): Promise<{ sessionId: string; url: string }>
}

export function createSettlement(
  deps: Pick<Deps, 'pool' | 'jobs' | 'settings'> & { payments: Payments },
): SettlementService {
  const { pool, jobs, settings, payments } = deps

  /** The caller's open offer, with the server it will feature. */
  const prepare = (userId: string, auctionId: string, serverId: string | undefined) =>
    inTransaction(pool, async (tx) => {
      const auction = isUuid(auctionId) ? await lockAuction(tx, auctionId) : undefined
      if (!auction) throw noSuchAuction()
      if (auction.status === 'active' && !(await closeLocked(tx, jobs, auctionId, auction)))
        throw new ApiError(400, 'auction_not_over', 'This auction is not over yet.')
      const offer = await findLiveOffer(tx, auctionId)
      if (offer?.userId !== userId || (offer.status === 'open' && (await readClock(tx)) >= offer.expiresAt))
        throw new ApiError(400, 'not_the_winner', 'This auction is not yours to pay for.')
      if (offer.status === 'paid') throw new ApiError(400, 'already_paid', 'This auction is paid for.')
      if (!(await holdSlot(tx, auction.slotId))?.isActive)
        throw new ApiError(400, 'slot_inactive', 'The slot of this auction is not sold at the moment.')
      const featured = serverId ?? offer.serverId
      if (!featured) throw validationFailed([{ path: 'body.serverId', message: 'must name the server to be featured' }])
      await requireOwnListing(tx, 'body.serverId', featured, userId)
      if (featured !== offer.serverId) await writeOfferServer(tx, offer.id, featured)
      return { auction, offer }
    })

  return {
    async checkout(userId, auctionId, { serverId }) {
      const { auction, offer } = await prepare(userId, auctionId, serverId)
      const page = `${settings.PUBLIC_BASE_URL}/api/auctions/${auctionId}`
      return payments.createPaymentSession({
        userId,
        amountCents: offer.amount,
        currency: CURRENCY,
        description: `${auction.title}, ${auction.placementDays} days`,
        reference: offer.id,
        successUrl: page,
        cancelUrl: page,
        idempotencyKey: `auction-offer-${offer.id}`,
        expiresAt: offer.expiresAt,
      })
    },
  }
}

/**
 * Handler of `payment-settled`: applies a payment's status. Idempotent, in any order.
 * The refund of a payment that buys nothing is requested in the same transaction: the auction is, or was, somebody else's, the bid
 * was voided, its bidder banned, or the account deleted.
 */
export async function applyPayment(
  { pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>,
  { reference, status: told, paymentId, sessionId }: PaymentSettled,
): Promise<void> {
  if (told === 'expired') return // the page is over, not the offer: that has its own end
  const known = isUuid(reference) ? await findOffer(pool, reference) : undefined
  const outcome = await inTransaction(pool, async (tx) => {
    const auction = known && (await lockAuction(tx, known.auctionId))
    const offer = known && (await findOffer(tx, known.id))
    if (!auction || !offer) {
      if ((await findPaymentStatus(tx, sessionId)) === 'paid') await requestRefund(tx, jobs, sessionId)
      return 'gone'
    }
    // News that was retried may come after newer news: what is written of the payment counts.
    const status = (await findPaymentStatus(tx, sessionId)) ?? told
    if (status === 'refunded' || status === 'disputed') {
      await stopPlacement(tx, offer.id, status)
      await writeOfferStatus(tx, offer.id, { status: 'refunded', paymentId })
      return status
    }
    if (offer.status === 'paid') return 'paid' // reported before: its placement was written with it
    const verdict = await classifyPayment(tx, offer, sessionId)
    await writeOfferStatus(tx, offer.id, { status: verdict, paymentId, paidAt: await readClock(tx) })
    if (verdict === 'refund_due') await requestRefund(tx, jobs, sessionId)
    else if (offer.status === 'expired') {
      await reinstateBid(tx, offer.bidId)
      await writeLead(tx, offer.auctionId)
    }
    if (verdict === 'paid' && offer.serverId)
      await startPlacement(tx, {
        offerId: offer.id,
        slotId: auction.slotId,
        serverId: offer.serverId,
        days: auction.placementDays,
      })
    return verdict
  })
  const line = { offerId: reference, auctionId: known?.auctionId, outcome }
  if (outcome === 'refund_due')
    log.warn(line, 'an auction was paid for that can’t be sold any more: the payment is refunded')
  else log.info(line, 'payment of an auction settled')
}

/** A late payment counts as long as nobody else has, or had, the auction; a dispute that was won makes it paid again. */
async function classifyPayment(tx: Db, offer: OfferRow, sessionId: string): Promise<'paid' | 'refund_due'> {
  if (!offer.serverId || offer.status === 'withdrawn' || (await hasRefund(tx, sessionId))) return 'refund_due'
  const others = (await findOffersOf(tx, [offer.auctionId])).filter(({ id }) => id !== offer.id)
  const isSold = others.some(({ status }) => status === 'open' || status === 'paid')
  const wasSold = await hasPlacement(
    tx,
    others.map(({ id }) => id),
  )
  return isSold || wasSold ? 'refund_due' : 'paid'
}
