// Placements, and which servers they feature. SQL: the database's clock decides what runs, over sets of servers.
import type * as z from 'zod'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'
import type { FeaturedServer, Placement } from './placements.schema.ts'

/** A placement that is shown: it has started, has not ended, and its slot is active. */
const RUNS = `placements.starts_at <= now() and placements.ends_at > now() and placements.ended_at is null and ad_slots.is_active`

export interface PlacementRow extends Omit<z.output<typeof Placement>, 'linkUrl' | 'imageUrl'> {
  website: string
  bannerUrl: string
  /** Hash of the stored picture; null if there is none. */
  bannerHash: string | null
}

/** Placements that run, of one location or all, of one server or all. */
export async function findRunning(
  db: Db,
  filter: { location?: string; serverId?: string } = {},
): Promise<PlacementRow[]> {
  const { rows } = await db.query<PlacementRow>(
    `select placements.id, location, tier, server_id as "serverId", servers.name as title, banner_url as "bannerUrl",
       banner_hash as "bannerHash", website, starts_at as "startsAt", ends_at as "endsAt"
     from placements
     join ad_slots on ad_slots.id = slot_id
     join (select id, name, banner_url, banner_hash, website from servers where ${listedIn(db)}) as servers on servers.id = server_id
     where ${RUNS} and ($1::text is null or location = $1) and ($2::uuid is null or server_id = $2)
     order by location, array_position(array['enterprise', 'premium', 'standard'], tier), starts_at, placements.id`,
    [filter.location, filter.serverId],
  )
  return rows
}

/** Servers with a running placement, the best places first. */
export async function findPlacedServers(db: Sql & Pick<Db, 'requireVerified'>): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string }>({
    name: 'placements-placed',
    text: `
      select server_id as "serverId"
      from placements
      join ad_slots on ad_slots.id = slot_id
      join (select id from servers where ${listedIn(db)}) as servers on servers.id = server_id
      where ${RUNS}
      group by server_id
      order by min(array_position(array['enterprise', 'premium', 'standard'], tier)), min(starts_at), server_id`,
  })
  return rows.map(({ serverId }) => serverId)
}

export async function isLocation(db: Db, location: string): Promise<boolean> {
  const { rows } = await db.query('select from ad_slots where location = $1 limit 1', [location])
  return rows.length > 0
}

/**
 * Inserts a placement that starts as soon as the slot is free: now, or at the end of the last one. The caller has
 * locked the slot.
 * @returns false if the offer has a placement already
 */
export async function insertPlacement(
  tx: Db,
  placement: { id: string; slotId: string; offerId: string; serverId: string; days: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into placements (id, slot_id, offer_id, server_id, starts_at, ends_at, unshown)
     select $1, $2, $3, $4, free_at, free_at + make_interval(days => $5), true
     from (
       select greatest(date_trunc('milliseconds', now()), max(ends_at) filter (where ended_at is null)) as free_at
       from placements where slot_id = $2) as slot
     on conflict (offer_id) do nothing`,
    [placement.id, placement.slotId, placement.offerId, placement.serverId, placement.days],
  )
  return rowCount === 1
}

/** Whether any of these offers has a placement, ended ones included. */
export async function hasPlacement(db: Db, offerIds: readonly string[]): Promise<boolean> {
  const { rows } = await db.query('select from placements where offer_id = any($1) limit 1', [offerIds])
  return rows.length > 0
}

/** Ends the placement of an offer early. @returns its server; undefined if there is nothing to end */
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

/**
 * Resumes a placement that a dispute or a refund had ended. Time lost to a dispute is not added. Time lost to a refund
 * is: it failed at the provider, so the placement is paid and the payer caused no delay. Where it would overlap others
 * of its slot, which may have been sold since, it continues after the last of them. After a dispute, which its payer
 * has lost, it is not refunded if it was never shown. The caller has locked the slot.
 * @returns its server; undefined if there is none
 */
export async function resumePlacement(tx: Db, offerId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ serverId: string }>(
    `with ended as (
       select id, slot_id, end_reason, starts_at, case when end_reason = 'refunded' and ended_at < ends_at
         then ends_at + greatest(now() - greatest(ended_at, starts_at), interval '0') else ends_at end as ends_at
       from placements
       where offer_id = $1 and end_reason is not null),
     resumed as (
       select id, end_reason, case when last_end is null then starts_at else last_end end as starts_at,
         case when last_end is null then ends_at else last_end + (ends_at - greatest(starts_at, now())) end as ends_at
       from ended
       cross join lateral (
         select case when bool_or(
             (other.starts_at, other.ends_at) overlaps (greatest(ended.starts_at, now()), ended.ends_at))
           then max(other.ends_at) end as last_end
         from placements as other
         where other.slot_id = ended.slot_id and other.id <> ended.id and other.ended_at is null
           and other.ends_at > now() and ended.ends_at > now()) as others)
     update placements set ended_at = null, end_reason = null, starts_at = resumed.starts_at, ends_at = resumed.ends_at,
       unshown = unshown and resumed.end_reason <> 'disputed'
     from resumed
     where placements.id = resumed.id
     returning server_id as "serverId"`,
    [offerId],
  )
  return rows[0]?.serverId
}

/** Deletes placements that a user has bought for their own servers, and those that were never shown. */
export async function deletePlacementsOf(tx: Db, userId: string): Promise<void> {
  await tx.query(
    `delete from placements
     using auction_offers as offer, servers
     where offer.id = offer_id and servers.id = placements.server_id and offer.user_id = $1
       and (servers.owner_id = $1 or unshown)`,
    [userId],
  )
}

/** Records which placements are shown now for the first time: of one offer, or all. */
export async function recordShown(tx: Db, offerId: string | null): Promise<void> {
  await tx.query(
    `update placements set unshown = false
     from ad_slots, (select id from servers where ${listedIn(tx)}) as listed
     where unshown and ad_slots.id = slot_id and listed.id = server_id and ${RUNS} and ($1::uuid is null or offer_id = $1)`,
    [offerId],
  )
}

/**
 * Sets `is_featured` of the given servers: true if an administrator features them or a placement runs. `null` means all
 * servers that are featured or have a placement, found by index: 0.2 ms at 100,000 servers, where reading all took 30
 * ms.
 * @returns how many servers changed
 */
export async function refreshFeatured(tx: Db, serverIds: readonly string[] | null): Promise<number> {
  const { rowCount } = await tx.query(
    `update servers
     set is_featured = not is_featured
     from (
       select candidate.id, featured_by_admin or exists (
         select from placements join ad_slots on ad_slots.id = slot_id where server_id = candidate.id and ${RUNS}) as expected
       from servers as candidate
       where id in (
         select unnest($1::uuid[])
         union all
         select id from servers where $1 is null and is_featured
         union all
         select server_id from placements where $1 is null and ends_at > now() and ended_at is null)) as state
     where servers.id = state.id and is_featured <> expected`,
    [serverIds],
  )
  return rowCount ?? 0
}

const MAX_FEATURED = 100

/** Featured servers, most votes first. */
export async function findFeatured(db: Db): Promise<Omit<FeaturedServer, 'gameName'>[]> {
  const { rows } = await db.query<Omit<FeaturedServer, 'gameName'>>(
    `select id, name, ip_address as "ipAddress", game_port as "gamePort", current_players as "currentPlayers",
       max_players as "maxPlayers", is_online as "isOnline", map, game, country
     from (select * from servers where is_featured and ${listedIn(db)}) as servers
     join server_status as status on status.server_id = id
     join server_counters as counters on counters.server_id = id
     order by total_votes - voided_votes desc, created_at, id limit $1`,
    [MAX_FEATURED],
  )
  return rows
}

export async function findIsFeatured({ prisma }: Db, id: string): Promise<boolean> {
  const server = await prisma.server.findUnique({ where: { id }, select: { isFeatured: true } })
  return server?.isFeatured ?? false
}

/** Servers whose placements in a slot run, or start later. */
export async function findServersOfSlot(tx: Db, slotId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'select distinct server_id as id from placements where slot_id = $1 and ended_at is null and ends_at > now()',
    [slotId],
  )
  return rows.map(({ id }) => id)
}
