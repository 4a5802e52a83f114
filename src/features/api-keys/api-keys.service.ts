// The rules of API keys: how many one may have, what is told of them, and who a request with one acts for.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import { inTransaction, type Pool } from '../../platform/db/pool.ts'
import type { KeyActor, KeyStanding, SessionActor } from '../../platform/http/actor.ts'
import { ApiError, notFound, unavailable } from '../../platform/http/errors.ts'
import { requireLivingSession } from '../accounts/index.ts'
import type { ApiKey, ApiKeyChanges, ApiKeyItem, CreatedApiKey } from './api-keys.schema.ts'
import {
  type ApiKeyRow,
  countKeysForUpdate,
  findKeysOf,
  findPresentedKey,
  insertKey,
  type PresentedKey,
  revokeKey,
  updateKey,
} from './api-keys.sql.ts'
import { hashSecret, isSecretOf, newCredential, parseAuthorization } from './credential.ts'
import { createKeyMemory } from './key-memory.ts'
import { RATE_LIMITS, TIER_POLICIES } from './tiers.ts'
import type { Usage } from './usage.ts'

/** Enough for one key a program. The keys of an account share its limit, so more keys bring no more requests. */
export const MAX_KEYS = 25
/** Revoked keys stay in the table. */
export const MAX_KEYS_A_DAY = 100

export interface ApiKeysService {
  list(userId: string): Promise<z.input<typeof ApiKeyItem>[]>
  /** @throws ApiError 400 too_many_api_keys; 401 when the session ended meanwhile */
  create(actor: SessionActor, name: string): Promise<z.input<typeof CreatedApiKey>>
  /** @throws ApiError 404 for a key that is not the user's, or revoked */
  update(userId: string, id: string, changes: z.output<typeof ApiKeyChanges>): Promise<z.input<typeof ApiKey>>
  /** Takes effect with the next request, in every process. @throws ApiError 404 as above */
  revoke(userId: string, id: string): Promise<void>
  /**
   * Who a request acts for. Only keys remembered as unknown are refused without asking the database: anything else that was
   * remembered could outlive a revocation.
   * @param authorization the header as it came
   * @throws ApiError 401 invalid_api_key, alike for whatever is wrong with it; 503 when the database does not answer
   */
  byKey(authorization: string): Promise<KeyActor>
  recallKey(authorization: string): KeyStanding
}

const noSuchKey = () => notFound('You have no such API key.')
const invalidKey = () =>
  new ApiError(401, 'invalid_api_key', 'This API key is not valid. Send `Authorization: Bearer <API_KEY>.<SECRET>`.', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' }, // RFC 6750 §3
  })
const tooMany = (message: string) => new ApiError(400, 'too_many_api_keys', message)

export function createApiKeysService({ pool, usage }: { pool: Pool; usage: Usage }): ApiKeysService {
  const memory = createKeyMemory()

  return {
    list: async (userId) =>
      (await findKeysOf(pool, userId)).map((row) => ({
        ...show(row),
        lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      })),

    async create(actor, name) {
      const { userId } = actor
      const { key, secret } = newCredential()
      const row = await inTransaction(pool, async (tx) => {
        await requireLivingSession(tx, actor)
        const { kept, createdToday } = await countKeysForUpdate(tx, userId)
        if (kept >= MAX_KEYS) throw tooMany(`You have ${kept} API keys, the most there can be: revoke one first.`)
        if (createdToday >= MAX_KEYS_A_DAY)
          throw tooMany(`You have made ${createdToday} API keys in 24 hours, the most there can be.`)
        return insertKey(tx, { id: uuidv7(), userId, name, key, secretHash: hashSecret(secret) })
      })
      if (!row) throw new Error('inserting an API key gave no row')
      return { ...show(row), secret }
    },

    async update(userId, id, changes) {
      const row = isUuid(id) ? await updateKey(pool, userId, id, changes) : undefined
      if (!row) throw noSuchKey()
      return show(row)
    },

    async revoke(userId, id) {
      if (!(isUuid(id) && (await revokeKey(pool, userId, id)))) throw noSuchKey()
    },

    async byKey(authorization) {
      const credential = parseAuthorization(authorization)
      if (!credential || memory.standingOf(credential) === 'unknown') throw invalidKey()
      const found = await lookUp(pool, credential.key)
      if (!found || !isSecretOf(credential.secret, found.secretHash)) {
        memory.keepUnknown(credential)
        throw invalidKey()
      }
      if (!found.isLiving) {
        memory.forget(credential)
        throw invalidKey()
      }
      const countsForAddress = found.tier === 'free'
      memory.keepValid(credential, countsForAddress ? 'free' : 'paid')
      if (found.isUseDue) usage.note({ keyId: found.id, at: found.usedAt })
      const policies = TIER_POLICIES[found.tier]
      return { via: 'key', userId: found.userId, isAdmin: false, keyId: found.id, policies, countsForAddress }
    },

    recallKey(authorization) {
      const credential = parseAuthorization(authorization)
      return credential ? memory.standingOf(credential) : 'unknown'
    },
  }
}

async function lookUp(pool: Pool, key: string): Promise<PresentedKey | undefined> {
  try {
    return await findPresentedKey(pool, key)
  } catch (cause) {
    throw unavailable('API keys can’t be checked at the moment.', 5, cause)
  }
}

const show = ({ id, name, key, tier, isActive, createdAt }: ApiKeyRow) => ({
  id,
  name,
  key,
  tier,
  rateLimit: RATE_LIMITS[tier],
  isActive,
  createdAt: createdAt.toISOString(),
})
