// SQL, because each statement writes sets of rows in several tables.
import type { Db } from '../../platform/db/pool.ts'

/** A listing as stored, with all defaults applied. */
export interface ListingRow {
  id: string
  /** Null until a user claims the server. */
  ownerId: string | null
  game: string
  name: string
  description: string
  ipAddress: string
  gamePort: number
  queryPort: number
  gameMode: string | null
  region: string
  tags: string[]
  website: string
  chatUrl: string
  bannerUrl: string
  rates: string
  mods: string
  lastWipeAt: Date | null
}

export interface ListedServer {
  id: string
  name: string
  game: string
  ipAddress: string
  gamePort: number
  queryPort: number
  isOnline: boolean
  currentPlayers: number
  maxPlayers: number
  map: string
}

/**
 * Lists servers, each with its status, counters, uptime and a first poll that is due at once. Skips those whose address
 * and query port are listed. Pass the rows in order of (ipAddress, queryPort) to avoid deadlocks.
 * @returns ids of the rows that were inserted
 */
export async function insertServers(db: Db, rows: ListingRow[]): Promise<Set<string>> {
  const column = <Key extends keyof ListingRow>(key: Key) => rows.map((row) => row[key])
  const { rows: inserted } = await db.query<{ id: string }>({
    name: 'servers-insert',
    // Tags are passed as one string per row: unnest would flatten a list of lists. They contain no comma
    // (listing-fields.ts). The foreign keys of the other inserts are checked at the end of the statement, when the
    // listing exists.
    text: `
      with listing as (
        insert into servers (id, game, name, description, ip_address, game_port, query_port, game_mode, region, tags,
          website, chat_url, banner_url, rates, mods, last_wipe_at, owner_id)
        select id, game, name, description, ip_address, game_port, query_port, game_mode, region, string_to_array(tags, ','),
          website, chat_url, banner_url, rates, mods, last_wipe_at, owner_id
        from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::text[],
          $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::timestamptz[],
          $17::uuid[])
          as given (id, game, name, description, ip_address, game_port, query_port, game_mode,
            region, tags, website, chat_url, banner_url, rates, mods, last_wipe_at, owner_id)
        on conflict (ip_address, query_port) where deleted_at is null do nothing
        returning id),
      status as (insert into server_status (server_id) select id from listing),
      counters as (
        insert into server_counters (server_id, votes_month)
        select id, date_trunc('month', now() at time zone 'utc')::date from listing),
      uptime as (insert into server_uptime (server_id) select id from listing),
      poll as (insert into server_polls (server_id, next_poll_at) select id, now() from listing)
      select id from listing`,
    values: [
      column('id'),
      column('game'),
      column('name'),
      column('description'),
      column('ipAddress'),
      column('gamePort'),
      column('queryPort'),
      column('gameMode'),
      column('region'),
      rows.map((row) => row.tags.join(',')),
      column('website'),
      column('chatUrl'),
      column('bannerUrl'),
      column('rates'),
      column('mods'),
      column('lastWipeAt'),
      column('ownerId'),
    ],
  })
  return new Set(inserted.map((row) => row.id))
}

/** @returns ids of the listed servers at these addresses, by `address:queryPort` */
export async function findListedAt(
  db: Db,
  addresses: Pick<ListingRow, 'ipAddress' | 'queryPort'>[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ address: string; id: string }>({
    name: 'servers-find-listed-at',
    text: `
      select ip_address || ':' || query_port as address, id
      from servers
      join unnest($1::text[], $2::integer[]) as wanted (ip_address, query_port) using (ip_address, query_port)
      where deleted_at is null`,
    values: [addresses.map(({ ipAddress }) => ipAddress), addresses.map(({ queryPort }) => queryPort)],
  })
  return new Map(rows.map(({ address, id }) => [address, id]))
}

/** A soft delete, so that the change feed reports it; deletes the poll schedule. @returns whether it was listed */
export async function deleteServer(db: Db, id: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'servers-delete',
    text: `
      with removed as (
        update servers set deleted_at = now(), updated_at = now() where id = $1 and deleted_at is null returning id),
      poll as (delete from server_polls where server_id in (select id from removed))
      select id from removed`,
    values: [id],
  })
  return rows.length > 0
}

/**
 * One page of listed servers, oldest first.
 * @param search text contained in the name or address, case-insensitive; empty: all
 * @param after id of the last server of the previous page
 */
export async function findServers(
  db: Db,
  { search, after, limit }: { search: string; after: string | null; limit: number },
): Promise<ListedServer[]> {
  const { rows } = await db.query<ListedServer>({
    name: 'servers-find',
    text: `
      select id, name, game, ip_address as "ipAddress", game_port as "gamePort", query_port as "queryPort",
        is_online as "isOnline", current_players as "currentPlayers", max_players as "maxPlayers", map
      from servers
      join server_status on server_id = id
      where deleted_at is null and ($2::uuid is null or id > $2)
        and ($1 = '' or strpos(lower(name), lower($1)) > 0 or strpos(ip_address, lower($1)) > 0)
      order by id
      limit $3`,
    values: [search, after, limit],
  })
  return rows
}
