// The endpoints of API keys. A key can't reach them: whoever stole one must not be able to make more.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ApiKey, ApiKeyChanges, ApiKeyParams, ApiKeys, CreatedApiKey, NewApiKey } from './api-keys.schema.ts'
import { type ApiKeysService, MAX_KEYS, MAX_KEYS_A_DAY } from './api-keys.service.ts'

const common = { tag: 'API keys', access: 'session' } as const

export function apiKeysRoutes(apiKeys: ApiKeysService): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      path: '/user/api-keys',
      operationId: 'listApiKeys',
      summary: 'Your API keys, newest first',
      returns: ApiKeys,
      handle: async ({ actor }) => ({ apiKeys: await apiKeys.list(actor.userId) }),
    }),
    route({
      ...common,
      method: 'post',
      path: '/user/api-keys',
      operationId: 'createApiKey',
      summary: 'Makes an API key',
      description: `At most ${MAX_KEYS} at a time, and ${MAX_KEYS_A_DAY} made in 24 hours.`,
      body: NewApiKey,
      status: 201,
      returns: CreatedApiKey,
      codes: ['too_many_api_keys'],
      handle: ({ actor, body }) => apiKeys.create(actor, body.name),
    }),
    route({
      ...common,
      method: 'patch',
      path: '/user/api-keys/{id}',
      operationId: 'updateApiKey',
      summary: 'Names an API key anew, or switches it off and on',
      params: ApiKeyParams,
      body: ApiKeyChanges,
      returns: ApiKey,
      errors: [404],
      handle: ({ actor, params, body }) => apiKeys.update(actor.userId, params.id, body),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/user/api-keys/{id}',
      operationId: 'revokeApiKey',
      summary: 'Revokes an API key for good',
      params: ApiKeyParams,
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await apiKeys.revoke(actor.userId, params.id)
        return DONE
      },
    }),
  ]
}
