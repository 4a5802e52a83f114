// Public operations on auctions: lists, bids and the winner's payment.
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { operation } from '../../platform/http/operation.ts'
import { paginate } from '../../platform/http/paging.ts'
import { BILLING_UNAVAILABLE, findPaidOrProcessing, type Payments } from '../billing/index.ts'
import { adminAuctionsOperations } from './admin.operations.ts'
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
  NewBid,
  OwnAuctions,
  OwnAuctionsQuery,
  PlacedBid,
} from './auctions.schema.ts'
import { type AuctionView, countAuctions, findAuction, findAuctions, maskName } from './auctions.store.ts'
import { noSuchAuction, placeBid } from './bids.service.ts'
import { BIDDING_BAR_DAYS, findBids, findOwnBids } from './bids.store.ts'
import { OFFER_HOURS } from './lead.service.ts'
import { findOwnOffers, withObstacles } from './offers.store.ts'
import { openCheckout } from './settlement.service.ts'

const MAX_AUCTIONS = 200
const MAX_BIDS = 100
const common = { tag: 'Auctions' } as const

interface AuctionsOptions extends Pick<Deps, 'pool' | 'jobs' | 'settings'> {
  payments: Payments
}

async function withOwnBids(db: Db, userId: string, auctions: AuctionView[]) {
  const ids = auctions.map(({ id }) => id)
  const bids = await findOwnBids(db, userId, ids)
  const found = await findOwnOffers(db, userId, ids)
  const paying = await findPaidOrProcessing(
    db,
    found.filter(({ status }) => status === 'open').map(({ id }) => id),
  )
  const offers = (await withObstacles(db, found)).map((offer) => ({ ...offer, isProcessing: paying.has(offer.id) }))
  return auctions.map((auction) => {
    const own = bids.find(({ auctionId }) => auctionId === auction.id)
    const offer = offers.find(({ auctionId }) => auctionId === auction.id) ?? null
    return { ...auction, ownBid: own?.ownBid ?? null, isLeading: own?.isLeading ?? false, offer }
  })
}

export const auctionsOperations = (options: AuctionsOptions) => [
  operation({
    ...common,
    method: 'get',
    path: '/auctions',
    operationId: 'listAuctions',
    summary: `List the first ${MAX_AUCTIONS} auctions: running ones by their end, then finished ones, latest end first`,
    crossOrigin: true,
    query: AuctionsQuery,
    returns: Auctions,
    handle: async ({ db, query: { status, tier } }) => ({
      auctions: await findAuctions(db, { status, tier }, { limit: MAX_AUCTIONS, offset: 0 }),
    }),
  }),
  operation({
    ...common,
    method: 'get',
    path: '/auctions/{id}',
    operationId: 'getAuction',
    summary: 'Get an auction with its bids',
    crossOrigin: true,
    params: AuctionParams,
    returns: AuctionDetail,
    errors: [404],
    async handle({ db, params: { id } }) {
      const auction = await findAuction(db, id)
      if (!auction) throw noSuchAuction()
      const bids = await findBids(db, id, MAX_BIDS)
      return {
        ...auction,
        bids: bids.map(({ amount, username, ...bid }) => ({ ...bid, bidAmount: amount, bidder: maskName(username) })),
      }
    },
  }),
  operation({
    ...common,
    method: 'post',
    path: '/auctions/{id}/bid',
    operationId: 'placeBid',
    summary: 'Bid on an auction',
    description:
      'In cents. A bid must be at least the highest bid plus the minimum increment, and at most a multiple of that (setting ' +
      '`AUCTION_MAX_RAISE_FACTOR`). A bid can’t be withdrawn. An account that does not pay for an auction it won can’t bid for ' +
      `${BIDDING_BAR_DAYS} days.`,
    access: 'user',
    scope: 'servers:write',
    params: AuctionParams,
    body: NewBid,
    status: 201,
    returns: PlacedBid,
    errors: [404],
    codes: ['own_lead', 'auction_closed', 'auction_not_started', 'slot_inactive'],
    ownErrors: {
      bid_too_low: { status: 400, fields: BidTooLow },
      bid_too_high: { status: 400, fields: BidTooHigh },
      email_not_verified: { status: 403, fields: z.object({}) },
      bidding_barred: { status: 403, fields: BiddingBarred },
    },
    async handle({ tx, actor, params: { id }, body }) {
      const placed = await placeBid(tx, options, { ...body, userId: actor.userId, auctionId: id })
      const { amount: bidAmount, ...bid } = placed
      const auction = await findAuction(tx, id)
      if (!auction) throw noSuchAuction()
      return { bid: { ...bid, bidAmount }, auction }
    },
  }),
  operation({
    ...common,
    method: 'post',
    path: '/auctions/{id}/checkout',
    operationId: 'payAuction',
    summary: `Get the payment page for the winner, who must pay within ${OFFER_HOURS} hours`,
    description: 'Answers with the same page while it can be paid.',
    access: 'session',
    params: AuctionParams,
    body: Checkout,
    returns: CheckoutSession,
    errors: [404],
    codes: ['auction_not_over', 'not_the_winner', 'already_paid', 'slot_inactive'],
    ownErrors: BILLING_UNAVAILABLE,
    // No lock is held while the payment provider is called.
    transaction: false,
    handle: ({ actor, params: { id }, body }) =>
      openCheckout(options, { ...body, userId: actor.userId, auctionId: id }),
  }),
  operation({
    ...common,
    method: 'get',
    path: '/user/auctions',
    operationId: 'listOwnAuctions',
    summary: 'List auctions you bid on, with your highest bid and your offer to pay; running ones by their end first',
    access: 'user',
    scope: 'read',
    query: OwnAuctionsQuery,
    returns: OwnAuctions,
    handle: ({ db, actor: { userId }, query: { auctionId, ...page } }) => {
      const filter = { bidderId: userId, id: auctionId }
      return paginate('auctions', page, {
        count: () => countAuctions(db, filter),
        find: async (range) => withOwnBids(db, userId, await findAuctions(db, filter, range)),
      })
    },
  }),
  ...adminAuctionsOperations(options),
]
