// The directory's endpoints.

import { operation } from '../../../platform/http/operation.ts'
import { acceptsGzip } from '../../../platform/http/reply.ts'
import type { DirectoryService } from '../directory.service.ts'
import { SHORTENED_DESCRIPTION } from '../engine/render.ts'
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

const LARGE_PAGES = `A page larger than 1 MB contains only the first ${SHORTENED_DESCRIPTION} characters of each description.`

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
      handle: ({ query, req }) => directory.publicList(query, acceptsGzip(req.headers['accept-encoding'])),
    }),
    operation({
      ...common,
      path: '/public/servers/{id}',
      operationId: 'getPublicServer',
      summary: 'Get a server',
      params: ServerParams,
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
      description: LARGE_PAGES,
      query: ServersQuery,
      returns: Servers,
      handle: ({ query, req }) => directory.list(query, acceptsGzip(req.headers['accept-encoding'])),
    }),
    operation({
      ...common,
      path: '/servers/{id}',
      operationId: 'getServer',
      summary: 'Get all details of a server',
      params: ServerParams,
      returns: RankedServerDetail,
      handle: ({ params }) => directory.detail(params.id),
    }),
  ]
}
