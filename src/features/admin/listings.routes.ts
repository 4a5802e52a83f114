// The administrators' endpoints over servers.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
import { Listing, ListingChange, Listings, ListingsQuery } from './listings.schema.ts'
import type { ListingsService } from './listings.service.ts'

const common = { tag: 'Administration', access: 'admin' } as const

export function listingsRoutes(listings: ListingsService): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      path: '/admin/servers',
      operationId: 'listAllServers',
      summary: 'All servers, hidden ones included; last added first',
      query: ListingsQuery,
      returns: Listings,
      handle: ({ query }) => listings.list(query),
    }),
    route({
      ...common,
      method: 'patch',
      path: '/admin/servers/{id}',
      operationId: 'moderateServer',
      summary: 'Hides a server, hands it over, vouches for it or features it',
      params: ServerParams,
      body: ListingChange,
      returns: Listing,
      errors: [404],
      handle: ({ actor, params, body }) => listings.change(actor.userId, params.id, body),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/admin/servers/{id}',
      operationId: 'removeServer',
      summary: 'Takes a server out of the directory for good',
      params: ServerParams,
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await listings.remove(actor.userId, params.id)
        return DONE
      },
    }),
  ]
}
