// Inserts ad slots and auctions into the database, for tests that do not cover their administration.
import { v7 as uuidv7 } from 'uuid'
import type { Pool } from '../../src/platform/db/pool.ts'

export async function addSlot(
  pool: Pool,
  { location = `place-${uuidv7()}`, tier = 'premium', isActive = true } = {},
): Promise<{ id: string; location: string }> {
  const id = uuidv7()
  await pool.query(
    `insert into ad_slots (id, location, tier, name, width, height, is_active) values ($1, $2, $3, 'A slot', 300, 250, $4)`,
    [id, location, tier, isActive],
  )
  return { id, location }
}

export interface AuctionTerms {
  slotId?: string
  /** Seconds from now; negative values are in the past. */
  startsIn?: number
  endsIn?: number
  startingBid?: number
  minimumIncrement?: number
  softCloseSeconds?: number
  placementDays?: number
}

/** An auction that runs for an hour by default, without its close job. */
export async function addAuction(pool: Pool, terms: AuctionTerms = {}): Promise<string> {
  const id = uuidv7()
  const slotId = terms.slotId ?? (await addSlot(pool)).id
  const { startsIn = -60, endsIn = 3600, startingBid = 500, minimumIncrement = 100 } = terms
  await pool.query(
    `insert into auctions (id, slot_id, tier, location, title, starts_at, ends_at, starting_bid, minimum_increment,
       soft_close_seconds, placement_days)
     select $1, id, tier, location, 'A week at the top', clock_timestamp() + make_interval(secs => $3),
       clock_timestamp() + make_interval(secs => $4), $5, $6, $7, $8
     from ad_slots where id = $2`,
    [
      id,
      slotId,
      startsIn,
      endsIn,
      startingBid,
      minimumIncrement,
      terms.softCloseSeconds ?? 0,
      terms.placementDays ?? 7,
    ],
  )
  return id
}

/** Ends an auction, or its open offer, as if its time and the grace period were over. */
export const endAuction = (pool: Pool, id: string) =>
  pool.query(
    `update auctions set starts_at = least(starts_at, now() - interval '1 hour'), ends_at = now() - interval '1 second' where id = $1`,
    [id],
  )
export const endAMonthAgo = (pool: Pool, id: string) =>
  pool.query(
    `update auctions set starts_at = now() - interval '32 days', ends_at = now() - interval '31 days' where id = $1`,
    [id],
  )
export const endOffer = (pool: Pool, auctionId: string) =>
  pool.query(
    `update auction_offers set expires_at = now() - interval '1 hour' where auction_id = $1 and status = 'open'`,
    [auctionId],
  )

/** An auction that has ended, with an open offer to a user who wants a server featured. */
export async function addWonAuction(pool: Pool, userId: string, serverId: string, amount = 1000): Promise<string> {
  const id = await addAuction(pool, { startsIn: -7200, endsIn: -60 })
  const bidId = uuidv7()
  // One statement: a fuzz run may end in between, and then compares each auction with its bids.
  await pool.query(
    `with bid as (
       insert into bids (id, auction_id, user_id, server_id, amount, placed_at) values ($1, $2, $3, $4, $5, now()))
     update auctions set status = 'completed', current_bid = $5, bid_count = 1, leading_bid_id = $1 where id = $2`,
    [bidId, id, userId, serverId, amount],
  )
  await pool.query(
    `insert into auction_offers (id, auction_id, bid_id, user_id, server_id, amount, offered_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, now(), now() + interval '48 hours')`,
    [uuidv7(), id, bidId, userId, serverId, amount],
  )
  return id
}
