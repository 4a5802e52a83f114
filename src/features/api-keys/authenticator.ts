// Authenticates requests with an API key.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Authenticator, KeyActor } from '../../platform/http/actor.ts'
import { ApiError, BEARER_CHALLENGE, unavailable } from '../../platform/http/errors.ts'
import { findPresentedKey, lockUnrevoked, updateLastUsed } from './api-keys.sql.ts'
import { isSecretOf, looksLikeKey, parseAuthorization } from './credential.ts'
import { createKeyCache } from './key-cache.ts'
import { TIER_POLICIES } from './tiers.ts'
import { createUsageRecorder } from './usage-recorder.ts'

interface ApiKeys extends Pick<Authenticator, 'byKey' | 'getCachedKeyStatus' | 'looksLikeKey'> {
  /** Stores the last uses; call it when no more requests arrive. */
  stop(): Promise<void>
}

/** The same for every reason, so that it reveals nothing about a key. */
const invalidKey = () =>
  new ApiError(401, 'invalid_api_key', 'This API key is not valid. Send `Authorization: Bearer <API_KEY>.<SECRET>`.', {
    headers: { 'WWW-Authenticate': `${BEARER_CHALLENGE}, error="invalid_token"` },
  })

/**
 * For transactions that make further access: a reset of the password either revoked the key before, or waits for their
 * end and finds what they have written after this.
 * @throws ApiError 401 invalid_api_key if the key is revoked
 */
export async function requireUnrevokedKey(tx: Db, { keyId }: Pick<KeyActor, 'keyId'>): Promise<void> {
  if (!(await lockUnrevoked(tx, keyId))) throw invalidKey()
}

/**
 * Only keys cached as unknown are refused without asking the database: any other cached answer could outlive a
 * revocation.
 */
export function createApiKeys({ pool, log }: Pick<Deps, 'pool' | 'log'>): ApiKeys {
  const cache = createKeyCache()
  const usage = createUsageRecorder({ write: (uses) => updateLastUsed(pool, uses), log })

  return {
    stop: usage.stop,
    looksLikeKey,
    async byKey(authorization) {
      const credential = parseAuthorization(authorization)
      if (!credential || cache.statusOf(credential) === 'unknown') throw invalidKey()
      const found = await findPresentedKey(pool, credential.key).catch((cause: unknown) => {
        throw unavailable('API keys can’t be checked at the moment.', 5, cause)
      })
      if (!found || !isSecretOf(credential.secret, found.secretHash)) {
        cache.addUnknown(credential)
        throw invalidKey()
      }
      if (!found.isValid) {
        cache.remove(credential)
        throw invalidKey()
      }
      const countsForAddress = found.tier === 'free'
      cache.addValid(credential, countsForAddress ? 'free' : 'paid')
      if (found.isUseDue) usage.record({ keyId: found.id, at: found.usedAt })
      const { id: keyId, userId, scopes } = found
      const policies = TIER_POLICIES[found.tier]
      return { via: 'key', userId, isAdmin: false, isModerator: false, keyId, scopes, policies, countsForAddress }
    },

    getCachedKeyStatus(authorization) {
      const credential = parseAuthorization(authorization)
      return credential ? cache.statusOf(credential) : 'unknown'
    },
  }
}
