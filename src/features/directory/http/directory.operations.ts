// The directory's endpoints.

import { acceptsGzip } from '../../../platform/http/negotiation.ts'
import { operation } from '../../../platform/http/operation.ts'
import { ServerIdParams } from '../../servers/index.ts'
import type { DirectoryService } from '../directory.service.ts'
import { SHORTENED_DESCRIPTION } from '../engine/render.ts'
import {
  Facets,
  PlatformStatistics,
  PublicServerDetail,
  PublicServers,
  RankedServerDetail,
  Servers,
} from './directory.schema.ts'
import { FacetsQuery, PublicServersQuery, ServersQuery } from './list-queries.schema.ts'

const LARGE_PAGES = `A page larger than 1 MB contains only the first ${SHORTENED_DESCRIPTION} characters of each description.`

const BY_CURSOR = `To read a long list while votes and players change, send \`nextCursor\` of each reply as \`cursor\` of the next request, until it is null. A cursor is a position in the order: the last server’s value of \`sortBy\`, \`createdAt\` and \`id\`. Each server that matches the filters throughout and whose value does not change is on exactly one page. A server whose value moves from one side of the position to the other may be on two pages or on none. A cursor does not expire, and remains valid when its server has left.`

const common = { method: 'get', tag: 'Directory', crossOrigin: true } as const

export function directoryOperations(directory: DirectoryService) {
  return [
    operation({
      ...common,
      path: '/public/servers',
      operationId: 'listPublicServers',
      summary: 'List servers, most votes first',
      description: LARGE_PAGES,
      query: PublicServersQuery,
      returns: PublicServers,
      handle: ({ query, req }) => directory.publicList(query, acceptsGzip(req.headers)),
    }),
    operation({
      ...common,
      path: '/public/servers/{id}',
      operationId: 'getPublicServer',
      summary: 'Get a server',
      params: ServerIdParams,
      returns: PublicServerDetail,
      handle: ({ params }) => directory.publicDetail(params.id),
    }),
    operation({
      ...common,
      path: '/public/stats',
      operationId: 'getPlatformStatistics',
      summary: 'Get totals of all listed servers',
      returns: PlatformStatistics,
      handle: () => directory.stats(),
    }),
    operation({
      ...common,
      path: '/servers',
      operationId: 'listServers',
      summary: 'List servers by any combination of filters, sorted',
      description: `${LARGE_PAGES}\n\n${BY_CURSOR}`,
      query: ServersQuery,
      returns: Servers,
      handle({ query, req }) {
        const list = () => directory.list(query, acceptsGzip(req.headers))
        const ready = directory.prepare(query)
        return ready ? ready.then(list) : list()
      },
    }),
    operation({
      ...common,
      path: '/servers/facets',
      operationId: 'countServers',
      summary: 'Count servers by game, map, region, country, mode, tag and ownership',
      description:
        'Takes the filters of `GET /servers`. Each facet is counted without the filter by itself, so that its other values can be chosen. Maps, ' +
        'regions and tags that differ only in case or accents count as one, as the oldest server with it spells it.',
      query: FacetsQuery,
      returns: Facets,
      handle: ({ query }) => directory.facets(query),
    }),
    operation({
      ...common,
      path: '/servers/{id}',
      operationId: 'getServer',
      summary: 'Get all details of a server',
      params: ServerIdParams,
      returns: RankedServerDetail,
      handle: ({ params }) => directory.detail(params.id),
    }),
  ]
}
