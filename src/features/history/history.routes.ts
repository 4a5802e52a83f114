// The endpoint of player history.
import { type Route, route } from '../../platform/http/route.ts'
import { ServerParams } from '../directory/index.ts'
import { HistoryQuery, PlayerHistory } from './history.schema.ts'
import type { PlayerHistoryService } from './player-history.service.ts'

export function historyRoutes(service: PlayerHistoryService): Route[] {
  return [
    route({
      method: 'get',
      path: '/servers/{id}/player-history',
      operationId: 'getPlayerHistory',
      tag: 'Directory',
      summary: 'Players over time',
      description: 'Where the server did not answer, or was not asked, `players` is null and never 0.',
      crossOrigin: true,
      params: ServerParams,
      query: HistoryQuery,
      returns: PlayerHistory,
      errors: [404],
      handle: ({ params, query }) => service.history(params.id, query.range),
    }),
  ]
}
