// What administrators do with auctions: make them, change them before anybody has bid, call them off.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import { offsetOf, type PageQuery, paginationOf } from '../../platform/http/paging.ts'
import { recordAction } from '../audit/index.ts'
import { findRefundsOf, type RefundState } from '../billing/index.ts'
import { hasPlacement, holdSlot } from '../placements/index.ts'
import { auctionClose } from './auctions.jobs.ts'
import type { AdminAuction, AdminAuctions, AuctionChange, NewAuction, VoidBid } from './auctions.schema.ts'
import {
  type AuctionFilter,
  type AuctionRow,
  countAuctions,
  deleteAuction,
  findAuction,
  findAuctions,
  insertAuction,
  lockAuction,
  updateAuction,
} from './auctions.sql.ts'
import { noSuchAuction } from './bids.service.ts'
import { recount } from './lead.service.ts'
import { findBid, voidBid } from './lead.sql.ts'
import { toAuction } from './masking.ts'
import { findOffersOf, type OfferRow } from './offers.sql.ts'

export const ADMIN_CODES = ['has_bids', 'auction_closed', 'slot_inactive'] as const
export const VOID_CODES = ['bid_not_valid', 'auction_closed'] as const
const LONGEST_DAYS = 366

export function createAuctionsAdmin({ pool, jobs, settings }: Pick<Deps, 'pool' | 'jobs' | 'settings'>) {
  async function read(db: Db, id: string): Promise<z.input<typeof AdminAuction>> {
    const row = await findAuction(db, id)
    if (!row) throw noSuchAuction()
    const offers = await findOffersOf(db, [id])
    return toAdminAuction(row, offers, await refundsOf(db, offers))
  }

  return {
    async list({ status, tier, ...page }: AuctionFilter & PageQuery): Promise<z.input<typeof AdminAuctions>> {
      const total = await countAuctions(pool, { status, tier })
      const rows = await findAuctions(pool, { status, tier }, { limit: page.limit, offset: offsetOf(page) })
      const offers = await findOffersOf(
        pool,
        rows.map(({ id }) => id),
      )
      const refunds = await refundsOf(pool, offers)
      return {
        auctions: rows.map((row) => toAdminAuction(row, offers, refunds)),
        pagination: paginationOf(page, total),
      }
    },

    /** @throws ApiError 400 `slot_inactive`, or `validation_failed` for a slot that is not there or times that can't be */
    create: (actorId: string, given: NewAuction): Promise<z.input<typeof AdminAuction>> =>
      inTransaction(pool, async (tx) => {
        const slot = isUuid(given.slotId) ? await holdSlot(tx, given.slotId) : undefined
        if (!slot) throw validationFailed([{ path: 'body.slotId', message: 'must be an ad slot' }])
        if (!slot.isActive) throw new ApiError(400, 'slot_inactive', 'An inactive slot sells nothing.')
        const now = await readClock(tx)
        const times = { startsAt: given.startsAt ? new Date(given.startsAt) : now, endsAt: new Date(given.endsAt) }
        checkTimes(times, now)
        const id = uuidv7()
        await insertAuction(tx, {
          ...given,
          ...times,
          id,
          tier: slot.tier,
          location: slot.location,
          softCloseSeconds: given.softCloseSeconds ?? settings.AUCTION_SOFT_CLOSE_SECONDS,
          recurrenceKey: null,
        })
        await jobs.enqueue(tx, auctionClose, [{ auctionId: id }], { startAfter: times.endsAt })
        await recordAction(tx, {
          actorId,
          action: 'auction.create',
          targetType: 'auction',
          targetId: id,
          details: { ...given },
        })
        return read(tx, id)
      }),

    /**
     * Terms can be changed before the first bid; an auction that is not over can be called off at any time.
     * @throws ApiError 404; 400 `has_bids`, `auction_closed`
     */
    change: (actorId: string, id: string, change: AuctionChange): Promise<z.input<typeof AdminAuction>> =>
      inTransaction(pool, async (tx) => {
        const before = isUuid(id) ? await lockAuction(tx, id) : undefined
        if (!before) throw noSuchAuction()
        const { status, ...terms } = change
        if (Object.keys(change).length === 0) return read(tx, id)
        const now = await readClock(tx)
        if (before.status !== 'active' || now >= before.endsAt)
          throw new ApiError(400, 'auction_closed', 'This auction is over: nothing of it can be changed.')
        if (Object.keys(terms).length > 0) {
          if (before.currentBid !== null) throw hasBids('changed')
          const times = {
            startsAt: terms.startsAt ? new Date(terms.startsAt) : before.startsAt,
            endsAt: terms.endsAt ? new Date(terms.endsAt) : before.endsAt,
          }
          checkTimes(times, now)
          if (times.endsAt.getTime() !== before.endsAt.getTime())
            await jobs.enqueue(tx, auctionClose, [{ auctionId: id }], { startAfter: times.endsAt })
        }
        await updateAuction(tx, id, change)
        const action = status === 'canceled' ? 'auction.cancel' : 'auction.update'
        await recordAction(tx, { actorId, action, targetType: 'auction', targetId: id, details: { ...change } })
        return read(tx, id)
      }),

    /**
     * Voids one bid, and derives anew who leads. After the end an open offer of that bid is withdrawn and the next bidder asked; what
     * was paid for is not touched.
     * @throws ApiError 404; 400 `bid_not_valid`, `auction_closed` when it was canceled or sold
     */
    voidBid: (actorId: string, id: string, bidId: string, { reason }: VoidBid): Promise<z.input<typeof AdminAuction>> =>
      inTransaction(pool, async (tx) => {
        const auction = isUuid(id) ? await lockAuction(tx, id) : undefined
        if (!auction) throw noSuchAuction()
        const bid = isUuid(bidId) ? await findBid(tx, id, bidId) : undefined
        if (!bid) throw notFound('There is no such bid.')
        const offers = await findOffersOf(tx, [id])
        const isSold =
          offers.some(({ status }) => status === 'paid') ||
          (await hasPlacement(
            tx,
            offers.map((offer) => offer.id),
          ))
        if (auction.status === 'canceled' || isSold)
          throw new ApiError(400, 'auction_closed', 'This auction was canceled or sold: its bids stay as they are.')
        if (!bid.isValid) throw new ApiError(400, 'bid_not_valid', 'This bid does not count already.')
        const now = await readClock(tx)
        await voidBid(tx, bidId, now)
        await recount(tx, jobs, id, auction, now)
        const details = { bidId, userId: bid.userId, amount: bid.amount, ...(reason ? { reason } : {}) }
        await recordAction(tx, { actorId, action: 'auction.void-bid', targetType: 'auction', targetId: id, details })
        return read(tx, id)
      }),

    /** Removes an auction nobody has bid on. @throws ApiError 404; 400 `has_bids` */
    remove: (actorId: string, id: string): Promise<void> =>
      inTransaction(pool, async (tx) => {
        const before = isUuid(id) ? await lockAuction(tx, id) : undefined
        if (!before) throw noSuchAuction()
        if (before.currentBid !== null) throw hasBids('removed')
        await deleteAuction(tx, id)
        await recordAction(tx, {
          actorId,
          action: 'auction.delete',
          targetType: 'auction',
          targetId: id,
          details: { title: before.title },
        })
      }),
  }
}

export type AuctionsAdmin = ReturnType<typeof createAuctionsAdmin>

const hasBids = (what: string) =>
  new ApiError(400, 'has_bids', `Somebody has bid on this auction: it can’t be ${what} any more, only canceled.`)

function checkTimes({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }, now: Date): void {
  const latest = startsAt.getTime() + LONGEST_DAYS * 86_400_000
  if (endsAt <= startsAt) throw validationFailed([{ path: 'body.endsAt', message: 'must be after startsAt' }])
  if (endsAt <= now) throw validationFailed([{ path: 'body.endsAt', message: 'must not be past' }])
  if (endsAt.getTime() > latest)
    throw validationFailed([{ path: 'body.endsAt', message: `must be at most ${LONGEST_DAYS} days after startsAt` }])
}

const refundsOf = (db: Db, offers: readonly OfferRow[]): Promise<RefundState[]> =>
  findRefundsOf(
    db,
    offers.map(({ id }) => id),
  )

const toAdminAuction = (
  row: AuctionRow,
  offers: OfferRow[],
  refunds: readonly RefundState[],
): z.input<typeof AdminAuction> => ({
  ...toAuction(row),
  slotId: row.slotId,
  placementDays: row.placementDays,
  softCloseSeconds: row.softCloseSeconds,
  offers: offers
    .filter(({ auctionId }) => auctionId === row.id)
    .map(({ id, userId, serverId, amount, status, offeredAt, expiresAt }) => ({
      id,
      userId,
      serverId,
      amount,
      status,
      refund: toRefund(refunds.findLast(({ reference }) => reference === id)),
      offeredAt: offeredAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
})

const toRefund = (refund: RefundState | undefined) =>
  refund ? { status: refund.status, attempts: refund.attempts, lastError: refund.lastError } : null
