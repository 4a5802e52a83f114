// The directory's other endpoints: a server's mods, comparisons, suggestions.
import { operation } from '../../../platform/http/operation.ts'
import { ServerParams } from './directory.schema.ts'
import { CompareQuery, Comparison, Mods, Suggestions, SuggestionsQuery } from './views.schema.ts'
import type { ViewsService } from './views.service.ts'

const common = { method: 'get', tag: 'Directory', crossOrigin: true } as const

export function viewsOperations(views: ViewsService) {
  return [
    operation({
      ...common,
      path: '/servers/suggestions',
      operationId: 'suggestServers',
      summary: 'Suggest servers for a partial name',
      description:
        'Names that start with `q`, then names with a word that does, then names that contain it; each group in the order of ' +
        '`GET /servers`. Without `q`: most votes in the last 24 hours first, then that order.',
      query: SuggestionsQuery,
      returns: Suggestions,
      handle: ({ query }) => views.suggestions(query),
    }),
    operation({
      ...common,
      path: '/servers/{id}/compare',
      operationId: 'compareServers',
      summary: 'Compare up to five servers',
      params: ServerParams,
      query: CompareQuery,
      returns: Comparison,
      handle: ({ params, query }) => views.compare(params.id, query.with),
    }),
    operation({
      ...common,
      path: '/servers/{id}/mods',
      operationId: 'listServerMods',
      summary: 'List a server’s mods',
      params: ServerParams,
      returns: Mods,
      handle: ({ params }) => views.mods(params.id),
    }),
  ]
}
