// The endpoints of auctions, for everybody and for bidders.
import { type Route, route } from '../../platform/http/route.ts'
import {
  AuctionDetail,
  AuctionParams,
  Auctions,
  AuctionsQuery,
  BiddingBarred,
  BidTooHigh,
  BidTooLow,
  Checkout,
  CheckoutSession,
  EmailNotVerified,
  NewBid,
  PlacedBid,
} from './auctions.schema.ts'
import type { AuctionsService } from './auctions.service.ts'
import { BID_CODES, type BidsService } from './bids.service.ts'
import { CHECKOUT_CODES, type SettlementService } from './settlement.service.ts'

const common = { tag: 'Auctions' } as const

interface Services {
  auctions: AuctionsService
  bids: BidsService
  settlement: SettlementService
}

export function auctionsRoutes({ auctions, bids, settlement }: Services): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      path: '/auctions',
      operationId: 'listAuctions',
      summary: 'Auctions: those that end next first, then those that ended last',
      crossOrigin: true,
      query: AuctionsQuery,
      returns: Auctions,
      handle: ({ query }) => auctions.list(query),
    }),
    route({
      ...common,
      method: 'get',
      path: '/auctions/{id}',
      operationId: 'getAuction',
      summary: 'An auction with its bids',
      crossOrigin: true,
      params: AuctionParams,
      returns: AuctionDetail,
      errors: [404],
      handle: ({ params }) => auctions.detail(params.id),
    }),
    route({
      ...common,
      method: 'post',
      path: '/auctions/{id}/bid',
      operationId: 'placeBid',
      summary: 'Bids on an auction',
      description:
        'In cents, higher than the highest bid by the minimum increment at least, and at most a multiple of that (setting ' +
        '`AUCTION_MAX_RAISE_FACTOR`). A bid can’t be taken back. Whoever does not pay for what they won can’t bid for 30 days.',
      access: 'user',
      params: AuctionParams,
      body: NewBid,
      status: 201,
      returns: PlacedBid,
      errors: [404],
      codes: BID_CODES,
      ownErrors: {
        bid_too_low: { status: 400, fields: BidTooLow },
        bid_too_high: { status: 400, fields: BidTooHigh },
        email_not_verified: { status: 403, fields: EmailNotVerified },
        bidding_barred: { status: 403, fields: BiddingBarred },
      },
      handle: ({ actor, params, body }) => bids.place(actor, params.id, body),
    }),
    route({
      ...common,
      method: 'post',
      path: '/auctions/{id}/checkout',
      operationId: 'payAuction',
      summary: 'The page on which the winner pays, within 48 hours',
      access: 'session',
      params: AuctionParams,
      body: Checkout,
      returns: CheckoutSession,
      errors: [404],
      codes: CHECKOUT_CODES,
      handle: ({ actor, params, body }) => settlement.checkout(actor.userId, params.id, body),
    }),
  ]
}
