// Queries one game server: checks the address, makes several attempts within the cycle, and sanitizes the reply.
import { games, protocols, type QueryResult } from 'gamedig'
import pTimeout from 'p-timeout'
import { refusalReason, srvServiceOf, usualPort, usualQueryPort } from '../../src/features/games/index.ts'
import type { PollTarget } from '../../src/features/polling/index.ts'
import type { WorldFingerprint } from '../../src/features/wipes/index.ts'
import type { CountryOf } from '../../src/platform/country-database.ts'
import { installBounds, TOO_LONG } from './bounds.ts'
import { type Icons, icons as processIcons } from './icon.ts'
import { type Identity, identityOf } from './identity.ts'
import { installLuantiHello } from './luanti-hello.ts'
import { installMessageOfTheDay } from './message-of-the-day.ts'
import { rulesDescribe } from './own-words.ts'
import { hasPassword } from './password.ts'
import { countPeople } from './people.ts'
import { type Profile, profileOf } from './profile.ts'
import { canAskForRules, findTokens } from './proof.ts'
import { canCarry, hostFor } from './protocol-addresses.ts'
import { type PublicLists, publicLists } from './public-lists.ts'
import type { Lend, QueryPool } from './query-pool.ts'
import { installRepairs } from './repairs.ts'
import { count, text } from './safe-values.ts'
import { type Destination, type ResolvedTarget, type ResolveTarget, TargetError } from './target-address.ts'
import { fingerprintOf, rulesTellMore } from './world-fingerprint.ts'

export interface Answer {
  answered: true
  /** People; bots are counted separately. */
  players: number
  bots: number
  /** null: the protocol, or this answer, does not tell. */
  hasPassword: boolean | null
  maxPlayers: number
  map: string
  version: string
  /** Shortest round trip of the query in milliseconds; null for a server that is looked up in a list. */
  queryMs: number | null
  /** Which of a Minecraft server's editions answered, if it has both; undefined: nothing is known about that one. */
  editions?: { java: boolean; bedrock: boolean | undefined }
  /** Which of the target's tokens the server shows; only if it has some. */
  seenTokens?: string[]
  /** The world's fingerprint; only for games that report one. */
  fingerprint?: WorldFingerprint
  /** The game port that an SRV record gave. */
  foundPort?: number
  /** Only if the target `isGuess`. */
  identity?: Identity
  profile: Profile
}

export interface Miss {
  answered: false
  /**
   * `silent`: no reply in time. `unreadable`: an invalid reply. `unresolved`, `refused`: not queried, see
   * target-address.ts. `unknown game`: gamedig has no such type, or can't query it. `skipped`: not queried in time,
   * or too many others wait at its address, `no list`: the publisher's list could not be downloaded, `fault`: an error
   * of this program; these three are no evidence about the server.
   */
  reason: 'silent' | 'unreadable' | 'unresolved' | 'refused' | 'unknown game' | 'skipped' | 'no list' | 'fault'
  /** When the query started, epoch milliseconds. */
  askedAt: number
  detail?: string
}

/** `country` as `CountryOf` gives it, if the address is known. */
export type Outcome = (Answer | Miss) & { country?: string | undefined }

const SAYS_NOTHING: readonly Miss['reason'][] = ['skipped', 'no list', 'fault']

/** Whether the outcome says something about the server. */
export const isEvidence = (outcome: Outcome): boolean => outcome.answered || !SAYS_NOTHING.includes(outcome.reason)

/** How long each attempt waits for a reply, in milliseconds, in order. */
export interface Tries {
  /**
   * Tries for a server that is shown online. If 10 % of datagrams are lost each way, one attempt (two round trips) of a Source
   * query fails with 34 %: five fail together with 0.5 %, and three cycles of that are one in ten million.
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

/** What a query needs to know of a server. */
export interface QueryTarget extends Pick<PollTarget, 'game' | 'ipAddress' | 'queryPort' | 'isOnline'> {
  /** Tokens to search for in its name, rules and keywords. */
  tokens?: readonly string[]
  gamePort?: number | undefined
  /** False: players type no port, so the service of the game's client decides it. */
  gamePortGiven?: boolean | undefined
  /** Whether to query its rules too, if they can show wipes or describe the server. */
  readsRules?: boolean
  /** Whether it is not known that the game runs there. */
  isGuess?: boolean
}

type Queried = QueryTarget & { protocol: string }

/** @param signal aborted: a server that is waiting is skipped; a running query is not interrupted */
export type AskServer = (target: QueryTarget, signal?: AbortSignal) => Promise<Outcome>

export interface AskServerOptions {
  /** Decides when each server is queried. */
  pool: Pick<QueryPool, 'run'>
  resolve: ResolveTarget
  /** Undefined: outcomes have no country. */
  countryOf?: CountryOf
  tries?: Tries
  /** Publishers' lists; by default those of the process. */
  lists?: PublicLists
  /** The process' icons by default. */
  icons?: Icons
  now?: () => number
}

export function createAskServer(options: AskServerOptions): AskServer {
  const { pool, resolve, countryOf, tries = TRIES, lists = publicLists, icons = processIcons, now = Date.now } = options
  installBounds()
  installLuantiHello()
  installMessageOfTheDay()
  installRepairs()

  const miss = (reason: Miss['reason'], detail?: string, askedAt = now()): Miss => ({
    answered: false,
    reason,
    askedAt,
    ...(detail === undefined ? {} : { detail }),
  })

  async function ask(
    target: Queried,
    address: string,
    lend: Lend,
    publicList?: { content: unknown },
  ): Promise<Outcome> {
    const askedAt = now()
    let last = miss('silent')
    for (const timeoutMs of target.isOnline ? tries.online : tries.offline) {
      try {
        const result = await lend((gamedig) =>
          gamedig.query({ ...queryOptions(target, address, timeoutMs), ...(publicList && { publicList }) }),
        )
        const queryMs = publicList ? null : Math.min(count(result.ping), MAX_QUERY_MS)
        const identity = target.isGuess ? { identity: identityOf(target.protocol, result) } : {}
        const seen = await look(result, target, address, lend)
        return { ...readAnswer(target.protocol, result), queryMs, ...identity, ...seen }
      } catch (error) {
        const { stack = '' } = error as Error
        // gamedig reports the cause only in the stack.
        last = SILENCE.test(stack)
          ? miss('silent', undefined, askedAt)
          : miss('unreadable', stack.split('\n', 4).at(-1)?.trim(), askedAt)
        if (stack.includes(TOO_LONG)) break
      }
    }
    return last
  }

  /**
   * Finds tokens, the world's fingerprint and the server's own words in an answer, and in the rules if they may show
   * more. Rules are a separate query whose failure does not count: many servers turn them off, and a claimant must not
   * be able to make a server look down.
   */
  async function look(
    result: QueryResult,
    target: Queried,
    address: string,
    lend: Lend,
  ): Promise<Pick<Answer, 'seenTokens' | 'fingerprint' | 'profile'>> {
    const { game, protocol, ipAddress, queryPort, tokens = [], readsRules = false } = target
    let described = result
    let seenTokens = findTokens(result, game, tokens)
    let fingerprint = fingerprintOf(game, result)
    const needsRules =
      seenTokens.length < tokens.length || (readsRules && (rulesTellMore(game, fingerprint) || rulesDescribe(game)))
    if (needsRules && canAskForRules(game)) {
      const withRules = await askRules(target, address, lend)
      if (withRules) {
        described = withRules
        seenTokens = tokens.filter((token) => seenTokens.includes(token) || findTokens(withRules, game, [token]).length)
        fingerprint = fingerprintOf(game, withRules) ?? fingerprint
      }
    }
    const profile = profileOf({ game, protocol, server: `${ipAddress} ${queryPort}` }, described, icons)
    return { ...(tokens.length ? { seenTokens } : {}), ...(fingerprint ? { fingerprint } : {}), profile }
  }

  async function askRules(target: Queried, address: string, lend: Lend): Promise<QueryResult | undefined> {
    const options = { ...queryOptions(target, address, RULES_TIMEOUT_MS), requestRules: true }
    return lend((gamedig) => gamedig.query(options)).catch(() => undefined)
  }

  /** Has the name looked up again for the next query, because the server may have moved. */
  async function lookUpAgain(destination: Destination): Promise<void> {
    try {
      await resolve({ ...destination, mayHaveMoved: true })
    } catch {
      // The next query reports what keeps the name from being resolved.
    }
  }

  return async (target, signal) => {
    const protocol = protocolOf(target.game)
    if (!protocol) return miss('unknown game', target.game)
    if (signal?.aborted) return miss('skipped')
    const destination = destinationOf(target)
    let resolved: ResolvedTarget
    try {
      const resolving = resolve(destination)
      resolved = 'address' in resolving ? resolving : await unlessAborted(resolving, signal)
    } catch (error) {
      if (signal?.aborted) return miss('skipped')
      if (error instanceof TargetError) return miss(error.reason, error.message)
      throw error
    }
    const { address, port: foundPort } = resolved
    if (!canCarry(protocol, address)) return miss('unreadable', `${protocol} can’t carry an IPv6 address`)
    const queryPort = queryPortOf(target, foundPort)
    const listed = lists.of(protocol)
    const list = listed && (await listed)
    const content = list?.find?.([target.ipAddress, address], { address, port: queryPort })
    const country = countryOf?.(address)
    if (list && !content) {
      if ('error' in list) return miss('no list', list.error)
      return { ...miss('unreadable', 'not in the public list'), country }
    }
    const ran = await pool.run(address, async (lend) =>
      signal?.aborted ? miss('skipped') : ask({ ...target, protocol, queryPort }, address, lend, list && { content }),
    )
    const outcome = ran ?? miss('skipped')
    if (!outcome.answered && outcome.reason !== 'skipped') void lookUpAgain(destination)
    return { ...outcome, ...(outcome.answered && foundPort !== undefined && { foundPort }), country }
  }
}

const destinationOf = ({ game, ipAddress, gamePortGiven = true }: QueryTarget): Destination => ({
  host: ipAddress,
  srvService: gamePortGiven ? undefined : srvServiceOf(game),
})

/** The queries of a game whose servers answer them at the game port go to the port that was found. */
const queryPortOf = ({ game, queryPort }: QueryTarget, foundPort: number | undefined): number => {
  if (foundPort === undefined) return queryPort
  const isUsual = queryPort === usualQueryPort(game, usualPort(game) ?? queryPort)
  return isUsual ? usualQueryPort(game, foundPort) : queryPort
}

const unlessAborted = (resolving: Promise<ResolvedTarget>, signal: AbortSignal | undefined): Promise<ResolvedTarget> =>
  pTimeout(resolving, { milliseconds: Number.POSITIVE_INFINITY, ...(signal && { signal }) })

/** Nadeo's games answer only after a login, which no listing has, and their client reads without a bound. */
const NEVER_ANSWERING = new Set(['nadeo'])

/** @returns undefined for a type that is not queried */
function protocolOf(game: string): string | undefined {
  if (refusalReason(game)) return undefined
  const own = Object.hasOwn(games, game) ? games[game]?.options.protocol : undefined
  const protocol = game.startsWith('protocol-') ? game.slice('protocol-'.length) : own
  return protocol !== undefined && Object.hasOwn(protocols, protocol) && !NEVER_ANSWERING.has(protocol)
    ? protocol
    : undefined
}

/** A new object each time, because gamedig writes into it. */
function queryOptions({ game, protocol, ipAddress, queryPort }: Queried, address: string, timeoutMs: number) {
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
  }
}

function readAnswer(protocol: string, result: QueryResult): Omit<Answer, 'queryMs' | 'profile'> {
  return {
    answered: true,
    ...countPeople(protocol, result),
    hasPassword: hasPassword(protocol, result),
    maxPlayers: count(result.maxplayers),
    map: text(result.map),
    version: text(result.version),
  }
}
