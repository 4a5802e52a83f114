// Admits the requests of reward plugins: finds the server of the vote key, and counts the request for the
// key or for its client.
import type { Request, Response } from 'express'
import type { Deps } from '../../../deps.ts'
import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { isSafeMethod } from '../../../platform/http/authorize.ts'
import { contextOf } from '../../../platform/http/context.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { LimitPolicy } from '../../../platform/http/limit-policy.ts'
import { ipPolicies, type Limits } from '../../../platform/http/limits.ts'
import { findServerOfKey } from './vote-keys.sql.ts'

export const REQUESTS_PER_MINUTE = 60
const KEY_POLICIES: LimitPolicy[] = [{ name: 'vote-key', limit: REQUESTS_PER_MINUTE, windowSeconds: 60 }]

/** About 2 MB of hashes. An evicted key only counts for its client first. */
const MAX_KNOWN = 10_000

/** The same for every reason, so that it reveals nothing about a key. */
const invalidVoteKey = () =>
  new ApiError(
    401,
    'invalid_vote_key',
    'This vote key is not valid. The owner of the server makes one with POST /api/servers/{id}/vote-key.',
  )

export interface AdmissionOptions extends Pick<Deps, 'pool' | 'settings'> {
  limits: Pick<Limits, 'consume' | 'refund'>
}

/**
 * Like API keys (docs/decisions/0015): a request counts for its client before the key is looked up, unless the last
 * look-up found the key. Then it counts for the key, also before it is looked up, so that a key over its limit costs no
 * query. Game servers of a host share an address, so a request whose key turns out valid counts for the key alone.
 */
export function createAdmission({ pool, settings, limits }: AdmissionOptions) {
  const clientPolicies = ipPolicies(settings)
  /** Digests of the keys that the last look-up found. */
  const knownKeys = createBoundedCache<true>(MAX_KNOWN)
  const serverByRequest = new WeakMap<Request, string>()
  /** Requests with a key that is not known, by its digest, until the key is looked up. */
  const firstRequests = new Map<string, Promise<void>>()

  async function admit(req: Request, res: Response, { hash, digest }: VoteKeyHash): Promise<void> {
    const { clientKey, limitCounts } = contextOf(res)
    const isRead = isSafeMethod(req.method)
    const client = { key: clientKey, policies: clientPolicies }
    const voteKey = { key: digest, policies: KEY_POLICIES }

    const presumed = knownKeys.has(digest) ? voteKey : client
    await limits.consume(presumed, { isRead, counts: limitCounts })
    const serverId = await findServerOfKey(pool, hash)
    if (serverId) knownKeys.set(digest, true)
    else knownKeys.delete(digest)
    const actual = serverId ? voteKey : client
    if (actual !== presumed) {
      limitCounts.length = 0
      await limits.refund(presumed, { isRead })
      await limits.consume(actual, { isRead, counts: limitCounts })
    }
    if (!serverId) throw invalidVoteKey()
    serverByRequest.set(req, serverId)
  }

  return {
    /**
     * The first request with a key is admitted before the others: a burst with a valid key must not use up the
     * limit of its address.
     * @throws ApiError 401 invalid_vote_key, 429 rate_limited, 503
     */
    async limitRequest(req: Request, res: Response): Promise<void> {
      const key = hashVoteKey(req)
      const { digest } = key
      const first = firstRequests.get(digest)
      if (first) await Promise.allSettled([first])
      else if (!knownKeys.has(digest)) {
        const admitting = admit(req, res, key).finally(() => firstRequests.delete(digest))
        firstRequests.set(digest, admitting)
        return admitting
      }
      return admit(req, res, key)
    },

    /** The server whose key an admitted request has. */
    serverOf(req: Request): string {
      const serverId = serverByRequest.get(req)
      if (!serverId) throw new Error('the request was not admitted')
      return serverId
    },
  }
}

interface VoteKeyHash {
  hash: Buffer
  /** The hash as text. */
  digest: string
}

function hashVoteKey({ url }: Request): VoteKeyHash {
  const voteKey = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('key') ?? ''
  const hash = hashToken(voteKey)
  return { hash, digest: hash.toString('base64url') }
}
