// Where DNS names of listings and blocks lead now: a found server has an address, and may be listed or blocked by a
// name.
import pLimit from 'p-limit'
import {
  countByNetwork,
  findBlockedHosts,
  findNamedListings,
  findUnclaimedNames,
  type PlaceOptions,
  type Refusal,
  type ResolvedNames,
} from '../../src/features/discovery/index.ts'
import { srvServiceOf } from '../../src/features/games/index.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { networkOf } from '../../src/platform/network.ts'
import { type ResolveTarget, TargetError } from '../polling/target-address.ts'

/** Listings by name that are resolved, and blocked names. */
const MAX_NAMED = 5_000
/** The resolver has its own bound; this one bounds the promises. */
const RESOLVED_AT_ONCE = 200

/** Matches found servers by the addresses that names lead to, and by query port, or by game and game port. */
export type KnownNames = Pick<PlaceOptions, 'namedAt' | 'isRemovedAt' | 'blockedNames' | 'atNames' | 'atNetwork'>

/** @param srvService of the game's client (`srvServiceOf`) */
export type AddressOf = (host: string, srvService?: string) => Promise<string>

/** @returns resolves a name to an address; throws a TargetError */
export function createAddressOf(resolve: ResolveTarget): AddressOf {
  const limit = pLimit(RESOLVED_AT_ONCE)
  return (host, srvService) => limit(async () => (await resolve({ host, srvService })).address)
}

/** Why a server whose address can't be found is not listed. @throws what is not a TargetError */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof TargetError) return error.reason === 'refused' ? 'private' : 'unresolved'
  throw error
}

/** Names that lead nowhere now are left out. */
export async function resolveKnownNames(
  pool: Pool,
  addressOf: AddressOf,
  games: readonly string[],
): Promise<KnownNames> {
  const named = (await findNamedListings(pool, games, MAX_NAMED)).map((listing) => ({
    ...listing,
    srvService: srvServiceOf(listing),
  }))
  const listings = groupByAddress(await resolveAll(addressOf, named))
  const blockedNames = await resolveAll(addressOf, await findBlockedHosts(pool, MAX_NAMED))
  const listedAt = (address: string) => (listings.get(address) ?? []).filter(({ isRemoved }) => !isRemoved)
  const atNames = new Map(
    [...listings.keys()].map((address) => [address, listedAt(address).filter(({ isUnclaimed }) => isUnclaimed).length]),
  )
  const atNetwork = await countByNetwork(pool)
  for (const [address, count] of atNames)
    atNetwork.set(networkOf(address), (atNetwork.get(networkOf(address)) ?? 0) + count)
  return {
    blockedNames,
    atNames,
    atNetwork,
    namedAt: ({ game, address, gamePort, queryPort }) =>
      listedAt(address)
        .filter((one) => one.queryPort === queryPort || (one.game === game && one.gamePort === gamePort))
        .map(({ id }) => id),
    isRemovedAt: ({ address, queryPort }) =>
      (listings.get(address) ?? []).some(
        (one) => one.isRemoved && one.queryPort === queryPort && (one.provenAddress ?? address) === address,
      ),
  }
}

/** Where names of unclaimed listings and of blocks lead, as far as a block may be of an address. */
export async function resolveNamesForBlocks(pool: Pool, addressOf: AddressOf): Promise<ResolvedNames> {
  return {
    listings: await resolveAll(addressOf, await findUnclaimedNames(pool, MAX_NAMED)),
    blocks: await resolveAll(addressOf, await findBlockedHosts(pool, MAX_NAMED)),
  }
}

async function resolveAll<Named extends { host: string; srvService?: string | undefined }>(
  addressOf: AddressOf,
  all: readonly Named[],
) {
  const resolved = await Promise.all(
    all.map((one) =>
      addressOf(one.host, one.srvService).then(
        (address) => [{ ...one, address }],
        () => [],
      ),
    ),
  )
  return resolved.flat()
}

const groupByAddress = <Resolved extends { address: string }>(all: readonly Resolved[]) =>
  Map.groupBy(all, ({ address }) => address)
