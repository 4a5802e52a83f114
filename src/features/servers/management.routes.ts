// The endpoints by which owners manage their servers.
import { type Route, route } from '../../platform/http/route.ts'
import { ServerParams } from '../directory/index.ts'
import {
  CreatedServer,
  CreateServer,
  OwnedServers,
  OwnedServersQuery,
  RemovedServer,
  UpdatedServer,
  UpdateServer,
} from './management.schema.ts'
import type { ManagementService } from './management.service.ts'

const common = { tag: 'Server management', access: 'user' } as const

export function managementRoutes(servers: ManagementService): Route[] {
  return [
    route({
      ...common,
      method: 'post',
      path: '/servers',
      operationId: 'createServer',
      summary: 'Lists a server as yours',
      description:
        'It is polled at once, and yours to manage until somebody else proves it theirs: prove it first, with the token of the reply.',
      body: CreateServer,
      status: 201,
      returns: CreatedServer,
      codes: ['already_listed', 'too_many_listings'],
      handle: ({ actor, body }) => servers.create(actor, body),
    }),
    route({
      ...common,
      method: 'patch',
      path: '/servers/{id}',
      operationId: 'updateServer',
      summary: 'Changes what is shown of a server; its owner’s and administrators’',
      description: 'Only these fields can be changed; any other is 400.',
      params: ServerParams,
      body: UpdateServer,
      returns: UpdatedServer,
      errors: [404],
      handle: ({ actor, params, body }) => servers.update(actor, params.id, body),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/servers/{id}',
      operationId: 'deleteServer',
      summary: 'Takes a server out of the directory; its owner’s and administrators’',
      params: ServerParams,
      returns: RemovedServer,
      errors: [404],
      async handle({ actor, params }) {
        await servers.remove(actor, params.id)
        return { message: 'The server is not listed any more.' }
      },
    }),
    route({
      ...common,
      method: 'get',
      path: '/user/servers',
      operationId: 'listOwnedServers',
      summary: 'Your servers, in the order they were added',
      query: OwnedServersQuery,
      returns: OwnedServers,
      handle: ({ actor, query }) => servers.owned(actor.userId, query),
    }),
  ]
}
