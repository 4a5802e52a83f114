// The rules for a bid, checked under the auction's row lock and by the database's clock.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/pool.ts'
import { HOUR_MS } from '../../platform/durations.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import { notify } from '../notifications/index.ts'
import { lockSlotForShare } from '../placements/index.ts'
import { auctionClose } from './auctions.jobs.ts'
import { CURRENCY, MAX_CENTS, type NewBid } from './auctions.schema.ts'
import { type LockedAuction, lockAuction } from './auctions.store.ts'
import {
  type BidderRights,
  findBid,
  findBidderRights,
  insertBid,
  isOwnListing,
  lockUserForShare,
} from './bids.store.ts'

/** Maximum total extension, so that two accounts can't outbid each other forever. */
const MAX_SOFT_CLOSE_MS = 6 * HOUR_MS

/**
 * @param bid `bidAmount` in cents; `serverId`: the server to feature
 * @throws ApiError 404; 403 `forbidden`, `email_not_verified`, `bidding_barred` with `barredUntil`; 400 `bid_too_low`
 * with `currentBid` and `minimumBid`, `bid_too_high` with `currentBid` and `maximumBid`, `own_lead`, `auction_closed`,
 * `auction_not_started`, `slot_inactive`, or `validation_failed` for a server that does not belong to the bidder
 */
export async function placeBid(
  tx: Db,
  { jobs, settings }: Pick<Deps, 'jobs' | 'settings'>,
  bid: { userId: string; auctionId: string } & z.output<typeof NewBid>,
) {
  const { userId, auctionId, bidAmount, serverId } = bid
  await lockUserForShare(tx, userId)
  const auction = await lockAuction(tx, auctionId)
  if (!auction) throw noSuchAuction()
  const now = await readClock(tx)
  requireBidderRights(await findBidderRights(tx, userId, now), settings.BIDS_REQUIRE_VERIFIED_EMAIL)
  requireBiddingOpen(auction, now)
  await requireActiveSlot(tx, auction)
  const leader = auction.leadingBidId === null ? null : await findBid(tx, auction.leadingBidId)
  if (leader?.userId === userId) throw new ApiError(400, 'own_lead', 'Your bid is already the highest.')
  requireAllowedAmount(auction, bidAmount, settings.AUCTION_MAX_RAISE_FACTOR)
  if (serverId !== undefined) await requireOwnListing(tx, serverId, userId)

  const placed = { id: uuidv7(), auctionId, userId, serverId: serverId ?? null, amount: bidAmount, placedAt: now }
  const endsAt = endAfterBid(auction, now)
  await insertBid(tx, placed, endsAt)
  if (endsAt > auction.endsAt) await jobs.enqueue(tx, auctionClose, [{ auctionId }], { startAfter: endsAt })
  if (leader) {
    const data = { title: auction.title, auctionId, currentBid: bidAmount, currency: CURRENCY }
    await jobs.enqueue(tx, notify, [{ event: 'auctionOutbid', at: now.toISOString(), userId: leader.userId, data }])
  }
  return placed
}

/** @throws ApiError 403 `forbidden`, `email_not_verified`, or `bidding_barred` with `barredUntil` */
function requireBidderRights(rights: BidderRights | undefined, requiresVerifiedEmail: boolean): void {
  if (!rights || rights.isBanned) throw new ApiError(403, 'forbidden', 'This account can’t bid.')
  if (requiresVerifiedEmail && !rights.isVerified)
    throw new ApiError(403, 'email_not_verified', 'Verify your e-mail address before you bid.')
  const barredUntil = rights.barredUntil?.toISOString()
  if (!barredUntil) return
  const message = `This account did not pay for an auction it won and can’t bid until ${barredUntil}.`
  throw new ApiError(403, 'bidding_barred', message, { fields: { barredUntil } })
}

/** @throws ApiError 400 `auction_closed`, `auction_not_started` */
function requireBiddingOpen({ status, startsAt, endsAt }: LockedAuction, now: Date): void {
  if (status !== 'active' || now >= endsAt) throw new ApiError(400, 'auction_closed', 'This auction is over.')
  if (now < startsAt)
    throw new ApiError(400, 'auction_not_started', `This auction starts at ${startsAt.toISOString()}.`)
}

/** @throws ApiError 400 `bid_too_low`, `bid_too_high` */
function requireAllowedAmount(
  { currentBid, startingBid, minimumIncrement }: LockedAuction,
  amount: number,
  factor: number,
) {
  const minimumBid = currentBid === null ? startingBid : currentBid + minimumIncrement
  // Limits how far one bid of an account that never pays can raise the price.
  const maximumBid = Math.min(MAX_CENTS, minimumBid * factor)
  if (amount < minimumBid) {
    const highest = currentBid === null ? '' : `; the highest is ${currentBid}`
    const message =
      minimumBid > MAX_CENTS ? 'No higher bid is possible.' : `A bid must be at least ${minimumBid} cents${highest}.`
    throw new ApiError(400, 'bid_too_low', message, { fields: { currentBid, minimumBid } })
  }
  if (amount > maximumBid) {
    const message = `A bid must be at most ${maximumBid} cents now.`
    throw new ApiError(400, 'bid_too_high', message, { fields: { currentBid, maximumBid } })
  }
}

/** When the auction ends after a bid at `now`: a soft close moves the end if the bid is in the last seconds. */
function endAfterBid({ endsAt, originalEndsAt, softCloseSeconds }: LockedAuction, now: Date): Date {
  if (softCloseSeconds === 0) return endsAt
  const latest = (originalEndsAt ?? endsAt).getTime() + MAX_SOFT_CLOSE_MS
  return new Date(Math.max(endsAt.getTime(), Math.min(latest, now.getTime() + softCloseSeconds * 1000)))
}

export const noSuchAuction = () => notFound('There is no such auction.')

/** @throws ApiError 400 `slot_inactive` */
export async function requireActiveSlot(tx: Db, { slotId }: LockedAuction): Promise<void> {
  if (!(await lockSlotForShare(tx, slotId))?.isActive)
    throw new ApiError(400, 'slot_inactive', 'The ad slot of this auction is inactive.')
}

/** @throws ApiError 400 unless the server is listed and belongs to the user */
export async function requireOwnListing(tx: Db, serverId: string, userId: string): Promise<void> {
  if (!isUuid(serverId) || !(await isOwnListing(tx, serverId, userId)))
    throw validationFailed([{ path: 'body.serverId', message: 'must be a listed server of yours' }])
}
