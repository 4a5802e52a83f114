// SQL, because a batch of found servers is compared with the listings, the removed ones and the
// blocks in one statement.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { asInet, isIpAddress } from './address.sql.ts'

/** What a source found, with the address that its name led to. */
export interface FoundServer {
  /** gamedig type id. */
  game: string
  /** Empty: unknown. */
  name: string
  /** The host as players type it: an IP address, or a name in the form of `normalizeAddress`. */
  host: string
  /** The IP address that the host is or leads to. */
  address: string
  gamePort: number
  queryPort: number
}

/** How a found server is known. */
export interface Known {
  /**
   * Listed servers with this address and query port, or this address, game and game port: those that their owners have
   * proven here or an operator added, then unclaimed ones, then those that accounts have not proven here, each the
   * oldest first.
   */
  listed: string[]
  isBlocked: boolean
  /** A person removed the server that was listed here. */
  isRemoved: boolean
  /** The server that was listed here until it stopped answering. */
  forgotten: string | null
  /** Unclaimed servers that are listed by this address, not by a name that leads to it. */
  atAddress: number
}

/**
 * Holds off new blocks until the transaction ends, so that no server is listed past one. Runs do not
 * wait for each other.
 */
export const lockBlocks = (db: Db) => db.query('lock table discovery_blocks in share mode')

/** SQL of the LIKE pattern for a pattern in which `*` is any text, and everything else is literal. */
const likePattern = (pattern: string) =>
  `'%' || replace(regexp_replace(${pattern}, '([\\\\%_])', '\\\\\\1', 'g'), '*', '%') || '%'`

/**
 * SQL: an opt-out of a listing by a DNS name: of the name, and of the address that was proven. It does not follow the
 * name, which its owner may lead to the server of another.
 */
const IS_OPT_OUT_OF_NAME = '(block.is_opt_out and block.network is not null and block.host is not null)'

/**
 * The statement needs a table `led` of the names that blocks have, and of the addresses that these lead to.
 * @param alias of a row with `host`, `game`, `name`, `game_port`, `query_port` and `address`, an inet
 */
const isBlockOf = (alias: string) => `case when ${IS_OPT_OUT_OF_NAME}
      then block.network >>= ${alias}.address or block.host = ${alias}.host
      else (block.network is null or block.network >>= ${alias}.address)
        and (block.host is null or block.host = ${alias}.host
          or (block.host, ${alias}.address) in (select host, address from led)) end
    and (block.port is null or block.port in (${alias}.game_port, ${alias}.query_port))
    and (block.game is null or block.game = ${alias}.game)
    and (block.name_pattern is null or ${alias}.name ilike ${likePattern('block.name_pattern')})`

/** SQL: a block of one address, such as an opt-out. */
const IS_OF_ONE_ADDRESS = `coalesce(masklen(block.network) = case family(block.network) when 4 then 32 else 128 end, false)`

/**
 * Whether a listing with another query port counts as the server at its game port. Any account can list any port, and
 * without a proof nothing says that the server is there.
 */
const COUNTS_AT_GAME_PORT = '(is_verified or owner_id is null or hidden_at is not null)'

/**
 * SQL: the name of a listing leads to another address than the one that its owner has proven. It then counts as one
 * without proof, because who has a name may lead it to the server of another.
 */
const HAS_LEFT_PROOF = 'coalesce(servers.proven_address <> host(given.address), false)'

/**
 * @param listedNames listings by name whose address is that of a found server, as pairs of its index in `found` and the
 * id; those that were removed since they were read count as removed
 * @param blockedNames where the DNS names of blocks lead
 */
export async function findKnown(
  db: Db,
  found: readonly FoundServer[],
  listedNames: readonly { index: number; id: string }[],
  blockedNames: ResolvedNames['blocks'],
): Promise<Known[]> {
  const { rows } = await db.query<Known>({
    name: 'discovery-known',
    text: `
      with given as (
        select ordinality - 1 as index, game, name, host, address, game_port, query_port
        from rows from (json_to_recordset($1)
          as (game text, name text, host text, address inet, "gamePort" integer, "queryPort" integer)) with ordinality
          as given (game, name, host, address, game_port, query_port, ordinality)),
      named as (select * from unnest($2::integer[], $3::uuid[]) as named (index, id)),
      led as (select * from unnest($4::text[], $5::inet[]) as led (host, address))
      select
        array(
          select id
          from (
            select id, owner_id, is_verified, source, created_at, false as has_left_proof from servers
            where deleted_at is null and ip_address in (host, host(address))
              and (servers.query_port = given.query_port
                or (servers.game = given.game and servers.game_port = given.game_port and ${COUNTS_AT_GAME_PORT}))
            -- not in one condition with the above, which would read all servers for each that was found
            union
            select servers.id, owner_id, is_verified, source, created_at, ${HAS_LEFT_PROOF} from named
            join servers on servers.id = named.id
            where named.index = given.index and deleted_at is null and ip_address <> host
              and (servers.query_port = given.query_port or ${COUNTS_AT_GAME_PORT} and not ${HAS_LEFT_PROOF})) as same
          order by has_left_proof or owner_id is not null and not is_verified, owner_id is null and source is not null, created_at, id) as listed,
        exists (select from discovery_blocks as block where ${isBlockOf('given')}) as "isBlocked",
        exists (
          select from servers
          where deleted_at is not null and forgotten_at is null
            and ip_address in (host, host(address)) and servers.query_port = given.query_port)
          or exists (
            select from named
            join servers on servers.id = named.id
            where named.index = given.index and deleted_at is not null and forgotten_at is null
              and servers.query_port = given.query_port and not ${HAS_LEFT_PROOF}) as "isRemoved",
        (select id from servers
          where deleted_at is not null and forgotten_at is not null and source is not null and owner_id is null
            and ip_address in (host, host(address)) and servers.query_port = given.query_port and servers.game = given.game
          order by forgotten_at desc limit 1) as forgotten,
        (select count(*)::integer from servers
          where deleted_at is null and source is not null and owner_id is null and ip_address = host(address)) as "atAddress"
      from given
      order by index`,
    values: [
      JSON.stringify(found),
      listedNames.map(({ index }) => index),
      listedNames.map(({ id }) => id),
      blockedNames.map(({ host }) => host),
      blockedNames.map(({ address }) => address),
    ],
  })
  return rows
}

/** Smaller ones are not counted. */
const MIN_COUNTED = 100

/** @returns how many unclaimed servers are listed by their address in each network that has many, by `networkOf` */
export async function countByNetwork(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ network: string; count: number }>(
    `select network(set_masklen(address, case family(address) when 4 then 24 else 48 end))::text as network,
       count(*)::integer
     from (
       select ${asInet('ip_address')} as address
       from servers
       where source is not null and owner_id is null and deleted_at is null) as listing
     where address is not null
     group by 1
     having count(*) >= $1`,
    [MIN_COUNTED],
  )
  return new Map(rows.map(({ network, count }) => [network, count]))
}

export interface NamedListing {
  id: string
  game: string
  host: string
  gamePort: number
  /** With `game`: whether the service of the game's client decides where the name leads. */
  gamePortGiven: boolean
  queryPort: number
  isUnclaimed: boolean
  /** Whether a person removed it. */
  isRemoved: boolean
  /** The IP address that showed its owner's token; null: not known. */
  provenAddress: string | null
}

/** Listings of these games by a DNS name, and those that a person removed; the last removed come last. */
export async function findNamedListings(db: Db, games: readonly string[], limit: number): Promise<NamedListing[]> {
  const { rows } = await db.query<NamedListing>(
    `select id, game, ip_address as host, game_port as "gamePort", game_port_given as "gamePortGiven", query_port as "queryPort",
       source is not null and owner_id is null as "isUnclaimed", deleted_at is not null as "isRemoved",
       proven_address as "provenAddress"
     from servers
     where game = any($1) and (deleted_at is null or forgotten_at is null) and not ${isIpAddress('ip_address')}
     order by deleted_at desc nulls first, id
     limit $2`,
    [games, limit],
  )
  return rows
}

/** Unclaimed listings by a DNS name, at random if there are more, and none while no block is of an address. */
export async function findUnclaimedNames(db: Db, limit: number): Promise<{ id: string; host: string }[]> {
  const { rows } = await db.query<{ id: string; host: string }>(
    `select id, ip_address as host from servers
     where source is not null and owner_id is null and deleted_at is null and hidden_at is null
       and not ${isIpAddress('ip_address')}
       and exists (select from discovery_blocks where network is not null or host is not null)
     order by random()
     limit $1`,
    [limit],
  )
  return rows
}

/** Where DNS names lead. */
export interface ResolvedNames {
  listings: readonly { id: string; address: string }[]
  /** Those of blocks. */
  blocks: readonly { host: string; address: string }[]
}

export const NO_NAMES: ResolvedNames = { listings: [], blocks: [] }

/**
 * Unclaimed listings that a block forbids by their address, game or current name. Only networks, games and patterns of
 * names are compared with each listing: there may be thousands of opt-outs, which are of one address or DNS name.
 * @param options.names without any, a DNS name is compared with the names of blocks only
 * @param options.blockId null: of any block
 * @param options.limit null: all
 */
export async function findBlockedListings(
  db: Db,
  { names, blockId, limit }: { names: ResolvedNames; blockId: string | null; limit: number | null },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    namedParameters({
      text: `
        with named as (select * from unnest($ids::uuid[], $addresses::inet[]) as named (id, address)),
        led as (select * from unnest($blockedHosts::text[], $blockedAddresses::inet[]) as led (host, address)),
        block as materialized (select * from discovery_blocks where $blockId::uuid is null or id = $blockId),
        wide as materialized (select * from block where host is null and not ${IS_OF_ONE_ADDRESS}),
        listing as materialized (
          select id, game, name, ip_address as host, game_port, query_port, coalesce(named.address, ${asInet('ip_address')}) as address
          from servers
          left join named using (id)
          where source is not null and owner_id is null and deleted_at is null and hidden_at is null)
        select listing.id from listing
        join block on block.network::inet = listing.address
        where ${isBlockOf('listing')}
        union
        select listing.id from listing
        join block on block.host = listing.host
        where ${isBlockOf('listing')}
        union
        select listing.id from listing
        join led on led.address = listing.address
        join block on block.host = led.host
        where ${isBlockOf('listing')}
        union
        select listing.id from listing
        cross join wide as block
        where ${isBlockOf('listing')}
        limit $limit`,
      values: {
        ids: names.listings.map(({ id }) => id),
        addresses: names.listings.map(({ address }) => address),
        blockedHosts: names.blocks.map(({ host }) => host),
        blockedAddresses: names.blocks.map(({ address }) => address),
        blockId,
        limit,
      },
    }),
  )
  return rows.map(({ id }) => id)
}

/**
 * Unclaimed listings without an answer for `days`. Only those that polls still ask: a worker that was stopped for that
 * long says nothing about the servers.
 */
export async function findSilentListings(db: Db, { days, limit }: { days: number; limit: number }): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from servers
     join server_status on server_id = id
     where source is not null and owner_id is null and deleted_at is null and hidden_at is null
       and updated_at < now() - make_interval(days => $1) and consecutive_failures >= 3
       and last_polled_at > now() - interval '1 day'
       and (last_online_at is null or last_online_at < now() - make_interval(days => $1))
     limit $2`,
    [days, limit],
  )
  return rows.map(({ id }) => id)
}

/** DNS names of blocks that follow them: the addresses to which they lead are blocked too. */
export async function findBlockedHosts(db: Db, limit: number): Promise<{ host: string }[]> {
  const { rows } = await db.query<{ host: string }>(
    `select coalesce(host, '') as host from discovery_blocks as block
     where host is not null and not ${IS_OPT_OUT_OF_NAME} order by id limit $1`,
    [limit],
  )
  return rows
}
