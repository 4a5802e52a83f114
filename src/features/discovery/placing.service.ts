// Lists what sources find: each server once, and none that a person removed or blocked.
import { isUniqueViolation } from '../../platform/db/pg-errors.ts'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { networkOf } from '../../platform/network.ts'
import { withPort } from '../../platform/public-address.ts'
import { retryOn } from '../../platform/retry.ts'
import {
  forgetServers,
  insertServers,
  type ListingRow,
  notifyDirectory,
  relistServers,
  toListingRow,
} from '../servers/index.ts'
import { type FoundServer, findKnown, type Known, lockBlocks, type ResolvedNames } from './placing.sql.ts'

/**
 * Why a found server is not listed:
 * - `unresolved`, `private`: its name leads nowhere, or not to the internet.
 * - `invalid`: no game server has such an address.
 * - `blocked`, `removed`: by people.
 * - `crowded`: its address or network has many listings already.
 * - `repeated`: the source has it twice.
 * - `silent`: it was forgotten or announced, and does not answer.
 * - `foreign`: it was announced by a name that does not lead to the sender.
 */
export type Refusal =
  | 'unresolved'
  | 'private'
  | 'invalid'
  | 'blocked'
  | 'removed'
  | 'crowded'
  | 'repeated'
  | 'silent'
  | 'foreign'

/** Per IP address: large hosts have dozens of servers on one. */
const MAX_AT_ADDRESS = 200
/** Per network: at a poll a minute, 33 small datagrams a second. */
const MAX_AT_NETWORK = 2_000

export interface ListingOutcome {
  added: number
  /** Listed already, by a source or by a person. */
  listed: string[]
  refused: Refusal[]
  /** Forgotten ones, which return once they answer a query. */
  forgotten: { id: string; server: FoundServer }[]
}

export interface PlaceOptions {
  source: string
  /** Ids of listings by a DNS name, by the IP address that the name leads to. */
  namedAt: (server: FoundServer) => readonly string[]
  /** Whether a person removed a listing by a DNS name that leads to this address. */
  isRemovedAt: (server: FoundServer) => boolean
  /** Where the DNS names of blocks lead. */
  blockedNames: ResolvedNames['blocks']
  /** How many unclaimed servers are listed by names that lead to an address; counts those that are added. */
  atNames: Map<string, number>
  /** How many unclaimed servers each network has, also by names; counts those that are added. */
  atNetwork: Map<string, number>
  /** When the first polls are due, at random; 0: at once. */
  pollWithinSeconds: number
}

/**
 * Lists those of a batch that are new. Two listings are of one server if they have the same IP address, also by a
 * name, and the same query port, or the same game and game port. Of such listings one that is proven or an operator's
 * stays, else the oldest unclaimed one; other unclaimed ones are forgotten. A listing that its account has not proven
 * makes none superfluous, or any account could remove servers of others. The unique index on address and query port
 * decides between runs.
 */
export function listFoundServers(
  pool: Pool,
  found: readonly FoundServer[],
  options: PlaceOptions,
): Promise<ListingOutcome> {
  return inTransaction(pool, async (tx) => {
    await lockBlocks(tx)
    const { placed, rows, surplus } = await compare(tx, found, options)
    const inserted = await insertServers(tx, rows, options)
    const forgotten = await forgetServers(tx, surplus)
    placed.added = inserted.size
    if (inserted.size || forgotten.length) await notifyDirectory(tx)
    return placed
  })
}

/** What `listFoundServers` would do, without writing. @returns with the listings that it would add */
export async function previewFoundServers(
  db: Db,
  found: readonly FoundServer[],
  options: PlaceOptions,
): Promise<ListingOutcome & { rows: ListingRow[] }> {
  const { placed, rows } = await compare(db, found, options)
  return { ...placed, added: rows.length, rows }
}

/** @returns the new listings, and those that another listing of the same server makes superfluous */
async function compare(
  db: Db,
  found: readonly FoundServer[],
  { source, namedAt, isRemovedAt, blockedNames, atNames, atNetwork }: PlaceOptions,
): Promise<{ placed: ListingOutcome; rows: ListingRow[]; surplus: string[] }> {
  const listedNames = found.flatMap((server, index) => namedAt(server).map((id) => ({ index, id })))
  const known = await findKnown(db, found, listedNames, blockedNames)
  const placed: ListingOutcome = { added: 0, listed: [], refused: [], forgotten: [] }
  const surplus: string[] = []
  const rows: ListingRow[] = []
  const crowds = createCrowds({ atNames, atNetwork })
  for (const [index, server] of found.entries()) {
    const state = known[index]
    if (!state) throw new Error('a found server was not compared with the listings')
    const [kept, ...others] = state.listed
    // What a block forbids is removed by the upkeep: a block of the name that was found may not be one of the address.
    if (!state.isBlocked) surplus.push(...others)
    const isRemoved = state.isRemoved || isRemovedAt(server)
    const isCrowded = crowds.isFull(server.address, state.atAddress)
    const refusal = findRefusal({ ...state, isRemoved, isCrowded })
    if (refusal) placed.refused.push(refusal)
    else if (kept !== undefined) placed.listed.push(kept)
    else if (state.forgotten !== null) placed.forgotten.push({ id: state.forgotten, server })
    else {
      const row = toRow(server, source)
      if (!row) {
        placed.refused.push('invalid')
        continue
      }
      rows.push(row)
      crowds.add(server)
    }
  }
  return { placed, rows, surplus }
}

/** Counts the unclaimed servers at each address and in each network, with those that a batch adds. */
function createCrowds({ atNames, atNetwork }: Pick<PlaceOptions, 'atNames' | 'atNetwork'>) {
  /** Added by the address itself, not by a name that leads to it. */
  const addedAt = new Map<string, number>()
  return {
    /** @param atAddress how many were listed by the address itself before the batch */
    isFull(address: string, atAddress: number): boolean {
      const all = atAddress + countIn(addedAt, address) + countIn(atNames, address)
      return all >= MAX_AT_ADDRESS || countIn(atNetwork, networkOf(address)) >= MAX_AT_NETWORK
    },
    add({ host, address }: FoundServer): void {
      addOne(host === address ? addedAt : atNames, address)
      addOne(atNetwork, networkOf(address))
    },
  }
}

const countIn = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0

const addOne = (counts: Map<string, number>, key: string) => counts.set(key, countIn(counts, key) + 1)

function findRefusal({ isBlocked, isRemoved, isCrowded, listed }: Known & { isCrowded: boolean }): Refusal | undefined {
  if (isBlocked) return 'blocked'
  if (listed.length) return undefined
  if (isRemoved) return 'removed'
  return isCrowded ? 'crowded' : undefined
}

/** Polls set the name to the one that the server reports. */
function toRow({ game, name, host, gamePort, queryPort }: FoundServer, source: string): ListingRow | undefined {
  const listing = { game, ipAddress: host, gamePort, queryPort, nameFromServer: true }
  const named = toListingRow({ ...listing, name }, game)
  const row = named instanceof ApiError ? toListingRow({ ...listing, name: withPort(host, gamePort) }, game) : named
  return row instanceof ApiError ? undefined : { ...row, source }
}

/** Each follows a listing that was added in the moment before, by an account or another source. */
const RELIST_TRIES = 5

/**
 * Lists forgotten servers that answered again. Compares them once more, because they may have been blocked,
 * removed or listed since; and again if one of them is listed at the same moment.
 * @returns how many
 */
export function relistAnsweringServers(
  pool: Pool,
  answering: readonly FoundServer[],
  options: PlaceOptions,
): Promise<number> {
  const relist = () =>
    inTransaction(pool, async (tx) => {
      await lockBlocks(tx)
      const { placed } = await compare(tx, answering, options)
      const ids = placed.forgotten.map(({ id }) => id)
      const relisted = await relistServers(tx, ids, options.source)
      if (relisted.length) await notifyDirectory(tx)
      return relisted.length
    })
  return retryOn(isUniqueViolation, relist, { tries: RELIST_TRIES, pauseMs: () => 0 })
}
