// The directory's other endpoints: a server's mods and badge.
import { type Route, route } from '../../platform/http/route.ts'
import { ServerParams } from './directory.schema.ts'
import { Badge, Mods } from './views.schema.ts'
import type { ViewsService } from './views.service.ts'

const common = { method: 'get', tag: 'Directory', crossOrigin: true } as const

export function viewRoutes(views: ViewsService): Route[] {
  return [
    route({
      ...common,
      path: '/servers/{id}/mods',
      operationId: 'listServerMods',
      summary: 'The mods a server runs, as its owner lists them',
      params: ServerParams,
      returns: Mods,
      errors: [404, 503],
      handle: ({ params }) => views.mods(params.id),
    }),
    route({
      ...common,
      path: '/public/servers/{id}/badge.svg',
      operationId: 'getServerBadge',
      summary: 'An image for other pages: the server’s name, whether it is online, its players',
      params: ServerParams,
      returns: Badge,
      produces: 'image/svg+xml',
      errors: [404, 503],
      handle: ({ params }) => views.badge(params.id),
    }),
  ]
}
