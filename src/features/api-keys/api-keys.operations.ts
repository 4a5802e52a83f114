// The operations of API keys. A key cannot call them: a stolen key must not be able to create others.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { requireActiveSession } from '../accounts/index.ts'
import { recordAction } from '../audit/index.ts'
import { mail } from '../mail/index.ts'
import {
  ApiKey,
  ApiKeyChanges,
  ApiKeyParams,
  ApiKeys,
  CreatedApiKey,
  NewApiKey,
  NO_SUCH_KEY,
  ScopedApiKey,
} from './api-keys.schema.ts'
import { countKeys, findKey, findKeysOf, insertKey, revokeKey, updateKey } from './api-keys.store.ts'
import { hashSecret, newCredential } from './credential.ts'

/** Enough for one key per program. The keys of an account share its limit, so more keys bring no more requests. */
const MAX_KEYS = 25
/** Revoked keys stay in the table. */
const MAX_KEYS_A_DAY = 100
const common = { tag: 'API keys', access: 'session' } as const

const tooMany = (message: string) => new ApiError(400, 'too_many_api_keys', message)

export const apiKeysOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
  operation({
    ...common,
    method: 'get',
    path: '/user/api-keys',
    operationId: 'listApiKeys',
    summary: 'List your API keys, newest first',
    returns: ApiKeys,
    handle: async ({ db, actor }) => ({ apiKeys: await findKeysOf(db, actor.userId) }),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/user/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: `At most ${MAX_KEYS} at a time, and ${MAX_KEYS_A_DAY} created in 24 hours. A verified e-mail address gets a mail.`,
    stepUp: true,
    body: NewApiKey,
    status: 201,
    returns: CreatedApiKey,
    codes: ['too_many_api_keys'],
    async handle({ tx, actor, body: { name, scopes } }) {
      // Locks the account: of two parallel requests, the second counts the key of the first.
      await requireActiveSession(tx, actor)
      const { kept, createdToday } = await countKeys(tx, actor.userId)
      if (kept >= MAX_KEYS) throw tooMany(`You have ${kept} API keys, the maximum. Revoke one first.`)
      if (createdToday >= MAX_KEYS_A_DAY)
        throw tooMany(`You created ${createdToday} API keys in the last 24 hours, the maximum.`)
      const { key, secret } = newCredential()
      const { userId } = actor
      const created = await insertKey(tx, { id: uuidv7(), userId, name, scopes, key, secretHash: hashSecret(secret) })
      // The owner hears of it: a stolen session could have done it, to get in again later.
      const entry = { actorId: userId, targetType: 'user', targetId: userId } as const
      await recordAction(tx, { ...entry, action: 'user.api-key.create', details: { keyId: created.id, scopes } })
      await jobs.enqueue(tx, mail, [{ kind: 'account-access', userId, event: 'api-key-created' }])
      return { ...created, secret }
    },
  }),
  operation({
    ...common,
    method: 'get',
    path: '/user/api-keys/{id}',
    operationId: 'getApiKey',
    summary: 'Get an API key with its scopes',
    params: ApiKeyParams,
    returns: ScopedApiKey,
    errors: [404],
    async handle({ db, actor, params: { id } }) {
      const key = await findKey(db, { id, userId: actor.userId })
      if (!key) throw notFound(NO_SUCH_KEY)
      return key
    },
  }),
  operation({
    ...common,
    method: 'patch',
    path: '/user/api-keys/{id}',
    operationId: 'updateApiKey',
    summary: 'Rename an API key, change its scopes, deactivate or activate it',
    stepUp: true,
    params: ApiKeyParams,
    body: ApiKeyChanges,
    returns: ApiKey,
    errors: [404],
    async handle({ tx, actor, params: { id }, body }) {
      await requireActiveSession(tx, actor)
      const key = await updateKey(tx, { id, userId: actor.userId }, body)
      if (!key) throw notFound(NO_SUCH_KEY)
      return key
    },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/user/api-keys/{id}',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key permanently',
    params: ApiKeyParams,
    returns: Success,
    errors: [404],
    async handle({ tx, actor, params: { id } }) {
      if (!(await revokeKey(tx, { id, userId: actor.userId }))) throw notFound(NO_SUCH_KEY)
      return SUCCESS
    },
  }),
]
