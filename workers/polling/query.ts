// Queries one game server: checks the address, waits for a slot of the pool, and returns what the attempts found out.
import { games, protocols } from 'gamedig'
import pTimeout from 'p-timeout'
import { refusalReason, srvServiceOf, usualPort, usualQueryPort } from '../../src/features/games/index.ts'
import type { CountryOf } from '../../src/platform/country-database.ts'
import { createAttempts, TRIES, type Tries } from './attempts.ts'
import { installBounds } from './bounds.ts'
import { type Icons, icons as processIcons } from './icon.ts'
import type { ListTarget } from './list-formats.ts'
import { installLuantiHello } from './luanti-hello.ts'
import { installMessageOfTheDay } from './message-of-the-day.ts'
import { type Miss, missOf, type Outcome, type QueryTarget } from './outcome.ts'
import { canCarry } from './protocol-addresses.ts'
import { type PublicList, type PublicLists, publicLists } from './public-lists.ts'
import type { QueryPool } from './query-pool.ts'
import { installRepairs } from './repairs.ts'
import { type Destination, type ResolvedTarget, type ResolveTarget, TargetError } from './target-address.ts'

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

  const attempt = createAttempts({ tries, icons, now })
  const miss = (reason: Miss['reason'], detail?: string) => missOf(reason, now(), detail)

  /** Has the name looked up again for the next query, because the server may have moved. */
  async function lookUpAgain(destination: Destination): Promise<void> {
    try {
      await resolve({ ...destination, mayHaveMoved: true })
    } catch {
      // The next query reports what keeps the name from being resolved.
    }
  }

  /** @returns the address to query, or why there is none */
  async function resolveOrMiss(
    destination: Destination,
    signal: AbortSignal | undefined,
  ): Promise<ResolvedTarget | Miss> {
    try {
      const resolving = resolve(destination)
      return 'address' in resolving ? resolving : await unlessAborted(resolving, signal)
    } catch (error) {
      if (signal?.aborted) return miss('skipped')
      if (error instanceof TargetError) return miss(error.reason, error.message)
      throw error
    }
  }

  return async (target, signal) => {
    const protocol = protocolOf(target.game)
    if (!protocol) return miss('unknown game', target.game)
    if (signal?.aborted) return miss('skipped')
    const destination = destinationOf(target)
    const resolved = await resolveOrMiss(destination, signal)
    if ('reason' in resolved) return resolved
    const { address, port: foundPort } = resolved
    if (!canCarry(protocol, address)) return miss('unreadable', `${protocol} can’t carry an IPv6 address`)
    const queryPort = queryPortOf(target, foundPort)
    const listing = lists.of(protocol)
    const publicList = listing && findIn(await listing, [target.ipAddress, address], { address, port: queryPort })
    const country = countryOf?.(address)
    if (publicList && 'error' in publicList) return miss('no list', publicList.error)
    if (publicList && !publicList.content) return { ...miss('unreadable', 'not in the public list'), country }
    const checked = { ...target, address, protocol, queryPort, publicList }
    const result = await pool.run(address, async (lend) => (signal?.aborted ? miss('skipped') : attempt(checked, lend)))
    const outcome = result ?? miss('skipped')
    if (!outcome.answered && outcome.reason !== 'skipped') void lookUpAgain(destination)
    return { ...outcome, ...(outcome.answered && foundPort !== undefined && { foundPort }), address, country }
  }
}

/**
 * @param hosts of the server, the best known first
 * @returns a list that has the server only, undefined if the publisher's does not have it; or why that can't be known
 */
function findIn(
  list: PublicList,
  hosts: readonly string[],
  target: ListTarget,
): { content: unknown } | { error: string } {
  const content = list.find?.(hosts, target)
  return 'error' in list && !content ? { error: list.error } : { content }
}

const destinationOf = ({ game, ipAddress, queryPort, gamePort = queryPort, gamePortGiven = true }: QueryTarget) => ({
  host: ipAddress,
  srvService: srvServiceOf({ game, gamePort, gamePortGiven }),
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
