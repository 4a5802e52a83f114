// Statements that read and write auctions. Status is by the database's clock: one that is past its end is over, closed or not.
import type { Db } from '../../platform/db/pool.ts'
import type { SlotTier } from '../placements/index.ts'
import type { AuctionChange, AuctionStatus } from './auctions.schema.ts'

export interface AuctionRow {
  id: string
  slotId: string
  tier: SlotTier
  location: string
  title: string
  status: AuctionStatus
  startsAt: Date
  endsAt: Date
  startingBid: number
  minimumIncrement: number
  softCloseSeconds: number
  placementDays: number
  currentBid: number | null
  bidCount: number
  leaderName: string | null
  winnerServerId: string | null
}

const STATUS = `case when auctions.status = 'active' and ends_at <= now() then 'completed' else auctions.status end`

const SELECT = `
  select auctions.id, slot_id as "slotId", auctions.tier, location, title, ${STATUS} as status, starts_at as "startsAt",
    ends_at as "endsAt", starting_bid as "startingBid", minimum_increment as "minimumIncrement",
    soft_close_seconds as "softCloseSeconds", placement_days as "placementDays", current_bid as "currentBid",
    bid_count as "bidCount", users.username as "leaderName", offer.server_id as "winnerServerId"
  from auctions
  left join bids on bids.id = leading_bid_id
  left join users on users.id = bids.user_id
  left join auction_offers as offer on offer.auction_id = auctions.id and offer.status in ('open', 'paid')`

export interface AuctionFilter {
  status?: AuctionStatus | undefined
  tier?: SlotTier | undefined
}

const FILTER = `where ($1::text is null or ${STATUS} = $1) and ($2::text is null or auctions.tier = $2)`

/** Those that end next first, then those that ended last. */
export async function findAuctions(
  db: Db,
  { status, tier }: AuctionFilter,
  page: { limit: number; offset: number },
): Promise<AuctionRow[]> {
  const { rows } = await db.query<AuctionRow>(
    `${SELECT} ${FILTER}
     order by (ends_at > now() and auctions.status = 'active') desc,
       case when ends_at > now() and auctions.status = 'active' then ends_at end, ends_at desc, auctions.id
     limit $3 offset $4`,
    [status, tier, page.limit, page.offset],
  )
  return rows
}

export async function countAuctions(db: Db, { status, tier }: AuctionFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) from auctions ${FILTER}`, [status, tier])
  return rows[0]?.count ?? 0
}

export async function findAuction(db: Db, id: string): Promise<AuctionRow | undefined> {
  const { rows } = await db.query<AuctionRow>(`${SELECT} where auctions.id = $1`, [id])
  return rows[0]
}

export interface LockedAuction {
  slotId: string
  title: string
  /** As it is written: `active` until it is closed, however late it is. */
  status: AuctionStatus
  startsAt: Date
  endsAt: Date
  startingBid: number
  minimumIncrement: number
  softCloseSeconds: number
  placementDays: number
  currentBid: number | null
  leadingBidId: string | null
  /** Null while no bid has moved the end. */
  originalEndsAt: Date | null
}

/**
 * Locks an auction until the transaction ends: bids, edits, its close and its settlement come one after the other.
 * Of the auction's row alone: after a wait for the lock this statement has it as it is now, but other tables as they were before.
 */
export async function lockAuction(tx: Db, id: string): Promise<LockedAuction | undefined> {
  const { rows } = await tx.query<LockedAuction>(
    `select slot_id as "slotId", title, status, starts_at as "startsAt", ends_at as "endsAt", starting_bid as "startingBid",
       minimum_increment as "minimumIncrement", soft_close_seconds as "softCloseSeconds", placement_days as "placementDays",
       current_bid as "currentBid", leading_bid_id as "leadingBidId", original_ends_at as "originalEndsAt"
     from auctions where id = $1 for no key update`,
    [id],
  )
  return rows[0]
}

export interface AuctionToInsert {
  id: string
  slotId: string
  tier: SlotTier
  location: string
  title: string
  startsAt: Date
  endsAt: Date
  startingBid: number
  minimumIncrement: number
  softCloseSeconds: number
  placementDays: number
  recurrenceKey: string | null
}

/** @returns false when one with this recurrence key is there */
export async function insertAuction(tx: Db, auction: AuctionToInsert): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into auctions (id, slot_id, tier, location, title, starts_at, ends_at, starting_bid, minimum_increment,
       soft_close_seconds, placement_days, recurrence_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (recurrence_key) do nothing`,
    [
      auction.id,
      auction.slotId,
      auction.tier,
      auction.location,
      auction.title,
      auction.startsAt,
      auction.endsAt,
      auction.startingBid,
      auction.minimumIncrement,
      auction.softCloseSeconds,
      auction.placementDays,
      auction.recurrenceKey,
    ],
  )
  return rowCount === 1
}

export async function updateAuction(tx: Db, id: string, change: AuctionChange): Promise<void> {
  await tx.query(
    `update auctions set title = coalesce($2, title), starts_at = coalesce($3, starts_at), ends_at = coalesce($4, ends_at),
       starting_bid = coalesce($5, starting_bid), minimum_increment = coalesce($6, minimum_increment),
       placement_days = coalesce($7, placement_days), soft_close_seconds = coalesce($8, soft_close_seconds),
       status = coalesce($9, status), original_ends_at = case when $4::timestamptz is null then original_ends_at end,
       updated_at = now()
     where id = $1`,
    [
      id,
      change.title,
      change.startsAt,
      change.endsAt,
      change.startingBid,
      change.minimumIncrement,
      change.placementDays,
      change.softCloseSeconds,
      change.status,
    ],
  )
}

/** The auction's own bids are gone with it. */
export async function deleteAuction(tx: Db, id: string): Promise<void> {
  await tx.query('delete from auctions where id = $1', [id])
}

export async function completeAuction(tx: Db, id: string): Promise<void> {
  await tx.query(`update auctions set status = 'completed', updated_at = now() where id = $1`, [id])
}

/** Those that are over and not closed, oldest first. */
export async function findOverdue(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from auctions where status = 'active' and ends_at <= now() order by ends_at limit $1`,
    [limit],
  )
  return rows.map(({ id }) => id)
}
