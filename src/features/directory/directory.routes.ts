// The directory's endpoints: parse, ask the snapshot, reply.
import { acceptsGzip } from '../../platform/http/reply.ts'
import { type Route, route } from '../../platform/http/route.ts'
import {
  PlatformStatistics,
  PublicServerDetail,
  PublicServers,
  PublicServersQuery,
  RankedServerDetail,
  ServerParams,
  Servers,
  ServersQuery,
} from './directory.schema.ts'
import type { DirectoryService } from './directory.service.ts'
import { SHORTENED_DESCRIPTION } from './render.ts'

const LARGE_PAGES = `A page that would have more than 1 MB shows ${SHORTENED_DESCRIPTION} characters of each description.`

const common = { method: 'get', tag: 'Directory', crossOrigin: true } as const

export function directoryRoutes(directory: DirectoryService): Route[] {
  return [
    route({
      ...common,
      path: '/public/servers',
      operationId: 'listPublicServers',
      summary: 'Lists servers, most votes first',
      description: LARGE_PAGES,
      query: PublicServersQuery,
      returns: PublicServers,
      handle: ({ query, req }) => directory.publicList(query, acceptsGzip(req.headers['accept-encoding'])),
    }),
    route({
      ...common,
      path: '/public/servers/{id}',
      operationId: 'getPublicServer',
      summary: 'Details of one server',
      params: ServerParams,
      returns: PublicServerDetail,
      errors: [404],
      handle: ({ params }) => directory.publicDetail(params.id),
    }),
    route({
      ...common,
      path: '/public/stats',
      operationId: 'getPlatformStatistics',
      summary: 'Totals over all listed servers',
      returns: PlatformStatistics,
      handle: () => directory.stats(),
    }),
    route({
      ...common,
      path: '/servers',
      operationId: 'listServers',
      summary: 'Lists servers by any combination of filters, in the asked order',
      description: LARGE_PAGES,
      query: ServersQuery,
      returns: Servers,
      handle: ({ query, req }) => directory.list(query, acceptsGzip(req.headers['accept-encoding'])),
    }),
    route({
      ...common,
      path: '/servers/{id}',
      operationId: 'getServer',
      summary: 'Everything shown of one server',
      params: ServerParams,
      returns: RankedServerDetail,
      errors: [404],
      handle: ({ params }) => directory.detail(params.id),
    }),
  ]
}
