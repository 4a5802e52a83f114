// Bidding: the rules of a bid, under the auction's row lock and by the database's clock.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import { notify } from '../notifications/index.ts'
import { holdSlot } from '../placements/index.ts'
import { auctionClose } from './auctions.jobs.ts'
import { MAX_CENTS, type PlacedBid } from './auctions.schema.ts'
import { findAuction, type LockedAuction, lockAuction } from './auctions.sql.ts'
import { findBidder, findStanding, insertBid, isOwnListing, lockUserForShare, type Standing } from './bids.sql.ts'
import { toAuction } from './masking.ts'

export const BID_CODES = ['own_lead', 'auction_closed', 'auction_not_started', 'slot_inactive'] as const

/** Whether a bid may be placed at all at an instant; pure. @throws ApiError 400 with the reason's code */
export function judgeMoment(
  { status, startsAt, endsAt }: Pick<LockedAuction, 'status' | 'startsAt' | 'endsAt'>,
  now: Date,
): void {
  if (status !== 'active' || now >= endsAt) throw new ApiError(400, 'auction_closed', 'This auction is over.')
  if (now < startsAt)
    throw new ApiError(400, 'auction_not_started', `This auction starts at ${startsAt.toISOString()}.`)
}

/** The least that is accepted now. */
export const minimumBid = ({
  currentBid,
  startingBid,
  minimumIncrement,
}: Pick<LockedAuction, 'currentBid' | 'startingBid' | 'minimumIncrement'>): number =>
  currentBid === null ? startingBid : currentBid + minimumIncrement

/** The most that is accepted now: a bound on what one bid of an account that never pays can block. */
export const maximumBid = (auction: Parameters<typeof minimumBid>[0], raiseFactor: number): number =>
  Math.min(MAX_CENTS, minimumBid(auction) * raiseFactor)

/** Bids move the end by this much in all at most, so that two accounts can't outbid each other without end. */
const LONGEST_SOFT_CLOSE_MS = 6 * 3_600_000

/** When an auction ends that is bid on at `now`: a bid in its last seconds moves the end, where it closes softly. */
export function endAfterBid(
  { endsAt, originalEndsAt, softCloseSeconds }: Pick<LockedAuction, 'endsAt' | 'originalEndsAt' | 'softCloseSeconds'>,
  now: Date,
): Date {
  if (softCloseSeconds === 0) return endsAt
  const latest = (originalEndsAt ?? endsAt).getTime() + LONGEST_SOFT_CLOSE_MS
  return new Date(Math.max(endsAt.getTime(), Math.min(latest, now.getTime() + softCloseSeconds * 1000)))
}

/** @throws ApiError 403 `forbidden`, `email_not_verified`, or `bidding_barred` with `barredUntil` */
function assertMayBid(standing: Standing | undefined, requiresVerifiedEmail: boolean): void {
  if (!standing || standing.isBanned) throw new ApiError(403, 'forbidden', 'This account can’t bid.')
  if (requiresVerifiedEmail && !standing.isVerified)
    throw new ApiError(403, 'email_not_verified', 'Verify your e-mail address before you bid.')
  const { barredUntil } = standing
  if (barredUntil)
    throw new ApiError(
      403,
      'bidding_barred',
      `This account did not pay for an auction it won and can’t bid until ${barredUntil.toISOString()}.`,
      { fields: { barredUntil: barredUntil.toISOString() } },
    )
}

export interface BidsService {
  /**
   * @param given.bidAmount cents
   * @throws ApiError 404; 403 `forbidden`, `email_not_verified`, `bidding_barred` with `barredUntil`; 400 `bid_too_low` with
   * `currentBid` and `minimumBid`, `bid_too_high` with `currentBid` and `maximumBid`, `own_lead`, `auction_closed`,
   * `auction_not_started`, `slot_inactive`, or `validation_failed` for a server that is not the bidder's
   */
  place(
    actor: Actor,
    auctionId: string,
    given: { bidAmount: number; serverId?: string | undefined },
  ): Promise<z.input<typeof PlacedBid>>
}

export function createBidsService({ pool, jobs, settings }: Pick<Deps, 'pool' | 'jobs' | 'settings'>): BidsService {
  return {
    async place(actor, auctionId, { bidAmount, serverId }) {
      if (!isUuid(auctionId)) throw noSuchAuction()
      const { userId } = actor
      const bid = await inTransaction(pool, async (tx) => {
        await lockUserForShare(tx, userId)
        const auction = await lockAuction(tx, auctionId)
        if (!auction) throw noSuchAuction()
        const now = await readClock(tx)
        assertMayBid(await findStanding(tx, userId, now), settings.BIDS_REQUIRE_VERIFIED_EMAIL)
        judgeMoment(auction, now)
        if (!(await holdSlot(tx, auction.slotId))?.isActive)
          throw new ApiError(400, 'slot_inactive', 'The slot of this auction is not sold at the moment.')
        const leaderId = auction.leadingBidId === null ? undefined : await findBidder(tx, auction.leadingBidId)
        if (leaderId === userId) throw new ApiError(400, 'own_lead', 'The highest bid is yours already.')
        const least = minimumBid(auction)
        if (bidAmount < least) throw tooLow(auction, least)
        const most = maximumBid(auction, settings.AUCTION_MAX_RAISE_FACTOR)
        if (bidAmount > most) throw tooHigh(auction, most)
        if (serverId !== undefined) await requireOwnListing(tx, 'body.serverId', serverId, userId)

        const placed = { id: uuidv7(), auctionId, userId, serverId: serverId ?? null, amount: bidAmount, placedAt: now }
        const endsAt = endAfterBid(auction, now)
        await insertBid(tx, placed, endsAt)
        if (endsAt > auction.endsAt) await jobs.enqueue(tx, auctionClose, [{ auctionId }], { startAfter: endsAt })
        if (leaderId)
          await jobs.enqueue(tx, notify, [
            {
              event: 'auctionOutbid',
              at: now.toISOString(),
              userId: leaderId,
              data: { title: auction.title, auctionId, currentBid: bidAmount },
            },
          ])
        return placed
      })
      const row = await findAuction(pool, auctionId)
      if (!row) throw noSuchAuction()
      const { id, placedAt } = bid
      return {
        bid: { id, auctionId, bidAmount, serverId: bid.serverId, placedAt: placedAt.toISOString() },
        auction: toAuction(row),
      }
    },
  }
}

export const noSuchAuction = () => notFound('There is no such auction.')

function tooLow({ currentBid }: LockedAuction, least: number): ApiError {
  const message =
    least > MAX_CENTS
      ? 'No higher bid is possible.'
      : `A bid must be at least ${least} cents${currentBid === null ? '' : `; the highest is ${currentBid}`}.`
  return new ApiError(400, 'bid_too_low', message, { fields: { currentBid, minimumBid: least } })
}

function tooHigh({ currentBid }: LockedAuction, most: number): ApiError {
  return new ApiError(400, 'bid_too_high', `A bid must be at most ${most} cents now.`, {
    fields: { currentBid, maximumBid: most },
  })
}

/** @throws ApiError 400 naming the field unless the server is listed and the user's */
export async function requireOwnListing(tx: Db, field: string, serverId: string, userId: string): Promise<void> {
  if (!isUuid(serverId) || !(await isOwnListing(tx, serverId, userId)))
    throw validationFailed([{ path: field, message: 'must be a listed server of yours' }])
}
