// SQL, because of locks, counters of the database's current month, and writes to several tables in one statement.
import type { Db } from '../../platform/db/pool.ts'
import type { UpdateServer } from './management.schema.ts'

export interface Managed {
  name: string
  ownerId: string | null
  isHidden: boolean
}

const MANAGED = `select name, owner_id as "ownerId", hidden_at is not null as "isHidden"
  from servers where id = $1 and deleted_at is null`

/** @returns undefined if the server was removed */
export async function findManaged(db: Db, id: string): Promise<Managed | undefined> {
  const { rows } = await db.query<Managed>(MANAGED, [id])
  return rows[0]
}

/** Locks a server until the transaction ends, so that its owner cannot change. @returns undefined if it was removed */
export async function lockListing(db: Db, id: string): Promise<Managed | undefined> {
  const { rows } = await db.query<Managed>(`${MANAGED} for no key update`, [id])
  return rows[0]
}

/** Writes the given fields; an empty game mode deletes it. */
export async function updateListing(db: Db, id: string, changes: UpdateServer): Promise<void> {
  const { name, description, gameMode, website, chatUrl, bannerUrl, rates, mods } = changes
  await db.query(
    `update servers
     set name = coalesce($2, name), description = coalesce($3, description),
       game_mode = case when $4::text is null then game_mode else nullif($4, '') end,
       website = coalesce($5, website), chat_url = coalesce($6, chat_url), banner_url = coalesce($7, banner_url),
       rates = coalesce($8, rates), mods = coalesce($9, mods), updated_at = now()
     where id = $1`,
    [id, name, description, gameMode, website, chatUrl, bannerUrl, rates, mods],
  )
}

/** All public fields of a server. */
export interface DetailRow {
  id: string
  name: string
  ipAddress: string
  gamePort: number
  queryPort: number
  description: string
  gameMode: '' | 'PvP' | 'PvE' | 'PvPvE'
  region: string
  tags: string
  website: string
  chatUrl: string
  bannerUrl: string
  rates: string
  mods: string
  isVerified: boolean
  isFeatured: boolean
  lastWipeAt: Date | null
  createdAt: Date
  updatedAt: Date
  isOnline: boolean
  currentPlayers: number
  maxPlayers: number
  map: string
  version: string
  consecutiveFailures: number
  lastPolledAt: Date | null
  isStale: boolean
  totalVotes: number
  monthlyVotes: number
  uptime: { day: number | null; week: number | null; month: number | null }
}

/** Votes of the current month; 0 if the counter was last written in another month. */
const MONTHLY_VOTES = `case when votes_month = date_trunc('month', now() at time zone 'utc')::date then monthly_votes else 0 end`

/** Also of servers that are not listed: owners edit them before they are verified. */
export async function findDetail(db: Db, id: string): Promise<DetailRow> {
  const { rows } = await db.query<DetailRow>(
    `select id, name, ip_address as "ipAddress", game_port as "gamePort", query_port as "queryPort", description,
       coalesce(game_mode, '') as "gameMode", region, array_to_string(tags, ',') as tags, website,
       chat_url as "chatUrl", banner_url as "bannerUrl", rates, mods, is_verified as "isVerified",
       is_featured as "isFeatured", last_wipe_at as "lastWipeAt", created_at as "createdAt", updated_at as "updatedAt",
       is_online as "isOnline", current_players as "currentPlayers", max_players as "maxPlayers", map, version,
       consecutive_failures as "consecutiveFailures", last_polled_at as "lastPolledAt",
       last_polled_at is null or fresh_until is null or fresh_until < now() as "isStale",
       total_votes as "totalVotes", ${MONTHLY_VOTES} as "monthlyVotes",
       json_build_object('day', day, 'week', week, 'month', month) as uptime
     from servers
     join server_status as status on status.server_id = id
     join server_counters as counters on counters.server_id = id
     join server_uptime as uptime on uptime.server_id = id
     where id = $1`,
    [id],
  )
  const [row] = rows
  if (!row) throw new Error(`server ${id} lacks one of its rows`)
  return row
}

export interface OwnedRow {
  id: string
  name: string
  ipAddress: string
  gamePort: number
  isOnline: boolean
  totalVotes: number
  monthlyVotes: number
  recentVotes: number
}

/** A page of a user's servers, oldest first, including hidden ones. */
export async function findOwned(
  db: Db,
  ownerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<OwnedRow[]> {
  const { rows } = await db.query<OwnedRow>(
    `select id, name, ip_address as "ipAddress", game_port as "gamePort", is_online as "isOnline",
       total_votes as "totalVotes", ${MONTHLY_VOTES} as "monthlyVotes",
       (select count(*) from votes where votes.server_id = servers.id and voted_at > now() - interval '24 hours') as "recentVotes"
     from servers
     join server_status as status on status.server_id = id
     join server_counters as counters on counters.server_id = id
     where owner_id = $1 and deleted_at is null
     order by id
     limit $2 offset $3`,
    [ownerId, limit, offset],
  )
  return rows
}

/** Locks a user's row, so that parallel transactions count and insert one after the other. */
export async function lockOwner(db: Db, userId: string): Promise<void> {
  await db.query('select from users where id = $1 for no key update', [userId])
}

export async function countOwned(db: Db, ownerId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) from servers where owner_id = $1 and deleted_at is null',
    [ownerId],
  )
  return rows[0]?.count ?? 0
}

/**
 * Hides a server and deletes its poll schedule, or shows it again with a poll that is due at once. The new schedule continues from
 * the last applied cycle, because results of a lower cycle are ignored as duplicates.
 * @returns false if there is no such server or nothing to change
 */
export async function setHidden(db: Db, id: string, hidden: boolean): Promise<boolean> {
  const { rows } = await db.query(
    `with changed as (
       update servers set hidden_at = case when $2 then now() end, updated_at = now()
       where id = $1 and deleted_at is null and (hidden_at is null) = $2
       returning id),
     unscheduled as (delete from server_polls where $2 and server_id in (select id from changed)),
     scheduled as (
       insert into server_polls (server_id, next_poll_at, cycle)
       select server_id, now(), applied_cycle from server_status where not $2 and server_id in (select id from changed)
       on conflict (server_id) do update set next_poll_at = excluded.next_poll_at)
     select id from changed`,
    [id, hidden],
  )
  return rows.length > 0
}
