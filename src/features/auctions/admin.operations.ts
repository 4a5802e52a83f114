// Administrators' operations on auctions.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { paginate } from '../../platform/http/paging.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { auditAs, recordAction } from '../audit/index.ts'
import { findRefundsOf } from '../billing/index.ts'
import { lockSlotForShare } from '../placements/index.ts'
import { changeAuction, checkTimes, hasBidsError, voidBid } from './administration.service.ts'
import { auctionClose } from './auctions.jobs.ts'
import {
  AdminAuction,
  AdminAuctions,
  AdminAuctionsQuery,
  AuctionChange,
  AuctionParams,
  BidParams,
  NewAuction,
  VoidBid,
} from './auctions.schema.ts'
import {
  type AuctionView,
  countAuctions,
  deleteAuction,
  findAuction,
  findAuctions,
  insertAuction,
  type LockedAuction,
  lockAuction,
} from './auctions.store.ts'
import { noSuchAuction } from './bids.service.ts'
import { findOffersOf, withObstacles } from './offers.store.ts'
import { recurs } from './rounds.service.ts'

const common = { tag: 'Auctions', access: 'admin' } as const

const lockedAuction = (action: Parameters<typeof auditAs>[1]): Resource<'auction', LockedAuction> => ({
  name: 'auction',
  params: AuctionParams,
  errors: [404],
  async load(tx, id) {
    const auction = await lockAuction(tx, id)
    if (!auction) throw noSuchAuction()
    return auction
  },
  after: auditAs('auction', action),
})

type RoundSettings = Pick<ProcessSettings, 'AUCTION_RECURRENCE'>

async function withOffers(db: Db, settings: RoundSettings, auctions: AuctionView[]) {
  const now = await readClock(db)
  const found = await findOffersOf(
    db,
    auctions.map(({ id }) => id),
  )
  const offers = await withObstacles(db, found)
  const refunds = await findRefundsOf(
    db,
    offers.map(({ id }) => id),
  )
  const refundOf = (offerId: string) => refunds.findLast(({ reference }) => reference === offerId) ?? null
  return auctions.map((auction) => ({
    ...auction,
    recurs: recurs(settings, auction, now),
    offers: offers
      .filter(({ auctionId }) => auctionId === auction.id)
      .map((offer) => ({ ...offer, refund: refundOf(offer.id) })),
  }))
}

async function readAuction(db: Db, settings: RoundSettings, id: string) {
  const row = await findAuction(db, id)
  const [auction] = await withOffers(db, settings, row ? [row] : [])
  if (!auction) throw noSuchAuction()
  return auction
}

export const adminAuctionsOperations = ({ jobs, settings }: Pick<Deps, 'jobs' | 'settings'>) => [
  operation({
    ...common,
    method: 'get',
    path: '/admin/auctions',
    operationId: 'listAdminAuctions',
    summary: 'List auctions with their offers',
    query: AdminAuctionsQuery,
    returns: AdminAuctions,
    handle: ({ db, query: { status, tier, ...page } }) =>
      paginate('auctions', page, {
        count: () => countAuctions(db, { status, tier }),
        find: async (range) => withOffers(db, settings, await findAuctions(db, { status, tier }, range)),
      }),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/auctions',
    operationId: 'createAuction',
    summary: 'Create an auction of an ad slot',
    body: NewAuction,
    status: 201,
    returns: AdminAuction,
    codes: ['slot_inactive'],
    async handle({ tx, actor: { userId: actorId }, body }) {
      const slot = isUuid(body.slotId) ? await lockSlotForShare(tx, body.slotId) : undefined
      if (!slot) throw validationFailed([{ path: 'body.slotId', message: 'must be an ad slot' }])
      if (!slot.isActive) throw new ApiError(400, 'slot_inactive', 'This ad slot is inactive.')
      const now = await readClock(tx)
      const { startsAt = now, softCloseSeconds = settings.AUCTION_SOFT_CLOSE_SECONDS } = body
      const { tier, location } = slot
      const auction = { ...body, id: uuidv7(), tier, location, startsAt, softCloseSeconds }
      checkTimes(auction, now)
      await insertAuction(tx, auction)
      await jobs.enqueue(tx, auctionClose, [{ auctionId: auction.id }], { startAfter: body.endsAt })
      const entry = { actorId, targetType: 'auction', targetId: auction.id } as const
      await recordAction(tx, { ...entry, action: 'auction.create', details: body })
      return readAuction(tx, settings, auction.id)
    },
  }),
  operation({
    ...common,
    method: 'get',
    path: '/admin/auctions/{id}',
    operationId: 'getAdminAuction',
    summary: 'Get an auction with its offers',
    params: AuctionParams,
    returns: AdminAuction,
    errors: [404],
    handle: ({ db, params: { id } }) => readAuction(db, settings, id),
  }),
  operation({
    ...common,
    method: 'patch',
    path: '/admin/auctions/{id}',
    operationId: 'updateAuction',
    summary: 'Change an auction that has no bids, or cancel a running one',
    resource: lockedAuction((change) => ('status' in change ? 'auction.cancel' : 'auction.update')),
    body: AuctionChange,
    returns: AdminAuction,
    codes: ['has_bids', 'auction_closed'],
    async handle({ tx, auction, body }) {
      if (Object.keys(body).length === 0) return new Audited(await readAuction(tx, settings, auction.id), undefined)
      await changeAuction(tx, jobs, auction, body)
      return new Audited(await readAuction(tx, settings, auction.id), body)
    },
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/auctions/{id}/bids/{bidId}/void',
    operationId: 'voidBid',
    summary: 'Void a bid',
    description:
      'The highest bid that remains valid leads. If the auction has ended, an open offer for the bid is withdrawn and the auction is offered to ' +
      'the next bidder. Bids on an auction that was canceled or sold can’t be voided.',
    resource: lockedAuction('auction.void-bid'),
    params: BidParams,
    body: VoidBid,
    returns: AdminAuction,
    codes: ['bid_not_valid', 'auction_closed'],
    async handle({ tx, auction, params: { bidId }, body: { reason } }) {
      const { userId, amount } = await voidBid(tx, jobs, auction, bidId)
      const details = { bidId, userId, amount, ...(reason ? { reason } : {}) }
      return new Audited(await readAuction(tx, settings, auction.id), details)
    },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/admin/auctions/{id}',
    operationId: 'deleteAuction',
    summary: 'Delete an auction that has no bids',
    description: 'An auction of this week’s round would be created again (`recurs`): cancel it instead.',
    resource: lockedAuction('auction.delete'),
    returns: Success,
    codes: ['has_bids', 'auction_recurs'],
    async handle({ tx, auction }) {
      const state = await readAuction(tx, settings, auction.id)
      if (state.hasBids) throw hasBidsError('deleted', { isOver: state.status !== 'active' })
      if (state.recurs)
        throw new ApiError(
          400,
          'auction_recurs',
          'The weekly round would create this auction again. Cancel it instead.',
        )
      await deleteAuction(tx, auction.id)
      return new Audited(SUCCESS, { title: auction.title })
    },
  }),
]
