// The endpoints of ad slots, placements and featured servers.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
import {
  AdSlot,
  AdSlotChange,
  AdSlots,
  AdSlotsQuery,
  Featured,
  FeaturedServers,
  IdParams,
  LocationParams,
  NewAdSlot,
  Placements,
} from './placements.schema.ts'
import type { PlacementsService } from './placements.service.ts'
import { SLOT_CODES, type SlotsService } from './slots.service.ts'

const common = { tag: 'Placements' } as const
const admin = { ...common, access: 'admin' } as const

export function placementsRoutes(placements: PlacementsService, slots: SlotsService): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      path: '/ad-placements',
      operationId: 'listPlacements',
      summary: 'What runs in all slots now',
      crossOrigin: true,
      returns: Placements,
      handle: () => placements.running(),
    }),
    route({
      ...common,
      method: 'get',
      path: '/ad-placements/{location}',
      operationId: 'listPlacementsOfLocation',
      summary: 'What runs in a location now',
      crossOrigin: true,
      params: LocationParams,
      returns: Placements,
      errors: [404],
      handle: ({ params }) => placements.running(params.location),
    }),
    route({
      ...common,
      method: 'get',
      path: '/servers/featured',
      operationId: 'listFeaturedServers',
      summary: 'Servers that are featured, most votes first',
      crossOrigin: true,
      returns: FeaturedServers,
      handle: () => placements.featured(),
    }),
    route({
      ...common,
      method: 'get',
      path: '/servers/{id}/featured',
      operationId: 'getFeatured',
      summary: 'Whether a server is featured, and for what',
      crossOrigin: true,
      params: ServerParams,
      returns: Featured,
      errors: [404],
      handle: ({ params }) => placements.featuredState(params.id),
    }),
    route({
      ...admin,
      method: 'get',
      path: '/admin/ad-slots',
      operationId: 'listAdSlots',
      summary: 'Ad slots',
      query: AdSlotsQuery,
      returns: AdSlots,
      handle: ({ query }) => slots.list(query),
    }),
    route({
      ...admin,
      method: 'post',
      path: '/admin/ad-slots',
      operationId: 'createAdSlot',
      summary: 'Makes an ad slot',
      body: NewAdSlot,
      status: 201,
      returns: AdSlot,
      codes: SLOT_CODES,
      handle: ({ actor, body }) => slots.create(actor.userId, body),
    }),
    route({
      ...admin,
      method: 'patch',
      path: '/admin/ad-slots/{id}',
      operationId: 'updateAdSlot',
      summary: 'Changes an ad slot; an inactive one sells and shows nothing',
      params: IdParams,
      body: AdSlotChange,
      returns: AdSlot,
      errors: [404],
      codes: SLOT_CODES,
      handle: ({ actor, params, body }) => slots.change(actor.userId, params.id, body),
    }),
    route({
      ...admin,
      method: 'delete',
      path: '/admin/ad-slots/{id}',
      operationId: 'deleteAdSlot',
      summary: 'Removes an ad slot that has sold nothing',
      params: IdParams,
      returns: Success,
      errors: [404],
      codes: SLOT_CODES,
      async handle({ actor, params }) {
        await slots.remove(actor.userId, params.id)
        return DONE
      },
    }),
  ]
}
