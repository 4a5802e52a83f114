// Statements over bids.
import type { Db } from '../../platform/db/pool.ts'

export interface BidToInsert {
  id: string
  auctionId: string
  userId: string
  serverId: string | null
  amount: number
  placedAt: Date
}

/** Writes an accepted bid and makes it the auction's highest; the caller has locked the auction and judged the bid. */
export async function insertBid(tx: Db, bid: BidToInsert, endsAt: Date): Promise<void> {
  await tx.query(
    `with placed as (
       insert into bids (id, auction_id, user_id, server_id, amount, placed_at) values ($1, $2, $3, $4, $5, $6))
     update auctions
     set current_bid = $5, bid_count = bid_count + 1, leading_bid_id = $1, ends_at = $7, updated_at = now(),
       original_ends_at = case when $7 > ends_at then coalesce(original_ends_at, ends_at) else original_ends_at end
     where id = $2`,
    [bid.id, bid.auctionId, bid.userId, bid.serverId, bid.amount, bid.placedAt, endsAt],
  )
}

/** Who placed a bid; undefined when the account is gone. */
export async function findBidder(tx: Db, bidId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ userId: string }>('select user_id as "userId" from bids where id = $1', [bidId])
  return rows[0]?.userId
}

/** How long an account that did not pay an offer can't bid. */
export const BAR_DAYS = 30

/** Keeps bans and deletions of an account waiting until the transaction ends, and waits for those under way. Before any auction's lock. */
export async function lockUserForShare(tx: Db, userId: string): Promise<void> {
  await tx.query('select from users where id = $1 for share', [userId])
}

export interface Standing {
  isBanned: boolean
  isVerified: boolean
  /** Null when it is not barred. */
  barredUntil: Date | null
}

/** Whether an account may bid; undefined when it is gone. */
export async function findStanding(tx: Db, userId: string, now: Date): Promise<Standing | undefined> {
  const { rows } = await tx.query<Standing>(
    `select banned_at is not null as "isBanned", email_verified_at is not null as "isVerified",
       (select max(defaulted_at) + make_interval(days => $3) from auction_offers
        where user_id = users.id and defaulted_at > $2::timestamptz - make_interval(days => $3)) as "barredUntil"
     from users where id = $1`,
    [userId, now, BAR_DAYS],
  )
  return rows[0]
}

export interface BidRow {
  id: string
  amount: number
  username: string
  placedAt: Date
}

/** An auction's valid bids, highest first. */
export async function findBids(db: Db, auctionId: string, limit: number): Promise<BidRow[]> {
  const { rows } = await db.query<BidRow>(
    `select bids.id, amount, username, placed_at as "placedAt"
     from bids join users on users.id = user_id
     where auction_id = $1 and invalid_at is null order by amount desc limit $2`,
    [auctionId, limit],
  )
  return rows
}

export interface Bidder {
  bidId: string
  userId: string
  /** Null also when it is not the bidder's any more. */
  serverId: string | null
  amount: number
}

/** The highest valid bid of a user who may still pay. Nobody who did not pay is asked twice. */
export async function findNextBidder(tx: Db, auctionId: string): Promise<Bidder | undefined> {
  const { rows } = await tx.query<Bidder>(
    `select bids.id as "bidId", user_id as "userId", servers.id as "serverId", amount
     from bids
     join users on users.id = user_id
     left join servers on servers.id = server_id and owner_id = user_id and deleted_at is null and hidden_at is null
     where auction_id = $1 and invalid_at is null and banned_at is null
       and user_id not in (select user_id from auction_offers where auction_id = $1 and status <> 'withdrawn')
     order by amount desc limit 1`,
    [auctionId],
  )
  return rows[0]
}

/** Whether a server is listed and its owner's. */
export async function isOwnListing(tx: Db, serverId: string, userId: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select from servers where id = $1 and owner_id = $2 and deleted_at is null and hidden_at is null',
    [serverId, userId],
  )
  return rows.length > 0
}
