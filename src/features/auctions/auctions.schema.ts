// Auctions of ad slots and their bids. All amounts are whole cents.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line } from '../../platform/text.ts'
import { PageLanguage } from '../billing/index.ts'
import { SlotTier } from '../placements/index.ts'

/** 100,000.00; far below the limits of an integer column, a double and the payment provider. */
export const MAX_CENTS = 10_000_000

const AuctionStatus = z.enum(['active', 'completed', 'canceled'], 'must be active, completed or canceled')
export type AuctionStatus = z.output<typeof AuctionStatus>

const cents = z.int().min(1).max(MAX_CENTS)
const centsInput = z
  .int('must be a whole number of cents')
  .min(1, 'must be at least 1')
  .max(MAX_CENTS, `must be at most ${MAX_CENTS}`)

/** ISO 4217. Of all auctions. */
export const CURRENCY = 'USD'

const auctionFields = {
  id: z.uuid(),
  tier: SlotTier,
  location: z.string(),
  title: z.string(),
  status: AuctionStatus.describe('`active` until it is over, including before it starts'),
  startsAt: Timestamp,
  endsAt: Timestamp.describe('No bid is accepted from this time on'),
  placementDays: z.int().describe('How long the winner’s server is shown'),
  currency: z.literal(CURRENCY).describe('ISO 4217; amounts are in its cents'),
  startingBid: cents,
  currentBid: cents.nullable().describe('The highest valid bid; null if there is none'),
  bidCount: z.int().min(0).describe('Number of valid bids'),
  minimumIncrement: cents.describe('Minimum difference between a bid and the highest previous bid'),
  leadingBidder: z
    .string()
    .nullable()
    .describe(
      'Masked user name of the highest bidder; once it is over, of the winner, or of the bidder who replaced the winner',
    ),
  winningBid: cents.nullable().describe('What that winner pays or has paid; null until there is one'),
  winnerServerId: z
    .uuid()
    .nullable()
    .describe('Server of the winner, or of the bidder who replaced the winner; null until there is one'),
}

export const Auction = z.object(auctionFields).meta({ id: 'Auction' })
export const Auctions = z.object({ auctions: z.array(Auction) })
export const AuctionsQuery = z.object({ status: AuctionStatus.optional(), tier: SlotTier.optional() })

const BidRecord = z
  .object({ id: z.uuid(), bidAmount: cents, bidder: z.string().describe('Masked user name'), placedAt: Timestamp })
  .meta({ id: 'BidRecord' })
export const AuctionDetail = z
  .object({ ...auctionFields, bids: z.array(BidRecord).describe('The 100 highest valid bids, highest first') })
  .meta({ id: 'AuctionDetail' })

export const NewBid = z.object({
  bidAmount: centsInput,
  serverId: z.string().toLowerCase().optional().describe('Server to feature; it can also be named at checkout'),
})
export const PlacedBid = z.object({
  bid: z
    .object({ id: z.uuid(), auctionId: z.uuid(), bidAmount: cents, serverId: z.uuid().nullable(), placedAt: Timestamp })
    .meta({ id: 'Bid' }),
  auction: Auction,
})
export const BidTooLow = z.object({
  currentBid: cents.nullable(),
  minimumBid: z.int().min(1).describe('The lowest bid that is accepted now'),
})
export const BidTooHigh = z.object({
  currentBid: cents.nullable(),
  maximumBid: cents.describe('The highest bid that is accepted now'),
})
export const BiddingBarred = z.object({
  barredUntil: z.iso
    .datetime({ precision: 3 })
    .describe('The account did not pay for an auction it won; it can bid again from this time on'),
})

export const Checkout = z.object({ serverId: z.string().toLowerCase().optional(), language: PageLanguage }).default({})
export const CheckoutSession = z.object({ sessionId: z.string(), url: z.url() })

const time = z.iso
  .datetime({ offset: true, error: 'must be a timestamp like 2026-11-20T12:00:00.000Z' })
  .transform((text) => new Date(text))
  // An offset can lead into the year 10000, which no reply could state.
  .refine((time) => time.getUTCFullYear() <= 9999, 'must not be after the year 9999')
  .meta({ override: { type: 'string', format: 'date-time' } })

const terms = {
  title: line(1, 100),
  startsAt: time,
  endsAt: time,
  startingBid: centsInput,
  minimumIncrement: centsInput,
  placementDays: z.int('must be a whole number').min(1, 'must be at least 1').max(366, 'must be at most 366'),
  softCloseSeconds: z.int('must be a whole number').min(0, 'must be at least 0').max(3600, 'must be at most 3600'),
}
export const NewAuction = z.object({
  slotId: z.string().describe('The ad slot to auction'),
  ...terms,
  startsAt: time.optional().describe('Default: now'),
  placementDays: terms.placementDays.default(7),
  softCloseSeconds: terms.softCloseSeconds.optional().describe('Default: the setting AUCTION_SOFT_CLOSE_SECONDS'),
})

export const AuctionChange = z
  .strictObject({ ...terms, status: z.literal('canceled', 'can only be set to canceled') })
  .partial()
export type AuctionChange = z.output<typeof AuctionChange>

const OfferStatus = z.enum(['open', 'paid', 'expired', 'withdrawn', 'refunded', 'refund_due'])
export type OfferStatus = z.output<typeof OfferStatus>
const OFFER_STATUSES =
  '`expired`: not paid in time; `withdrawn`: the bid was voided, its bidder banned, or paying impossible for 30 days; `refunded`: ' +
  'refunded or disputed; `refund_due`: paid after the auction could no longer be sold; a refund is in progress'

const ObstacleKind = z.enum(['slot_inactive', 'billing_off', 'provider_unavailable'])
export type ObstacleKind = z.output<typeof ObstacleKind>

const obstacles = z
  .array(
    z
      .object({
        kind: ObstacleKind.describe(
          '`slot_inactive`: the ad slot is inactive; `billing_off`: payments are not set up; `provider_unavailable`: the payment ' +
            'provider did not open a page, or could not be reached when the offer would have expired',
        ),
        beganAt: Timestamp,
        endedAt: Timestamp.nullable().describe('Null while it lasts'),
      })
      .meta({ id: 'OfferObstacle' }),
  )
  .describe(
    'When the offer could not be paid, oldest first, at most the newest 20. While one lasts, an open offer does not expire; after it, ' +
      '`expiresAt` is 48 hours later',
  )

const Offer = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  serverId: z.uuid().nullable(),
  amount: cents,
  status: OfferStatus.describe(OFFER_STATUSES),
  refund: z
    .object({
      status: z.enum(['due', 'succeeded', 'failed']).describe('`failed`: refund it by hand at the payment provider'),
      attempts: z.int().min(0),
      lastError: z.string().nullable().describe('Why the last attempt failed; null once the refund succeeded'),
    })
    .nullable()
    .describe('State of the refund; null if none was requested here'),
  offeredAt: Timestamp,
  expiresAt: Timestamp,
  obstacles,
})
export const AdminAuction = z
  .object({
    ...auctionFields,
    slotId: z.uuid(),
    softCloseSeconds: z.int(),
    hasBids: z
      .boolean()
      .describe(
        'Whether it has bids, valid or not; then it can’t be changed or deleted, only canceled until it is over',
      ),
    recurs: z.boolean().describe('Whether the weekly round would create it again if it were deleted'),
    offers: z.array(Offer).describe('Offers to pay for the auction, oldest first'),
  })
  .meta({ id: 'AdminAuction' })
export const AdminAuctions = pageOf('auctions', AdminAuction)
export const AdminAuctionsQuery = AuctionsQuery.extend(pageQuery({ limit: 20, maxLimit: 100 }))

export const OwnAuction = z
  .object({
    ...auctionFields,
    ownBid: cents.nullable().describe('Your highest valid bid; null if your bids are no longer valid'),
    isLeading: z
      .boolean()
      .describe('Whether your bid is the highest; once it is over, whether the auction is offered or sold to you'),
    offer: z
      .object({
        amount: cents,
        serverId: z.uuid().nullable(),
        status: OfferStatus.describe(OFFER_STATUSES),
        isProcessing: z.boolean().describe('Whether a payment of an open offer has arrived or is on its way'),
        expiresAt: Timestamp,
        obstacles,
      })
      .nullable()
      .describe('Your newest offer to pay; `open`: pay with `payAuction` before `expiresAt`, unless an obstacle lasts'),
  })
  .meta({ id: 'OwnAuction' })
export const OwnAuctions = pageOf('auctions', OwnAuction)
export const OwnAuctionsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  auctionId: z.uuid('must be an auction’s id').optional().describe('Only this auction'),
})

export const AuctionParams = z.object({ id: idParam('Auction id', 'There is no such auction.') })
export const BidParams = z.object({ bidId: idParam('Bid id', 'There is no such bid.') })
export const VoidBid = z.object({ reason: line(1, 200).optional().describe('Stored in the audit log') }).default({})
