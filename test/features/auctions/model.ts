// What has to be true of an auction, in memory, and what the database says of one, in the same shape.
import type { Pool } from '../../../src/platform/db/pool.ts'

export interface Bidder {
  userId: string
  serverId: string
}

export interface ModelOffer {
  bidder: number
  amount: number
  status: 'open' | 'paid' | 'expired' | 'refunded' | 'refund_due'
  /** What is true of its payment at the provider. */
  payment: 'none' | 'paid' | 'disputed' | 'refunded'
}

/** What has to be true of one auction. */
export interface Model {
  status: 'active' | 'completed' | 'canceled'
  isPast: boolean
  startingBid: number
  bids: { bidder: number; amount: number }[]
  offers: ModelOffer[]
  placement: { bidder: number; reason?: 'disputed' | 'refunded' | undefined; isOver: boolean } | undefined
}

export interface Real {
  auctionId: string
  slotId: string
}

export const best = ({ bids }: Model) => bids.at(-1)
export const live = ({ offers }: Model) => offers.find(({ status }) => status === 'open' || status === 'paid')

/** The rule of who is next: the highest bid of somebody it was not offered to. */
export function offerNext(model: Model): void {
  const next = model.bids.findLast(({ bidder }) => model.offers.every((offer) => offer.bidder !== bidder))
  if (next) model.offers.push({ ...next, status: 'open', payment: 'none' })
}

/** What news of an offer's payment makes of it. */
export function settle(model: Model, offer: ModelOffer, news: 'paid' | 'disputed' | 'refunded'): void {
  const before = offer.payment
  offer.payment = news
  const isIts = model.placement?.bidder === offer.bidder
  if (news !== 'paid') {
    offer.status = 'refunded'
    if (isIts && model.placement) model.placement.reason = news
    return
  }
  if (before === 'paid') return
  const other = live(model)
  if ((other && other !== offer) || (model.placement && !isIts)) {
    offer.status = 'refund_due'
    return
  }
  offer.status = 'paid'
  model.placement ??= { bidder: offer.bidder, isOver: false }
  delete model.placement.reason // a dispute that was won
}

/** What the database says of an auction. */
export async function stateOf(pool: Pool, bidders: readonly Bidder[], { auctionId, slotId }: Real) {
  const ofBidder = (id: string) => bidders.findIndex(({ userId }) => userId === id)
  const { rows } = await pool.query<{
    status: string
    startingBid: number
    currentBid: number | null
    bidCount: number
    leader: string | null
    bids: { userId: string; amount: number }[]
    offers: { userId: string; amount: number; status: string }[]
    placements: { serverId: string; reason: string | null; isOver: boolean }[]
    featured: string[]
  }>(
    `select status, starting_bid as "startingBid", current_bid as "currentBid", bid_count as "bidCount",
       (select user_id from bids where id = leading_bid_id) as leader,
       (select coalesce(json_agg(json_build_object('userId', user_id, 'amount', amount) order by id), '[]')
        from bids where auction_id = auctions.id) as bids,
       (select coalesce(json_agg(json_build_object('userId', user_id, 'amount', amount, 'status', status) order by id), '[]')
        from auction_offers where auction_id = auctions.id) as offers,
       (select coalesce(json_agg(json_build_object('serverId', server_id, 'reason', end_reason, 'isOver', ends_at <= now())), '[]')
        from placements where slot_id = $2) as placements,
       (select coalesce(json_agg(id), '[]') from servers where is_featured and id = any($3)) as featured
     from auctions where id = $1`,
    [auctionId, slotId, bidders.map(({ serverId }) => serverId)],
  )
  const [row] = rows
  if (!row) throw new Error('the auction is gone')
  const ofServer = (id: string) => bidders.findIndex(({ serverId }) => serverId === id)
  return {
    status: row.status,
    startingBid: row.startingBid,
    currentBid: row.currentBid,
    bidCount: row.bidCount,
    leader: row.leader === null ? undefined : ofBidder(row.leader),
    bids: row.bids.map(({ userId, amount }) => ({ bidder: ofBidder(userId), amount })),
    offers: row.offers.map(({ userId, amount, status }) => ({ bidder: ofBidder(userId), amount, status })),
    placements: row.placements.map(({ serverId, reason, isOver }) => ({
      bidder: ofServer(serverId),
      state: reason ?? (isOver ? 'over' : 'running'),
    })),
    featured: row.featured.map(ofServer),
  }
}

export const placementState = ({ placement }: Model) =>
  placement ? (placement.reason ?? (placement.isOver ? 'over' : 'running')) : 'none'

/** The same of the model. */
export const expected = (model: Model): Awaited<ReturnType<typeof stateOf>> => ({
  status: model.status,
  startingBid: model.startingBid,
  currentBid: best(model)?.amount ?? null,
  bidCount: model.bids.length,
  leader: best(model)?.bidder,
  bids: model.bids,
  offers: model.offers.map(({ bidder, amount, status }) => ({ bidder, amount, status })),
  placements: model.placement ? [{ bidder: model.placement.bidder, state: placementState(model) }] : [],
  featured: model.placement && placementState(model) === 'running' ? [model.placement.bidder] : [],
})
