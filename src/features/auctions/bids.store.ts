// Bids: models for plain reads and writes; SQL where one statement decides (placing a bid, locks, who may bid or is
// next).
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'

/** Writes an accepted bid as the auction's highest. The caller has locked the auction and checked the bid. */
export async function insertBid(
  tx: Db,
  bid: { id: string; auctionId: string; userId: string; serverId: string | null; amount: number; placedAt: Date },
  endsAt: Date,
): Promise<void> {
  const { id, auctionId, userId, serverId, amount, placedAt } = bid
  await tx.query(
    namedParameters({
      text: `
        with placed as (
          insert into bids (id, auction_id, user_id, server_id, amount, placed_at)
          values ($id, $auctionId, $userId, $serverId, $amount, $placedAt))
        update auctions
        set current_bid = $amount, bid_count = bid_count + 1, leading_bid_id = $id, ends_at = $endsAt, updated_at = now(),
          original_ends_at = case when $endsAt > ends_at then coalesce(original_ends_at, ends_at) else original_ends_at end
        where id = $auctionId`,
      values: { id, auctionId, userId, serverId, amount, placedAt, endsAt },
    }),
  )
}

export const findBid = ({ prisma }: Db, id: string) =>
  prisma.bid.findUnique({ where: { id }, select: { auctionId: true, userId: true, amount: true, invalidAt: true } })

/**
 * An auction's valid bids, highest first. One statement: an account that is deleted between two would leave
 * a bid without bidder.
 */
export async function findBids(db: Sql, auctionId: string, limit: number) {
  const { rows } = await db.query<{ id: string; amount: number; placedAt: Date; username: string }>(
    `select bids.id, amount, placed_at as "placedAt", username from bids join users on users.id = user_id
     where auction_id = $1 and invalid_at is null order by amount desc limit $2`,
    [auctionId, limit],
  )
  return rows
}

/**
 * A user's highest valid bid on each of these auctions; null if none is valid. After the end, only a bid with an open
 * or paid offer leads: the winner's account may be deleted, or an earlier offer refunded.
 */
export async function findOwnBids(db: Sql, userId: string, auctionIds: string[]) {
  const { rows } = await db.query<{ auctionId: string; ownBid: number | null; isLeading: boolean }>(
    `select auction_id as "auctionId", max(amount) filter (where invalid_at is null) as "ownBid",
       coalesce(bool_or(case status
         when 'active' then bids.id = leading_bid_id
         else exists (select from auction_offers as offer where bid_id = bids.id and offer.status in ('open', 'paid'))
       end), false) as "isLeading"
     from bids join auctions on auctions.id = auction_id
     where user_id = $1 and auction_id = any($2::uuid[]) group by auction_id`,
    [userId, auctionIds],
  )
  return rows
}

export async function invalidateBid({ prisma }: Db, id: string, invalidAt: Date): Promise<void> {
  await prisma.bid.update({ where: { id }, data: { invalidAt, invalidReason: 'voided' }, select: { id: true } })
}

/** Revalidates a bid whose offer was paid late. */
export async function reinstateBid({ prisma }: Db, id: string): Promise<void> {
  const data = { invalidAt: null, invalidReason: null }
  await prisma.bid.updateMany({ where: { id, invalidReason: 'defaulted' }, data })
}

/** How long an account that did not pay an offer can't bid. */
export const BIDDING_BAR_DAYS = 30

/**
 * Blocks bans and deletions of an account until the transaction ends, and waits for those in progress. Call it before
 * locking an auction.
 */
export async function lockUserForShare(tx: Db, userId: string): Promise<void> {
  await tx.query('select from users where id = $1 for share', [userId])
}

export interface BidderRights {
  isBanned: boolean
  isVerified: boolean
  /** Null if the account is not barred. */
  barredUntil: Date | null
}

/** Whether an account may bid; undefined if it was deleted. */
export async function findBidderRights(tx: Db, userId: string, now: Date): Promise<BidderRights | undefined> {
  const { rows } = await tx.query<BidderRights>(
    `select banned_at is not null as "isBanned", email_verified_at is not null as "isVerified",
       (select max(defaulted_at) + interval '${BIDDING_BAR_DAYS} days' from auction_offers
        where user_id = users.id and defaulted_at > $2::timestamptz - interval '${BIDDING_BAR_DAYS} days') as "barredUntil"
     from users where id = $1`,
    [userId, now],
  )
  return rows[0]
}

/**
 * The highest valid bid whose user may pay and has not had an offer for this auction. `serverId` is null also if the
 * server no longer is listed or belongs to the bidder.
 */
export async function findNextBidder(tx: Db, auctionId: string) {
  const { rows } = await tx.query<{ bidId: string; userId: string; serverId: string | null; amount: number }>(
    `select bids.id as "bidId", user_id as "userId", servers.id as "serverId", amount
     from bids
     join users on users.id = user_id
     left join (select id, owner_id from servers where ${listedIn(tx)}) as servers on servers.id = server_id and owner_id = user_id
     where auction_id = $1 and invalid_at is null and banned_at is null
       and user_id not in (select user_id from auction_offers where auction_id = $1 and status <> 'withdrawn')
     order by amount desc limit 1`,
    [auctionId],
  )
  return rows[0]
}

/** Whether a server is listed and belongs to the user. */
export async function isOwnListing(db: Db, id: string, ownerId: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from servers where id = $1 and owner_id = $2 and ${listedIn(db)}`, [
    id,
    ownerId,
  ])
  return rowCount === 1
}
