// One run of a source: resolves what it finds, and lists what is new in batches.
import pLimit from 'p-limit'
import type { Deps } from '../../src/deps.ts'
import {
  countMissing,
  type FoundServer,
  findBlockedHosts,
  findNamedListings,
  type Placed,
  placeServers,
  previewServers,
  type Refusal,
  type RunResult,
  returnServers,
} from '../../src/features/discovery/index.ts'
import { usualQueryPort } from '../../src/features/games/index.ts'
import { normalizeAddress } from '../../src/features/servers/index.ts'
import type { AskServer } from '../polling/query.ts'
import { type ResolveTarget, TargetError } from '../polling/target-address.ts'
import type { Find, Source } from './source.ts'

/** Servers of one transaction. */
const BATCH = 500
/** Forgotten servers that are asked whether they are back, in one run. */
const MAX_RETURNING = 200
/** Listings by name of a source's games whose names are resolved in one run. */
const MAX_NAMED = 5_000
/** The resolver has its own bound; this one bounds the promises. */
const RESOLVED_AT_ONCE = 200

export interface RunOptions extends Pick<Deps, 'pool'> {
  resolve: ResolveTarget
  ask: AskServer
  /** Called for each new server. With it, nothing is written. */
  preview?: (server: { game: string; ipAddress: string; gamePort: number; queryPort: number; name: string }) => void
}

/** @param onBatch called after each batch, with the result so far */
export async function runSource(
  source: Source,
  { pool, resolve, ask, preview }: RunOptions,
  signal: AbortSignal,
): Promise<RunResult> {
  const limit = pLimit(RESOLVED_AT_ONCE)
  const addressOf = (host: string) => limit(async () => (await resolve({ host })).address)
  const named = await resolveNamed()
  const blockedHosts = await resolveBlockedHosts()
  const seen = new Set<string>()
  const listed: string[] = []
  const returning: Placed['forgotten'] = []
  const result: RunResult = { found: 0, added: 0, returned: 0, missing: 0, refused: {} }
  const refuse = (reason: Refusal) => {
    result.refused[reason] = (result.refused[reason] ?? 0) + 1
  }

  /** Listings by name, by the address that they lead to. Names that lead nowhere now are left out. */
  async function resolveNamed() {
    const listings = await findNamedListings(pool, source.games, MAX_NAMED)
    const resolved = await Promise.all(
      listings.map(async (listing) => ({ ...listing, address: await addressOf(listing.host).catch(() => undefined) })),
    )
    return Map.groupBy(
      resolved.filter(({ address }) => address !== undefined),
      ({ address }) => address,
    )
  }

  /** Blocked names, by the address that they lead to. */
  async function resolveBlockedHosts() {
    const blocks = await findBlockedHosts(pool, MAX_NAMED)
    const resolved = await Promise.all(
      blocks.map(async (block) => ({ ...block, address: await addressOf(block.host).catch(() => undefined) })),
    )
    return Map.groupBy(resolved, ({ address }) => address)
  }

  const isAtBlockedHost = ({ address, gamePort, queryPort }: FoundServer) =>
    (blockedHosts.get(address) ?? []).some(({ port }) => port === null || port === gamePort || port === queryPort)

  const namedAt = ({ game, address, gamePort, queryPort }: FoundServer) =>
    (named.get(address) ?? [])
      .filter((one) => one.queryPort === queryPort || (one.game === game && one.gamePort === gamePort))
      .map(({ id }) => id)

  async function resolveFind({
    game,
    host: given,
    gamePort,
    queryPort: query,
    name,
  }: Find): Promise<FoundServer | Refusal> {
    const host = normalizeAddress(given)
    if (host === undefined) return 'invalid'
    const queryPort = query ?? usualQueryPort(game, gamePort)
    if (queryPort < 1 || queryPort > 65_535) return 'invalid'
    try {
      return { game, name, host, address: await addressOf(host), gamePort, queryPort }
    } catch (error) {
      if (error instanceof TargetError) return error.reason === 'refused' ? 'private' : 'unresolved'
      throw error
    }
  }

  const placing = { source: source.name, namedAt }

  async function previewNew(servers: FoundServer[], show: NonNullable<typeof preview>): Promise<Placed> {
    const { rows, ...placed } = await previewServers(pool, servers, placing)
    rows.forEach(show)
    return placed
  }

  async function place(finds: readonly Find[]): Promise<void> {
    const servers: FoundServer[] = []
    for (const server of await Promise.all(finds.map(resolveFind))) {
      if (typeof server === 'string') refuse(server)
      else if (isAtBlockedHost(server)) refuse('blocked')
      else if (seen.has(keyOf(server))) refuse('repeated')
      else {
        seen.add(keyOf(server))
        servers.push(server)
      }
    }
    const placed = await (preview ? previewNew(servers, preview) : placeServers(pool, servers, placing))
    result.added += placed.added
    for (const id of placed.listed) listed.push(id)
    for (const reason of placed.refused) refuse(reason)
    for (const one of placed.forgotten) {
      if (returning.length < MAX_RETURNING) returning.push(one)
      else refuse('silent')
    }
  }

  let batch: Find[] = []
  for await (const find of source.found(signal)) {
    signal.throwIfAborted()
    if (result.found === source.maxServers) break
    result.found++
    batch.push(find)
    if (batch.length < BATCH) continue
    await place(batch)
    batch = []
  }
  if (batch.length) await place(batch)
  const answers = await Promise.all(
    returning.map(async ({ id, server }) => {
      const { game, host: ipAddress, gamePort, queryPort } = server
      const outcome = await ask({ game, ipAddress, gamePort, queryPort, isOnline: false }, signal)
      return { id, answered: outcome.answered }
    }),
  )
  for (const { answered } of answers) if (!answered) refuse('silent')
  const back = answers.filter(({ answered }) => answered).map(({ id }) => id)
  result.returned = preview ? back.length : await returnServers(pool, back, source.name)
  result.missing = result.found
    ? Math.max(0, (await countMissing(pool, source.name, listed)) - result.added - result.returned)
    : 0
  return result
}

const keyOf = ({ address, queryPort }: FoundServer) => `${address} ${queryPort}`
