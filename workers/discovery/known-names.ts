// Where DNS names of listings and blocks lead now: a found server has an address, and may be listed or blocked by a name.
import pLimit from 'p-limit'
import { type FoundServer, findBlockedHosts, findNamedListings } from '../../src/features/discovery/index.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import type { ResolveTarget } from '../polling/target-address.ts'

/** Listings by name, and blocked names, that are resolved. */
const MAX_NAMED = 5_000
/** The resolver has its own bound; this one bounds the promises. */
const RESOLVED_AT_ONCE = 200

export interface KnownNames {
  /** Ids of listings by a name that leads to the server's address, with its query port, or its game and game port. */
  namedAt(server: FoundServer): string[]
  isAtBlockedHost(server: FoundServer): boolean
}

export type AddressOf = (host: string) => Promise<string>

/** @returns resolves a name to an address; throws a TargetError */
export function createAddressOf(resolve: ResolveTarget): AddressOf {
  const limit = pLimit(RESOLVED_AT_ONCE)
  return (host) => limit(async () => (await resolve({ host })).address)
}

/** Names that lead nowhere now are left out. */
export async function resolveKnownNames(
  pool: Pool,
  addressOf: AddressOf,
  games: readonly string[],
): Promise<KnownNames> {
  const byAddress = async <Named extends { host: string }>(all: readonly Named[]) => {
    const resolved = await Promise.all(
      all.map(async (one) => ({ ...one, address: await addressOf(one.host).catch(() => undefined) })),
    )
    return Map.groupBy(
      resolved.filter(({ address }) => address !== undefined),
      ({ address }) => address,
    )
  }
  const listings = await byAddress(await findNamedListings(pool, games, MAX_NAMED))
  const blocks = await byAddress(await findBlockedHosts(pool, MAX_NAMED))
  return {
    namedAt: ({ game, address, gamePort, queryPort }) =>
      (listings.get(address) ?? [])
        .filter((one) => one.queryPort === queryPort || (one.game === game && one.gamePort === gamePort))
        .map(({ id }) => id),
    isAtBlockedHost: ({ address, gamePort, queryPort }) =>
      (blocks.get(address) ?? []).some(({ port }) => port === null || port === gamePort || port === queryPort),
  }
}
