// Decides which limits a request counts against: those of its address, of its API key's account, or both
// (docs/decisions/0015), or that of files.
import { hash } from 'node:crypto'
import { createBoundedCache } from '../bounded-cache.ts'
import type { ProcessSettings } from '../config/settings.ts'
import type { Log } from '../observability/log.ts'
import type { Authenticator, KeyActor } from './actor.ts'
import type { RequestLimiter } from './api.ts'
import { isSafeMethod } from './authorize.ts'
import { contextOf, type RequestContext } from './context.ts'
import { ApiError } from './errors.ts'
import { memoryStore } from './fast-path/memory-limits.ts'
import type { LimitCount, LimitPolicy } from './limit-policy.ts'
import { createLimits, ipPolicies, type Limits } from './limits.ts'

/** Key look-ups for an address over its limit. A look-up that finds a paid key is not counted. */
const LOOK_UPS: LimitPolicy[] = [{ name: 'key-lookups', limit: 10, windowSeconds: 60 }]

/** How long a refusal of an account is remembered: in this time, a key over its limit costs one look-up. */
const REFUSED_MS = 2_000
/** About 3 MB. An evicted refusal only costs a look-up. */
const MAX_REFUSED = 10_000

/** A first visit loads about 25 files. */
const FILES_PER_REQUEST = 20

/**
 * Counts the files that pages load, such as scripts, apart from requests: visitors behind one address would use up its
 * limit with their first pages. Counted by each process for itself, because nothing is cheaper to serve.
 */
export function createFileLimiter(options: {
  settings: Pick<ProcessSettings, 'RATE_LIMIT_IP_PER_MINUTE'>
  log: Log
}): RequestLimiter {
  const limits = createLimits({ store: memoryStore(), log: options.log })
  const limit = options.settings.RATE_LIMIT_IP_PER_MINUTE * FILES_PER_REQUEST
  const policies: LimitPolicy[] = limit > 0 ? [{ name: 'ip-files', limit, windowSeconds: 60 }] : []
  return (_req, res) => {
    const { clientKey, limitCounts } = contextOf(res)
    return limits.consume({ key: clientKey, policies }, { isRead: true, counts: limitCounts })
  }
}

interface KeyedRequest {
  authorization: string
  context: RequestContext
  isRead: boolean
}

interface LimiterOptions {
  limits: Limits
  settings: Pick<ProcessSettings, 'RATE_LIMIT_IP_PER_MINUTE' | 'RATE_LIMIT_IP_PER_HOUR'>
  authenticator: Pick<Authenticator, 'byKey' | 'getCachedKeyStatus'>
}

/**
 * A request without a key, or with an invalid one, counts against its address; with a paid key against the account;
 * with a free key against both. The address is counted before the key is looked up, unless the last look-up found a
 * paid key. If the look-up then finds a paid key, the address gets the request back.
 */
export function createRequestLimiter({ limits, settings, authenticator }: LimiterOptions): RequestLimiter {
  const policies = ipPolicies(settings)
  const limitKeyed = createKeyLimiter({ limits, policies, authenticator })
  return (req, res) => {
    const context = contextOf(res)
    const isRead = isSafeMethod(req.method)
    const { authorization } = req.headers
    return authorization === undefined
      ? limits.consume({ key: context.clientKey, policies }, { isRead, counts: context.limitCounts })
      : limitKeyed({ authorization, context, isRead })
  }
}

/** @param options.policies of addresses */
function createKeyLimiter(options: Omit<LimiterOptions, 'settings'> & { policies: LimitPolicy[] }) {
  const { limits, policies, authenticator } = options
  const accounts = createAccountLimiter(options)
  /** Requests with a key of unknown status, by header, until the key is looked up. */
  const firstRequests = new Map<string, Promise<void>>()

  const consumeOfAddress = ({ context, isRead }: KeyedRequest) =>
    limits.consume({ key: context.clientKey, policies }, { isRead, counts: context.limitCounts })

  function limitFirst(request: KeyedRequest): Promise<void> {
    const counting = limitUnpaid(request).finally(() => firstRequests.delete(request.authorization))
    firstRequests.set(request.authorization, counting)
    return counting
  }

  async function limitPaid(request: KeyedRequest): Promise<void> {
    let actor: KeyActor
    try {
      actor = await accounts.findActor(request)
    } catch (error) {
      if (isInvalidKey(error)) await consumeOfAddress(request)
      throw error
    }
    if (actor.countsForAddress) await consumeOfAddress(request) // its subscription has ended
    await accounts.consume(actor, request)
  }

  async function limitUnpaid(request: KeyedRequest): Promise<void> {
    const { context, isRead } = request
    try {
      await consumeOfAddress(request)
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal
      return limitBeyondAddress(request, refusal)
    }
    const actor = await accounts.findActor(request)
    if (!actor.countsForAddress) {
      context.limitCounts.length = 0
      await limits.refund({ key: context.clientKey, policies }, { isRead })
    }
    await accounts.consume(actor, request)
  }

  /** Callers behind one address: a paid key passes even if the others have used up the address' limit. */
  async function limitBeyondAddress(request: KeyedRequest, refusal: ApiError): Promise<void> {
    const { authorization, context, isRead } = request
    if (authenticator.getCachedKeyStatus(authorization) === 'unknown') throw refusal
    const lookUps = { key: context.clientKey, policies: LOOK_UPS }
    try {
      await limits.consume(lookUps, { isRead })
    } catch {
      throw refusal
    }
    let actor: KeyActor
    try {
      actor = await authenticator.byKey(authorization)
    } catch (error) {
      throw isInvalidKey(error) ? refusal : error
    }
    if (actor.countsForAddress) throw refusal
    context.limitCounts.length = 0
    await limits.refund(lookUps, { isRead })
    await accounts.consume(actor, request)
  }

  /**
   * The first request with a key is looked up before the others: a burst with a paid key must not use up its address'
   * limit.
   */
  return async function limitKeyed(request: KeyedRequest): Promise<void> {
    const { authorization } = request
    if (authenticator.getCachedKeyStatus(authorization) === 'new') {
      const first = firstRequests.get(authorization)
      if (!first) return limitFirst(request)
      await Promise.allSettled([first])
    }
    return authenticator.getCachedKeyStatus(authorization) === 'paid' ? limitPaid(request) : limitUnpaid(request)
  }
}

/** The limits of accounts, and the look-up of keys, which a flood of refused requests must not cause. */
function createAccountLimiter({ limits, authenticator }: Omit<LimiterOptions, 'settings'>) {
  /** Whose limit refused a key a moment ago, by `digestOf`. */
  const refused = createBoundedCache<KeyActor>(MAX_REFUSED, { ttl: REFUSED_MS })

  return {
    async consume(actor: KeyActor, { authorization, context, isRead }: KeyedRequest): Promise<void> {
      context.keyActor = actor
      try {
        await limits.consume(accountOf(actor), { isRead, counts: context.limitCounts })
      } catch (error) {
        if (isRefusal(error)) refused.set(digestOf(authorization), actor)
        throw error
      }
    },

    /**
     * Looks the key up, unless its account was refused a moment ago and still is over its limit. Whether the key is
     * still valid is then not checked, since the request is refused either way.
     * @throws ApiError 401 invalid_api_key; 429 rate_limited; 503
     */
    async findActor({ authorization, context, isRead }: KeyedRequest): Promise<KeyActor> {
      const actor = refused.get(digestOf(authorization))
      if (actor) {
        const counts: LimitCount[] = []
        try {
          await limits.consume(accountOf(actor), { isRead, counts })
        } catch (error) {
          context.limitCounts.push(...counts)
          throw error
        }
        await limits.refund(accountOf(actor), { isRead }) // its window has ended: counted after the look-up
      }
      return authenticator.byKey(authorization)
    },
  }
}

const accountOf = ({ userId, policies }: KeyActor) => ({ key: userId, policies })

/** Keeps no secret in memory in plain text. */
const digestOf = (authorization: string) => hash('sha256', authorization, 'base64url')

const isInvalidKey = (error: unknown) => error instanceof ApiError && error.status === 401
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429
