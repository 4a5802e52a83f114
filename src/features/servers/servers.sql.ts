// SQL, because each statement writes sets of rows in several tables.
import { foldSql } from '../../platform/db/fold-sql.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { fold } from '../../platform/fold-text.ts'
import { addressOf } from './address.ts'
import type { NewServer } from './listing-fields.ts'

/** A listing as stored, with all defaults applied. */
export type ListingRow = Omit<
  NewServer,
  'game' | 'gamePort' | 'queryPort' | 'bedrockPort' | 'gameMode' | 'lastWipeAt'
> & {
  id: string
  /** Null until a user claims the server. */
  ownerId: string | null
  game: string
  gamePort: number
  /** False: the owner left the port out, so SRV records decide it, else it is the game's usual one. */
  gamePortGiven: boolean
  queryPort: number
  bedrockPort: number | null
  gameMode: string | null
  lastWipeAt: Date | null
  /** The source that found it; null: added by its owner or by command. */
  source: string | null
}

/** A server that was not removed; it may be hidden or unverified. */
export interface ListingSummary {
  id: string
  name: string
  game: string
  ipAddress: string
  gamePort: number
  queryPort: number
  isHidden: boolean
  isOnline: boolean
  currentPlayers: number
  maxPlayers: number
  map: string
}

/** A server that goes from one account to another. */
export interface Transfer {
  serverId: string
  from: string
  to: string
}

/** The channel of `notifyDirectory`. */
export const DIRECTORY_CHANGED = 'directory_changed'

/** Notifies every API process of the changes in the caller's transaction, after its commit. */
export async function notifyDirectory(db: Sql): Promise<void> {
  await db.query(`select pg_notify('${DIRECTORY_CHANGED}', '')`)
}

/**
 * Lists servers, each with its status, counters, uptime and a first poll. Skips those whose address and query port are
 * listed. The picture at a `bannerUrl` waits for the upkeep of faces, which downloads some an hour.
 * @param options.pollWithinSeconds when the first polls are due, at random; 0: at once
 * @returns ids of the rows that were inserted
 */
export async function insertServers(
  db: Db,
  rows: readonly ListingRow[],
  { pollWithinSeconds = 0 } = {},
): Promise<Set<string>> {
  const { rows: inserted } = await db.query<{ id: string }>({
    name: 'servers-insert',
    // The foreign keys of the other inserts are checked at the end of the statement, when the listing exists.
    text: `
      with listing as (
        insert into servers (id, owner_id, game, name, description, ip_address, game_port, game_port_given, query_port,
          bedrock_address, bedrock_port, name_from_server, game_mode, region, tags, website, chat_url, banner_url, rates,
          mods, last_wipe_at, source)
        select id, "ownerId", game, name, description, "ipAddress", "gamePort", "gamePortGiven", "queryPort",
          "bedrockAddress", "bedrockPort", "nameFromServer", "gameMode", region, tags, website, "chatUrl", "bannerUrl",
          rates, mods, "lastWipeAt", source
        from json_to_recordset($1) as given (id uuid, "ownerId" uuid, game text, name text, description text,
          "ipAddress" text, "gamePort" integer, "gamePortGiven" boolean, "queryPort" integer, "bedrockAddress" text,
          "bedrockPort" integer, "nameFromServer" boolean, "gameMode" text, region text, tags text[], website text,
          "chatUrl" text, "bannerUrl" text, rates text, mods text, "lastWipeAt" timestamptz, source text)
        on conflict (ip_address, query_port) where deleted_at is null do nothing
        returning id, banner_url),
      banner as (
        insert into server_faces (server_id, kind, state, source)
        select id, 'banner', 'none', 'url' from listing where banner_url <> ''),
      status as (insert into server_status (server_id) select id from listing),
      counters as (
        insert into server_counters (server_id, votes_month)
        select id, date_trunc('month', now() at time zone 'utc')::date from listing),
      uptime as (insert into server_uptime (server_id) select id from listing),
      poll as (
        insert into server_polls (server_id, next_poll_at)
        select id, now() + make_interval(secs => $2::float8 * random()) from listing)
      select id from listing`,
    // Rows are in address order to avoid deadlocks.
    values: [JSON.stringify(rows.toSorted(byAddress)), pollWithinSeconds],
  })
  return new Set(inserted.map((row) => row.id))
}

const byAddress = (a: ListingRow, b: ListingRow) =>
  a.ipAddress === b.ipAddress ? a.queryPort - b.queryPort : a.ipAddress < b.ipAddress ? -1 : 1

/** The server that has an address and query port. */
export interface AddressHolder {
  id: string
  /** Whether an administrator has hidden it: then visitors must not learn its id or whether it is verified. */
  isHidden: boolean
}

/** @returns the servers, also hidden ones, that have these addresses, by `addressOf` */
export async function findAtAddresses(
  db: Db,
  addresses: Pick<ListingRow, 'ipAddress' | 'queryPort'>[],
): Promise<Map<string, AddressHolder>> {
  const { rows } = await db.query<Pick<ListingRow, 'ipAddress' | 'queryPort'> & AddressHolder>({
    name: 'servers-find-at-addresses',
    text: `
      select id, ip_address as "ipAddress", query_port as "queryPort", hidden_at is not null as "isHidden"
      from servers
      join unnest($1::text[], $2::integer[]) as wanted (ip_address, query_port) using (ip_address, query_port)
      where deleted_at is null`,
    values: [addresses.map(({ ipAddress }) => ipAddress), addresses.map(({ queryPort }) => queryPort)],
  })
  return new Map(rows.map(({ id, isHidden, ...address }) => [addressOf(address), { id, isHidden }]))
}

/** How long an address stays taken by a hidden listing that was removed. */
export const HIDDEN_ADDRESS_DAYS = 90

/** Whether an address had a hidden listing: its owner could undo the hiding by removing it and listing it again. */
export async function isHiddenAddress(
  db: Db,
  { ipAddress, queryPort }: Pick<ListingRow, 'ipAddress' | 'queryPort'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from servers
     where ip_address = $1 and query_port = $2 and hidden_at is not null
       and deleted_at > now() - interval '${HIDDEN_ADDRESS_DAYS} days'`,
    [ipAddress, queryPort],
  )
  return (rowCount ?? 0) > 0
}

export type GameAddressMatch = Pick<ListingRow, 'id' | 'game' | 'queryPort'>

/**
 * @returns the server that players join at an address; undefined if there are several, as behind one
 * proxy, or it is hidden
 */
export async function findPlayedAt(
  db: Db,
  { ipAddress, gamePort }: Pick<ListingRow, 'ipAddress' | 'gamePort'>,
): Promise<GameAddressMatch | undefined> {
  const { rows } = await db.query<GameAddressMatch>({
    name: 'servers-find-played-at',
    text: `
      select id, game, query_port as "queryPort"
      from servers
      where ip_address = $1 and game_port = $2 and deleted_at is null and hidden_at is null
      limit 2`,
    values: [ipAddress, gamePort],
  })
  return rows.length === 1 ? rows[0] : undefined
}

/**
 * One page of the servers that were not removed, oldest first.
 * @param search text contained in the name or address; case and accents do not count; empty: all
 * @param after id of the last server of the previous page
 */
export async function findServers(
  db: Db,
  { search, after, limit }: { search: string; after: string | null; limit: number },
): Promise<ListingSummary[]> {
  const { rows } = await db.query<ListingSummary>({
    name: 'servers-find',
    text: `
      select id, name, game, ip_address as "ipAddress", game_port as "gamePort", query_port as "queryPort",
        hidden_at is not null as "isHidden", is_online as "isOnline", current_players as "currentPlayers",
        max_players as "maxPlayers", map
      from servers
      join server_status on server_id = id
      where deleted_at is null and ($2::uuid is null or id > $2)
        and ($1 = '' or strpos(${foldSql('name')}, $1) > 0 or strpos(ip_address, $1) > 0)
      order by id
      limit $3`,
    values: [fold(search), after, limit],
  })
  return rows
}

/**
 * @param lock `update`: until the transaction ends, so that its owner cannot change
 * @returns undefined if the server was removed
 */
export async function findManaged(db: Db, id: string, lock?: 'update') {
  const { rows } = await db.query<{ name: string; ownerId: string | null; isHidden: boolean }>(
    `select name, owner_id as "ownerId", hidden_at is not null as "isHidden"
     from servers where id = $1 and deleted_at is null ${lock ? 'for no key update' : ''}`,
    [id],
  )
  return rows[0]
}
