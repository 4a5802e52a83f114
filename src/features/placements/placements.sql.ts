// Statements over placements, and over which servers they feature.
import type { Db } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'
import type { FeaturedServer, SlotTier } from './placements.schema.ts'

/** A placement that is shown: it runs, its slot is active. */
const RUNS = `placements.starts_at <= now() and placements.ends_at > now() and placements.ended_at is null and ad_slots.is_active`

export interface PlacementRow {
  id: string
  location: string
  tier: SlotTier
  serverId: string
  title: string
  imageUrl: string
  website: string
  startsAt: Date
  endsAt: Date
}

/** Placements that run, of one location or all, of one server or all. */
export async function findRunning(
  db: Db,
  filter: { requireVerified: boolean; location?: string | undefined; serverId?: string },
): Promise<PlacementRow[]> {
  const { rows } = await db.query<PlacementRow>(
    `select placements.id, location, tier, server_id as "serverId", servers.name as title, banner_url as "imageUrl", website,
       starts_at as "startsAt", ends_at as "endsAt"
     from placements
     join ad_slots on ad_slots.id = slot_id
     join (select id, name, banner_url, website from servers where ${isListed('$1')}) as servers on servers.id = server_id
     where ${RUNS} and ($2::text is null or location = $2) and ($3::uuid is null or server_id = $3)
     order by location, array_position(array['enterprise', 'premium', 'standard'], tier), starts_at, placements.id`,
    [filter.requireVerified, filter.location, filter.serverId],
  )
  return rows
}

export async function isLocation(db: Db, location: string): Promise<boolean> {
  const { rows } = await db.query('select from ad_slots where location = $1 limit 1', [location])
  return rows.length > 0
}

/**
 * Begins a placement when the slot is free: now, or when the last one that is paid for ends. The slot is locked by the caller.
 * @returns false when the offer has one already
 */
export async function insertPlacement(
  tx: Db,
  placement: { id: string; slotId: string; offerId: string; serverId: string; days: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into placements (id, slot_id, offer_id, server_id, starts_at, ends_at)
     select $1, $2, $3, $4, free_at, free_at + make_interval(days => $5)
     from (
       select greatest(date_trunc('milliseconds', now()), max(ends_at) filter (where ended_at is null)) as free_at
       from placements where slot_id = $2) as slot
     on conflict (offer_id) do nothing`,
    [placement.id, placement.slotId, placement.offerId, placement.serverId, placement.days],
  )
  return rowCount === 1
}

/** Whether any of these offers has led to a placement, whatever became of it. */
export async function hasPlacement(db: Db, offerIds: readonly string[]): Promise<boolean> {
  const { rows } = await db.query('select from placements where offer_id = any($1) limit 1', [offerIds])
  return rows.length > 0
}

/** Ends what was sold by an offer, before its time. @returns its server; undefined when there is nothing to end */
export async function endPlacement(
  tx: Db,
  offerId: string,
  reason: 'refunded' | 'disputed',
): Promise<string | undefined> {
  const { rows } = await tx.query<{ serverId: string }>(
    `update placements set ended_at = coalesce(ended_at, now()), end_reason = $2
     where offer_id = $1 and end_reason is distinct from $2 and end_reason is distinct from 'refunded'
     returning server_id as "serverId"`,
    [offerId, reason],
  )
  return rows[0]?.serverId
}

/** Takes back the end that a dispute was, once it is won; the time lost is not given again. */
export async function resumePlacement(tx: Db, offerId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ serverId: string }>(
    `update placements set ended_at = null, end_reason = null where offer_id = $1 and end_reason = 'disputed'
     returning server_id as "serverId"`,
    [offerId],
  )
  return rows[0]?.serverId
}

/**
 * Makes `is_featured` what it should be, of these servers or of all for which time may have changed that: an administrator wishes it,
 * or a placement runs. Placements begin and end by the clock, so it is also done each minute.
 * That looks, by index, at those alone that are featured or have a placement: 0.2 ms at 100,000 servers, where reading all took 30.
 * @returns how many servers were changed
 */
export async function refreshFeatured(tx: Db, serverIds: readonly string[] | null): Promise<number> {
  const { rowCount } = await tx.query(
    `update servers
     set is_featured = not is_featured
     from (
       select candidate.id, featured_by_admin or exists (
         select from placements join ad_slots on ad_slots.id = slot_id where server_id = candidate.id and ${RUNS}) as wanted
       from servers as candidate
       where id in (
         select unnest($1::uuid[])
         union all
         select id from servers where $1 is null and is_featured
         union all
         select server_id from placements where $1 is null and ends_at > now() and ended_at is null)) as state
     where servers.id = state.id and is_featured <> wanted`,
    [serverIds],
  )
  return rowCount ?? 0
}

const MOST_FEATURED = 100

/** Servers that are featured, most votes first. */
export async function findFeatured(db: Db, requireVerified: boolean): Promise<FeaturedServer[]> {
  const { rows } = await db.query<FeaturedServer>(
    `select id, name, ip_address as "ipAddress", game_port as "gamePort", current_players as "currentPlayers",
       max_players as "maxPlayers", is_online as "isOnline", map
     from (select * from servers where is_featured and ${isListed('$1')}) as servers
     join server_status as status on status.server_id = id
     join server_counters as counters on counters.server_id = id
     order by total_votes desc, created_at, id limit $2`,
    [requireVerified, MOST_FEATURED],
  )
  return rows
}

/** Undefined when the server is not listed. */
export async function findIsFeatured(db: Db, requireVerified: boolean, id: string): Promise<boolean | undefined> {
  const { rows } = await db.query<{ isFeatured: boolean }>(
    `select is_featured as "isFeatured" from servers where id = $2 and ${isListed('$1')}`,
    [requireVerified, id],
  )
  return rows[0]?.isFeatured
}
