// SQL, because of sets and locks: which bids are valid, and who leads (docs/decisions/0016).
import type { Db } from '../../platform/db/pool.ts'
import { BIDDING_BAR_DAYS } from './bids.store.ts'

/** Auctions that ended longer ago are not offered again. */
export const OFFERED_WITHIN_DAYS = 30

/**
 * Locks every auction that a user has bid on, in id order to avoid deadlocks. The caller has locked the user's row, as
 * every bid does first, so that the user can't bid in between.
 */
export async function lockAuctionsOf(tx: Db, userId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from auctions where id in (select auction_id from bids where user_id = $1) order by id for no key update`,
    [userId],
  )
  return rows.map(({ id }) => id)
}

/** A condition: the user is banned, or barred from bidding. @param nowSql an expression */
export const mayNotBidSql = (nowSql: string) => `(users.banned_at is not null or exists (
  select from auction_offers as unpaid
  where unpaid.user_id = users.id and unpaid.defaulted_at > ${nowSql} - interval '${BIDDING_BAR_DAYS} days'))`

/** Invalidates bids of users who may no longer bid, except of a user who can still pay for this auction. */
export async function invalidateLostBids(tx: Db, auctionId: string, now: Date): Promise<void> {
  await tx.query(
    `update bids
     set invalid_at = $1, invalid_reason = case when users.banned_at is null then 'defaulted' else 'banned' end
     from users
     where users.id = user_id and auction_id = $2 and invalid_at is null and ${mayNotBidSql('$1::timestamptz')}
       and not exists (
         select from auction_offers as offer
         where offer.auction_id = $2 and offer.user_id = users.id and offer.status in ('open', 'paid'))`,
    [now, auctionId],
  )
}

/**
 * Invalidates a bid that only outbids the same user after the bids in between became invalid: it would have been
 * rejected. Of a user's successive bids the lowest stays valid.
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

/** Derives the auction's highest bid and count from its valid bids. @returns who leads; undefined without a bid */
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

/** Whether an offer's bid was voided, or its bidder banned. */
export async function isOfferInvalid(tx: Db, offerId: string): Promise<boolean> {
  const { rows } = await tx.query<{ isLost: boolean }>(
    `select users.banned_at is not null or bids.invalid_at is not null as "isLost"
     from auction_offers as offer join bids on bids.id = bid_id join users on users.id = offer.user_id
     where offer.id = $1`,
    [offerId],
  )
  return rows[0]?.isLost ?? false
}
