// One run of a source: resolves what it finds, and lists what is new in batches.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../src/deps.ts'
import {
  countListingsNotFound,
  type FoundServer,
  type ListingOutcome,
  listFoundServers,
  previewFoundServers,
  type Refusal,
  type RunResult,
  relistAnsweringServers,
} from '../../src/features/discovery/index.ts'
import { usualQueryPort } from '../../src/features/games/index.ts'
import { normalizeAddress } from '../../src/features/servers/index.ts'
import type { AskServer } from '../polling/query.ts'
import type { ResolveTarget } from '../polling/target-address.ts'
import { type AddressOf, createAddressOf, refusalOf, resolveKnownNames } from './known-names.ts'
import { createRandomSample } from './random-sample.ts'
import type { Find, Source } from './source.ts'

/** Servers of one transaction. */
const BATCH = 500
/**
 * The same while servers are new. API processes add 30 of them in a millisecond, and answer no
 * request during that time.
 */
const NEW_BATCH = 100
/** Pause after each batch of new servers, so that requests and polls can run. */
const PAUSE_MS = 100
/** Forgotten servers that are asked whether they are back, in one run. */
const MAX_RETURNING = 200

export interface RunOptions extends Pick<Deps, 'pool'> {
  resolve: ResolveTarget
  ask: AskServer
  /** When the first polls of what a run lists are due, at random. */
  pollWithinSeconds: number
  /** Called for each new server. With it, nothing is written. */
  preview?: (server: { game: string; ipAddress: string; gamePort: number; queryPort: number; name: string }) => void
}

/** @param signal aborted: the run throws at its next server */
export async function runSource(
  source: Source,
  { pool, resolve, ask, pollWithinSeconds, preview }: RunOptions,
  signal: AbortSignal,
): Promise<RunResult> {
  const addressOf = createAddressOf(resolve)
  const names = await resolveKnownNames(pool, addressOf, source.games)
  const options = { ...names, source: source.name, pollWithinSeconds }
  const seen = new Set<string>()
  const listed: string[] = []
  // A random sample: otherwise each run would ask the same first forgotten servers of a long list, and no others.
  const returning = createRandomSample<ListingOutcome['forgotten'][number]>(MAX_RETURNING)
  const result: RunResult = { found: 0, added: 0, returned: 0, missing: 0, refused: {} }
  const refuse = (reason: Refusal, count = 1) => {
    if (count) result.refused[reason] = (result.refused[reason] ?? 0) + count
  }

  async function previewNew(servers: FoundServer[], show: NonNullable<typeof preview>): Promise<ListingOutcome> {
    const { rows, ...placed } = await previewFoundServers(pool, servers, options)
    rows.forEach(show)
    return placed
  }

  /** @returns whether any was new */
  async function place(finds: readonly Find[]): Promise<boolean> {
    const servers: FoundServer[] = []
    for (const server of await Promise.all(finds.map((find) => resolveFind(addressOf, find)))) {
      if (typeof server === 'string') refuse(server)
      else if (seen.has(keyOf(server))) refuse('repeated')
      else {
        seen.add(keyOf(server))
        servers.push(server)
      }
    }
    const placed = await (preview ? previewNew(servers, preview) : listFoundServers(pool, servers, options))
    result.added += placed.added
    for (const id of placed.listed) listed.push(id)
    for (const reason of placed.refused) refuse(reason)
    for (const one of placed.forgotten) returning.add(one)
    return placed.added > 0
  }

  let batch: Find[] = []
  let batchSize = BATCH
  for await (const find of source.found(signal)) {
    signal.throwIfAborted()
    if (result.found === source.maxServers) break
    result.found++
    batch.push(find)
    if (batch.length < batchSize) continue
    const hasNew = await place(batch)
    batch = []
    batchSize = hasNew ? NEW_BATCH : BATCH
    if (hasNew) await sleep(PAUSE_MS)
  }
  if (batch.length) await place(batch)
  const forgotten = returning.items.map(({ server }) => server)
  const back = await findAnswering(ask, forgotten, signal)
  refuse('silent', returning.added - back.length)
  result.returned = preview ? back.length : await relistAnsweringServers(pool, back, options)
  const notFound = await countListingsNotFound(pool, source.name, listed)
  result.missing = Math.max(0, notFound - result.added - result.returned)
  return result
}

/** @returns the server, or why it is not listed */
async function resolveFind(addressOf: AddressOf, find: Find): Promise<FoundServer | Refusal> {
  const { game, gamePort, name } = find
  const host = normalizeAddress(find.host)
  if (host === undefined) return 'invalid'
  const queryPort = find.queryPort ?? usualQueryPort(game, gamePort)
  if (queryPort < 1 || queryPort > 65_535) return 'invalid'
  try {
    return { game, name, host, address: await addressOf(host), gamePort, queryPort }
  } catch (error) {
    return refusalOf(error)
  }
}

async function findAnswering(ask: AskServer, servers: FoundServer[], signal: AbortSignal): Promise<FoundServer[]> {
  const outcomes = await Promise.all(
    servers.map(({ game, host: ipAddress, gamePort, queryPort }) =>
      ask({ game, ipAddress, gamePort, queryPort, isOnline: false }, signal),
    ),
  )
  return servers.filter((_, n) => outcomes[n]?.answered)
}

const keyOf = ({ address, queryPort }: FoundServer) => `${address} ${queryPort}`
