// The expected state of an auction, in memory, and its stored state in the same shape.
import type { Pool } from '../../../src/platform/db/pool.ts'

export interface Bidder {
  userId: string
  serverId: string
}

export interface ModelBid {
  bidder: number
  amount: number
  isValid: boolean
}

export interface ModelOffer {
  bid: ModelBid
  bidder: number
  amount: number
  status: 'open' | 'paid' | 'expired' | 'withdrawn' | 'refunded' | 'refund_due'
  /** State of its payment at the provider. */
  payment: 'none' | 'paid' | 'disputed' | 'refunded'
  wasDisputed: boolean
  isDefaulted: boolean
  isRefundRequested: boolean
  /** Whether it names a server that was listed when it was made. */
  hasServer: boolean
  /** Whether it was paid on a second page, too. */
  isPaidTwice: boolean
  /** Whether it could not be paid since the last look: because of the slot, or because billing was off. */
  wasBlocked: { slot: boolean; billing: boolean }
}

/** The expected state of one auction. */
export interface Model {
  status: 'active' | 'completed' | 'canceled'
  isPast: boolean
  isSlotActive: boolean
  startingBid: number
  /** In the order in which they were placed: the last valid one is the highest. */
  bids: ModelBid[]
  offers: ModelOffer[]
  banned: Set<number>
  /** Bidders whose server is not listed or no longer theirs. */
  unlisted: Set<number>
  placement:
    | { offer: ModelOffer; reason?: 'disputed' | 'refunded' | undefined; isOver: boolean; endedEarly?: boolean }
    | undefined
}

export interface Real {
  auctionId: string
  slotId: string
}

export const valid = ({ bids }: Model) => bids.filter(({ isValid }) => isValid)
export const best = (model: Model) => valid(model).at(-1)
export const live = ({ offers }: Model) => offers.find(({ status }) => status === 'open' || status === 'paid')
export const isSold = (model: Model) => live(model)?.status === 'paid' || model.placement !== undefined

/** The rule of who leads, and who gets the next offer, after bids became invalid. */
export function recount(model: Model): void {
  if (model.status === 'canceled') return
  const offer = live(model)
  if (!isSold(model)) {
    if (offer && (model.banned.has(offer.bidder) || !offer.bid.isValid)) offer.status = 'withdrawn'
    const defaulted = model.offers.filter(({ isDefaulted }) => isDefaulted).map(({ bidder }) => bidder)
    for (const bid of model.bids)
      if ((model.banned.has(bid.bidder) || defaulted.includes(bid.bidder)) && live(model)?.bidder !== bid.bidder)
        bid.isValid = false
  }
  if (live(model) || isSold(model)) return
  let before: ModelBid | undefined
  for (const bid of valid(model)) {
    if (bid.bidder === before?.bidder) bid.isValid = false
    before = bid
  }
  if (model.status === 'completed' && model.isSlotActive) offerNext(model)
}

/** Offers the auction to the highest valid bid whose user had no offer yet. */
function offerNext(model: Model): void {
  const next = valid(model).findLast(({ bidder }) =>
    model.offers.every((offer) => offer.bidder !== bidder || offer.status === 'withdrawn'),
  )
  if (next)
    model.offers.push({
      bid: next,
      bidder: next.bidder,
      amount: next.amount,
      status: 'open',
      payment: 'none',
      wasDisputed: false,
      isDefaulted: false,
      isRefundRequested: false,
      hasServer: !model.unlisted.has(next.bidder),
      isPaidTwice: false,
      wasBlocked: { slot: false, billing: false },
    })
}

/** The rule of an offer whose time is over. */
export function lapse(model: Model, isBillingOn: boolean): 'expired' | 'extended' | 'obstructed' | 'none' {
  const offer = live(model)
  if (offer?.status !== 'open') return 'none'
  const { slot, billing } = offer.wasBlocked
  offer.wasBlocked = { slot: !model.isSlotActive, billing: !isBillingOn }
  if (!model.isSlotActive || !isBillingOn) return 'obstructed'
  if (slot || billing) return 'extended'
  offer.status = 'expired'
  offer.isDefaulted = true
  recount(model)
  return 'expired'
}

/** Applies a change of an offer's payment. */
export function settle(model: Model, offer: ModelOffer, news: 'paid' | 'disputed' | 'refunded'): void {
  const before = offer.payment
  offer.payment = news
  const isIts = model.placement?.offer === offer
  if (news !== 'paid') {
    offer.status = 'refunded'
    if (isIts && model.placement) Object.assign(model.placement, { reason: news, endedEarly: !model.placement.isOver })
    return
  }
  if (before === 'paid') return
  const other = live(model)
  const isOthers = (other && other !== offer) || (model.placement && !isIts)
  const canBeShown =
    model.isSlotActive && offer.hasServer && !model.unlisted.has(offer.bidder) && !model.banned.has(offer.bidder)
  if (isOthers || offer.isRefundRequested || offer.status === 'withdrawn' || !(isIts || canBeShown)) {
    offer.status = 'refund_due'
    offer.isRefundRequested = true
    return
  }
  if (offer.isDefaulted) offer.bid.isValid = true
  offer.isDefaulted = false
  offer.status = 'paid'
  model.placement ??= { offer, isOver: false }
  // Days lost to a refund that failed are added.
  if (model.placement.reason === 'refunded' && model.placement.endedEarly) model.placement.isOver = false
  delete model.placement.reason // a dispute that was won, or a refund that failed
}

/** The stored state of an auction. */
export async function stateOf(pool: Pool, bidders: readonly Bidder[], { auctionId, slotId }: Real) {
  const ofBidder = (id: string) => bidders.findIndex(({ userId }) => userId === id)
  const { rows } = await pool.query<{
    status: string
    startingBid: number
    currentBid: number | null
    bidCount: number
    leader: string | null
    bids: { userId: string; amount: number; isValid: boolean }[]
    offers: { userId: string; amount: number; status: string }[]
    placements: { serverId: string; reason: string | null; isOver: boolean }[]
    featured: string[]
  }>(
    `select status, starting_bid as "startingBid", current_bid as "currentBid", bid_count as "bidCount",
       (select user_id from bids where id = leading_bid_id) as leader,
       (select coalesce(json_agg(json_build_object('userId', user_id, 'amount', amount, 'isValid', invalid_at is null) order by id), '[]')
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
    bids: row.bids.map(({ userId, amount, isValid }) => ({ bidder: ofBidder(userId), amount, isValid })),
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
  bidCount: valid(model).length,
  leader: best(model)?.bidder,
  bids: model.bids,
  offers: model.offers.map(({ bidder, amount, status }) => ({ bidder, amount, status })),
  placements: model.placement ? [{ bidder: model.placement.offer.bidder, state: placementState(model) }] : [],
  featured:
    model.placement && model.isSlotActive && placementState(model) === 'running' ? [model.placement.offer.bidder] : [],
})
