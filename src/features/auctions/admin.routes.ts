// The administrators' endpoints of auctions.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ADMIN_CODES, type AuctionsAdmin, VOID_CODES } from './admin.service.ts'
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

const common = { tag: 'Auctions', access: 'admin' } as const

export function adminRoutes(auctions: AuctionsAdmin): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      path: '/admin/auctions',
      operationId: 'listAdminAuctions',
      summary: 'Auctions, with who may pay for them',
      query: AdminAuctionsQuery,
      returns: AdminAuctions,
      handle: ({ query }) => auctions.list(query),
    }),
    route({
      ...common,
      method: 'post',
      path: '/admin/auctions',
      operationId: 'createAuction',
      summary: 'Auctions an ad slot',
      body: NewAuction,
      status: 201,
      returns: AdminAuction,
      codes: ADMIN_CODES,
      handle: ({ actor, body }) => auctions.create(actor.userId, body),
    }),
    route({
      ...common,
      method: 'patch',
      path: '/admin/auctions/{id}',
      operationId: 'updateAuction',
      summary: 'Changes an auction nobody has bid on, or cancels one',
      params: AuctionParams,
      body: AuctionChange,
      returns: AdminAuction,
      errors: [404],
      codes: ADMIN_CODES,
      handle: ({ actor, params, body }) => auctions.change(actor.userId, params.id, body),
    }),
    route({
      ...common,
      method: 'post',
      path: '/admin/auctions/{id}/bids/{bidId}/void',
      operationId: 'voidBid',
      summary: 'Voids a bid; who leads follows',
      description:
        'The highest bid that remains valid leads. After the end an open offer of the bid is withdrawn and the next bidder asked. ' +
        'Bids on an auction that was canceled or sold stay as they are.',
      params: BidParams,
      body: VoidBid,
      returns: AdminAuction,
      errors: [404],
      codes: VOID_CODES,
      handle: ({ actor, params, body }) => auctions.voidBid(actor.userId, params.id, params.bidId, body),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/admin/auctions/{id}',
      operationId: 'deleteAuction',
      summary: 'Removes an auction nobody has bid on',
      params: AuctionParams,
      returns: Success,
      errors: [404],
      codes: ADMIN_CODES,
      async handle({ actor, params }) {
        await auctions.remove(actor.userId, params.id)
        return DONE
      },
    }),
  ]
}
