// Statements over the validity of bids, and over who leads by those that are valid (docs/decisions/0016).
import type { Db } from '../../platform/db/pool.ts'

/**
 * Locks every auction on which a user has bid, in id order to avoid deadlocks. The caller has locked the user's row, as each bid
 * does first, so no bid of theirs comes in between.
 */
export async function lockAuctionsOf(tx: Db, userId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from auctions where id in (select auction_id from bids where user_id = $1) order by id for no key update`,
    [userId],
  )
  return rows.map(({ id }) => id)
}

/** Of banned users, and of those who did not pay an offer of late. $1 the instant, $2 days. */
const LOST_STANDING = `(users.banned_at is not null or exists (
  select from auction_offers as unpaid
  where unpaid.user_id = users.id and unpaid.defaulted_at > $1::timestamptz - make_interval(days => $2)))`

/** Invalidates bids of users who may not bid any more. Whoever can still pay for this auction keeps theirs. */
export async function invalidateLostBids(tx: Db, auctionId: string, now: Date, barDays: number): Promise<void> {
  await tx.query(
    `update bids
     set invalid_at = $1, invalid_reason = case when users.banned_at is null then 'defaulted' else 'banned' end
     from users
     where users.id = user_id and auction_id = $3 and invalid_at is null and ${LOST_STANDING}
       and not exists (
         select from auction_offers as offer
         where offer.auction_id = $3 and offer.user_id = users.id and offer.status in ('open', 'paid'))`,
    [now, barDays, auctionId],
  )
}

/**
 * Invalidates bids that only outbid the same user, now that those in between are invalid: none of them would have been accepted.
 * Of a user's successive bids the lowest stays.
 */
export async function supersedeOwnRaises(tx: Db, auctionId: string, now: Date): Promise<void> {
  await tx.query(
    `update bids set invalid_at = $2, invalid_reason = 'superseded'
     from (
       select id, user_id, lag(user_id) over (order by amount) as outbid
       from bids where auction_id = $1 and invalid_at is null) as valid
     where bids.id = valid.id and valid.user_id = valid.outbid`,
    [auctionId, now],
  )
}

/** Derives the auction's highest bid and count from the bids that are valid. @returns who leads; undefined without a bid */
export async function writeLead(tx: Db, auctionId: string): Promise<{ userId: string; amount: number } | undefined> {
  const { rows } = await tx.query<{ userId: string | null; amount: number | null }>(
    `with valid as (select id, user_id, amount from bids where auction_id = $1 and invalid_at is null),
       lead as (select id, user_id, amount from valid order by amount desc limit 1)
     update auctions
     set current_bid = (select amount from lead), leading_bid_id = (select id from lead),
       bid_count = (select count(*) from valid), updated_at = now()
     where id = $1
     returning (select user_id from lead) as "userId", current_bid as amount`,
    [auctionId],
  )
  const [row] = rows
  return row?.userId && row.amount !== null ? { userId: row.userId, amount: row.amount } : undefined
}

export interface StoredBid {
  userId: string
  amount: number
  isValid: boolean
}

export async function findBid(tx: Db, auctionId: string, bidId: string): Promise<StoredBid | undefined> {
  const { rows } = await tx.query<StoredBid>(
    `select user_id as "userId", amount, invalid_at is null as "isValid" from bids where id = $1 and auction_id = $2`,
    [bidId, auctionId],
  )
  return rows[0]
}

export async function voidBid(tx: Db, bidId: string, now: Date): Promise<void> {
  await tx.query(`update bids set invalid_at = $2, invalid_reason = 'voided' where id = $1`, [bidId, now])
}

/** A bid that was paid for after all counts again. */
export async function reinstateBid(tx: Db, bidId: string): Promise<void> {
  await tx.query(
    `update bids set invalid_at = null, invalid_reason = null where id = $1 and invalid_reason = 'defaulted'`,
    [bidId],
  )
}

/** Whether an offer's bid was voided, or its bidder banned. */
export async function isOfferLost(tx: Db, offerId: string): Promise<boolean> {
  const { rows } = await tx.query<{ isLost: boolean }>(
    `select users.banned_at is not null or bids.invalid_at is not null as "isLost"
     from auction_offers as offer join bids on bids.id = bid_id join users on users.id = offer.user_id
     where offer.id = $1`,
    [offerId],
  )
  return rows[0]?.isLost ?? false
}

/** Auctions that still count bids of users who may not bid any more: all, or those of one user. */
export async function findAuctionsWithLostBids(
  db: Db,
  barDays: number,
  limit: number,
  userId: string | null = null,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct auctions.id
     from users join bids on bids.user_id = users.id join auctions on auctions.id = bids.auction_id
     where invalid_at is null and auctions.status <> 'canceled' and ends_at > now() - interval '30 days'
       and ($3::uuid is null or users.id = $3) and ${LOST_STANDING.replace('$1::timestamptz', 'now()').replace('$2', '$1')}
       and not exists (
         select from auction_offers as offer
         where offer.auction_id = auctions.id
           and (offer.status = 'paid' or offer.status = 'open' and offer.user_id = users.id and users.banned_at is null
             or exists (select from placements where offer_id = offer.id)))
     limit $2`,
    [barDays, limit, userId],
  )
  return rows.map(({ id }) => id)
}
