// The directory's other endpoints: a server's mods and badge, comparisons, suggestions.
import { type Route, route } from '../../platform/http/route.ts'
import { ServerParams } from './directory.schema.ts'
import { Badge, CompareQuery, Comparison, Mods, Suggestions, SuggestionsQuery } from './views.schema.ts'
import type { ViewsService } from './views.service.ts'

const common = { method: 'get', tag: 'Directory', crossOrigin: true } as const

export function viewRoutes(views: ViewsService): Route[] {
  return [
    route({
      ...common,
      path: '/servers/suggestions',
      operationId: 'suggestServers',
      summary: 'What somebody who types a name may mean',
      description:
        'Names that begin with `q`, then names with a word that does, then names that have it anywhere; each in the order of ' +
        '`GET /servers`. Without `q`: most votes in the last 24 hours first, then that order.',
      query: SuggestionsQuery,
      returns: Suggestions,
      handle: ({ query }) => views.suggestions(query),
    }),
    route({
      ...common,
      path: '/servers/{id}/compare',
      operationId: 'compareServers',
      summary: 'Up to five servers beside each other',
      params: ServerParams,
      query: CompareQuery,
      returns: Comparison,
      errors: [404],
      handle: ({ params, query }) => views.compare(params.id, query.with),
    }),
    route({
      ...common,
      path: '/servers/{id}/mods',
      operationId: 'listServerMods',
      summary: 'The mods a server runs, as its owner lists them',
      params: ServerParams,
      returns: Mods,
      errors: [404],
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
      errors: [404],
      handle: ({ params }) => views.badge(params.id),
    }),
  ]
}
