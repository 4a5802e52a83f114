// Auctions of ad slots and their bids (api-decisions.md "Money"). All amounts are integer cents.
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { line } from '../../platform/text.ts'
import { SlotTier } from '../placements/index.ts'

/** 100,000.00; far below what an integer column, a double or the payment provider hold. */
export const MAX_CENTS = 10_000_000

export const AuctionStatus = z.enum(['active', 'completed', 'canceled'], 'must be active, completed or canceled')
export type AuctionStatus = z.output<typeof AuctionStatus>

const instant = z.iso.datetime({ precision: 3 })
const cents = z.int().min(1).max(MAX_CENTS)
const givenCents = z
  .int('must be a whole number of cents')
  .min(1, 'must be at least 1')
  .max(MAX_CENTS, `must be at most ${MAX_CENTS}`)

const auctionFields = {
  id: z.uuid(),
  tier: SlotTier,
  location: z.string(),
  title: z.string(),
  status: AuctionStatus.describe('active until it is over, also before it starts'),
  startsAt: instant,
  endsAt: instant.describe('No bid is accepted from then on'),
  startingBid: cents,
  currentBid: cents.nullable().describe('The highest valid bid; null without one'),
  bidCount: z.int().min(0).describe('Bids that are valid'),
  minimumIncrement: cents.describe('How much higher than the highest a bid must be at least'),
  leadingBidder: z.string().nullable().describe('Who leads, masked'),
  winnerServerId: z
    .uuid()
    .nullable()
    .describe('Server of whoever won, or has taken the winner’s place; null while nobody has'),
}

export const Auction = z.object(auctionFields).meta({ id: 'Auction' })
export const Auctions = z.object({ auctions: z.array(Auction) })
export const AuctionsQuery = z.object({ status: AuctionStatus.optional(), tier: SlotTier.optional() })

export const BidRecord = z
  .object({ id: z.uuid(), bidAmount: cents, bidder: z.string().describe('Masked'), placedAt: instant })
  .meta({ id: 'BidRecord' })
export const AuctionDetail = z
  .object({ ...auctionFields, bids: z.array(BidRecord).describe('Valid bids, highest first; the highest 100') })
  .meta({ id: 'AuctionDetail' })

export const NewBid = z.object({
  bidAmount: givenCents,
  serverId: z
    .string()
    .toLowerCase()
    .optional()
    .describe('Server to be featured; it can also be named when the auction is paid for'),
})
export const PlacedBid = z.object({
  bid: z
    .object({ id: z.uuid(), auctionId: z.uuid(), bidAmount: cents, serverId: z.uuid().nullable(), placedAt: instant })
    .meta({ id: 'Bid' }),
  auction: Auction,
})
export const BidTooLow = z.object({
  currentBid: cents.nullable(),
  minimumBid: z.int().min(1).describe('The least that would be accepted now'),
})

export const BidTooHigh = z.object({
  currentBid: cents.nullable(),
  maximumBid: cents.describe('The most that would be accepted now'),
})
export const EmailNotVerified = z.object({})
export const BiddingBarred = z.object({
  barredUntil: instant.describe('The account did not pay for an auction it won; it can bid again from then on'),
})

export const Checkout = z.object({ serverId: z.string().toLowerCase().optional() }).default({})
export const CheckoutSession = z.object({ sessionId: z.string(), url: z.url() })

const given = {
  title: line(1, 100),
  startsAt: z.iso.datetime('must be a timestamp as 2026-11-20T12:00:00.000Z'),
  endsAt: z.iso.datetime('must be a timestamp as 2026-11-20T12:00:00.000Z'),
  startingBid: givenCents,
  minimumIncrement: givenCents,
  placementDays: z.int('must be a whole number').min(1, 'must be at least 1').max(366, 'must be at most 366'),
  softCloseSeconds: z.int('must be a whole number').min(0, 'must be at least 0').max(3600, 'must be at most 3600'),
}
export const NewAuction = z.object({
  slotId: z.string().describe('The ad slot it sells'),
  ...given,
  startsAt: given.startsAt.optional().describe('At once unless given'),
  placementDays: given.placementDays.default(7),
  softCloseSeconds: given.softCloseSeconds.optional().describe('Default: the setting AUCTION_SOFT_CLOSE_SECONDS'),
})
export type NewAuction = z.output<typeof NewAuction>

export const AuctionChange = z.strictObject({
  title: given.title.optional(),
  startsAt: given.startsAt.optional(),
  endsAt: given.endsAt.optional(),
  startingBid: given.startingBid.optional(),
  minimumIncrement: given.minimumIncrement.optional(),
  placementDays: given.placementDays.optional(),
  softCloseSeconds: given.softCloseSeconds.optional(),
  status: z.literal('canceled', 'can only be set to canceled').optional(),
})
export type AuctionChange = z.output<typeof AuctionChange>

export const AdminAuction = z
  .object({
    ...auctionFields,
    slotId: z.uuid(),
    placementDays: z.int(),
    softCloseSeconds: z.int(),
    offers: z
      .array(
        z.object({
          id: z.uuid(),
          userId: z.uuid(),
          serverId: z.uuid().nullable(),
          amount: cents,
          status: z
            .enum(['open', 'paid', 'expired', 'withdrawn', 'refunded', 'refund_due'])
            .describe(
              'expired: not paid in time; withdrawn: the bid was voided, its bidder banned, or the slot not sold; refunded: given ' +
                'back, or disputed; refund_due: paid when it could not be sold any more, and being given back',
            ),
          refund: z
            .object({
              status: z
                .enum(['due', 'succeeded', 'failed'])
                .describe('failed: give it back by hand at the payment provider'),
              attempts: z.int().min(0),
              lastError: z.string().nullable().describe('What the payment provider answered last, unless it succeeded'),
            })
            .nullable()
            .describe('How giving the money back is going; null when nothing is given back by this product'),
          offeredAt: instant,
          expiresAt: instant,
        }),
      )
      .describe('Who may pay, or might have; first offered first'),
  })
  .meta({ id: 'AdminAuction' })
export const AdminAuctions = z.object({ auctions: z.array(AdminAuction), pagination: Pagination })
export const AdminAuctionsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  status: AuctionStatus.optional(),
  tier: SlotTier.optional(),
})

export const AuctionParams = z.object({ id: z.string() })
export const BidParams = z.object({ id: z.string(), bidId: z.string() })
export const VoidBid = z.object({ reason: line(1, 200).optional().describe('For the audit log') }).default({})
export type VoidBid = z.output<typeof VoidBid>
