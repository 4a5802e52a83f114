// What administrators do with auctions: make them, change them before anybody has bid, call them off.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { offsetOf, type PageQuery, paginationOf } from '../../platform/http/paging.ts'
import { recordAction } from '../audit/index.ts'
import { holdSlot } from '../placements/index.ts'
import { auctionClose } from './auctions.jobs.ts'
import type { AdminAuction, AdminAuctions, AuctionChange, NewAuction } from './auctions.schema.ts'
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
import { toAuction } from './masking.ts'
import { findOffersOf, type OfferRow } from './offers.sql.ts'

export const ADMIN_CODES = ['has_bids', 'auction_closed', 'slot_inactive'] as const
const LONGEST_DAYS = 366

export function createAuctionsAdmin({ pool, jobs, settings }: Pick<Deps, 'pool' | 'jobs' | 'settings'>) {
  async function read(db: Db, id: string): Promise<z.input<typeof AdminAuction>> {
    const row = await findAuction(db, id)
    if (!row) throw noSuchAuction()
    return toAdminAuction(row, await findOffersOf(db, [id]))
  }

  return {
    async list({ status, tier, ...page }: AuctionFilter & PageQuery): Promise<z.input<typeof AdminAuctions>> {
      const total = await countAuctions(pool, { status, tier })
      const rows = await findAuctions(pool, { status, tier }, { limit: page.limit, offset: offsetOf(page) })
      const offers = await findOffersOf(
        pool,
        rows.map(({ id }) => id),
      )
      return {
        auctions: rows.map((row) => toAdminAuction(row, offers)),
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

const toAdminAuction = (row: AuctionRow, offers: OfferRow[]): z.input<typeof AdminAuction> => ({
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
      offeredAt: offeredAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
})
