// The attempts of one query: asks gamedig until the server answers, and reads and sanitizes the answer.
import type { QueryResult } from 'gamedig'
import { TOO_LONG } from './bounds.ts'
import type { Icons } from './icon.ts'
import { identityOf } from './identity.ts'
import { type Answer, type Miss, missOf, type QueryTarget } from './outcome.ts'
import { rulesDescribe } from './own-words.ts'
import { hasPassword } from './password.ts'
import { countPeople } from './people.ts'
import { profileOf } from './profile.ts'
import { canAskForRules, findTokens } from './proof.ts'
import { hostFor } from './protocol-addresses.ts'
import type { Lend } from './query-pool.ts'
import { safeCount, safeText } from './safe-values.ts'
import { fingerprintOf, rulesTellMore } from './world-fingerprint.ts'

/** How long each attempt waits for a reply, in milliseconds, in order. */
export interface Tries {
  /**
   * Tries for a server that is shown online. If 10 % of datagrams are lost each way, one attempt (two round trips) of a
   * Source query fails with 34 %: five fail together with 0.5 %, and three cycles of that are one in ten million.
   */
  online: number[]
  /** Tries for a server that is known to be down, and most likely still is. */
  offline: number[]
}

export const TRIES: Tries = { online: [600, 900, 1400, 2000, 3000], offline: [1000, 2500] }

/** Maximum number of consecutive requests per attempt. */
const REQUESTS_PER_TRY = 3
const RULES_TIMEOUT_MS = 1_000
/** The last two errors are those of a worker without IPv6. */
const SILENCE = /timed out|TCP Connection Refused|E(CONN|HOST|NET)[A-Z]+|ETIMEDOUT|EPERM|EADDRNOTAVAIL|EAFNOSUPPORT/i
/** The maximum of the column's type. */
const MAX_QUERY_MS = 32_767

/** A server to query at the address that was checked. */
export interface CheckedTarget extends QueryTarget {
  address: string
  protocol: string
  /** The server's entry in its publisher's list, which is read instead of a reply. */
  publicList?: { content: unknown } | undefined
}

export interface AttemptsOptions {
  tries: Tries
  icons: Icons
  now: () => number
}

/** @returns a function that queries a server, with an instance of `lend` for each attempt */
export function createAttempts({ tries, icons, now }: AttemptsOptions) {
  return async (target: CheckedTarget, lend: Lend): Promise<Answer | Miss> => {
    const askedAt = now()
    let last = missOf('silent', askedAt)
    for (const timeoutMs of target.isOnline ? tries.online : tries.offline) {
      try {
        const result = await lend((gamedig) => gamedig.query(queryOptions(target, timeoutMs)))
        return readAnswer(target, result, await readOwnWords(target, result, lend, icons))
      } catch (error) {
        const { stack = '' } = error as Error
        last = missOfError(stack, askedAt)
        if (stack.includes(TOO_LONG)) break
      }
    }
    return last
  }
}

/** @param stack where gamedig reports the causes of its errors */
const missOfError = (stack: string, askedAt: number): Miss =>
  SILENCE.test(stack) ? missOf('silent', askedAt) : missOf('unreadable', askedAt, stack.split('\n', 4).at(-1)?.trim())

type OwnWordsOfAnswer = Pick<Answer, 'seenTokens' | 'fingerprint' | 'profile'>

/**
 * Finds tokens, the world's fingerprint and the server's own words in an answer, and in the rules if they may show
 * more. Rules are a separate query whose failure does not count: many servers turn them off, and a claimant must not
 * be able to make a server look down.
 */
async function readOwnWords(
  target: CheckedTarget,
  result: QueryResult,
  lend: Lend,
  icons: Icons,
): Promise<OwnWordsOfAnswer> {
  const { game, protocol, ipAddress, queryPort, tokens = [], readsRules = false } = target
  let described = result
  let seenTokens = findTokens(result, game, tokens)
  let fingerprint = fingerprintOf(game, result)
  const needsRules =
    seenTokens.length < tokens.length || (readsRules && (rulesTellMore(game, fingerprint) || rulesDescribe(game)))
  if (needsRules && canAskForRules(game)) {
    const withRules = await askForRules(target, lend)
    if (withRules) {
      described = withRules
      seenTokens = tokens.filter((token) => seenTokens.includes(token) || findTokens(withRules, game, [token]).length)
      fingerprint = fingerprintOf(game, withRules) ?? fingerprint
    }
  }
  const profile = profileOf({ game, protocol, server: `${ipAddress} ${queryPort}` }, described, icons)
  return { ...(tokens.length ? { seenTokens } : {}), ...(fingerprint ? { fingerprint } : {}), profile }
}

async function askForRules(target: CheckedTarget, lend: Lend): Promise<QueryResult | undefined> {
  const { publicList: _publicList, ...queried } = target
  const options = { ...queryOptions(queried, RULES_TIMEOUT_MS), requestRules: true }
  return lend((gamedig) => gamedig.query(options)).catch(() => undefined)
}

/** A new object each time, because gamedig writes into it. */
function queryOptions({ game, protocol, ipAddress, address, queryPort, publicList }: CheckedTarget, timeoutMs: number) {
  return {
    type: game,
    host: hostFor(protocol, ipAddress, address),
    address,
    port: queryPort,
    givenPortOnly: true,
    maxRetries: 1,
    socketTimeout: timeoutMs,
    attemptTimeout: timeoutMs * REQUESTS_PER_TRY,
    portCache: false,
    requestPlayers: false,
    ...(publicList && { publicList }),
  }
}

function readAnswer(
  { protocol, isGuess, publicList }: CheckedTarget,
  result: QueryResult,
  ownWords: OwnWordsOfAnswer,
): Answer {
  return {
    answered: true,
    ...countPeople(protocol, result),
    hasPassword: hasPassword(protocol, result),
    maxPlayers: safeCount(result.maxplayers),
    map: safeText(result.map),
    version: safeText(result.version),
    queryMs: publicList ? null : Math.min(safeCount(result.ping), MAX_QUERY_MS),
    ...(isGuess && { identity: identityOf(protocol, result) }),
    ...ownWords,
  }
}
