// SQL, because it selects sets by the database's clock: what the auction sweep has to do.
import type { Db } from '../../platform/db/pool.ts'
import type { PaymentSettled } from '../billing/index.ts'
import { mayNotBidSql, OFFERED_WITHIN_DAYS } from './lead.sql.ts'

/** Maximum of each kind in one sweep; the next sweep finds the rest. */
const LIMIT = 100

/** Auctions that are over and not closed, oldest first. */
export async function findOverdueAuctions(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from auctions where status = 'active' and ends_at <= now() order by ends_at limit $1`,
    [LIMIT],
  )
  return rows.map(({ id }) => id)
}

/**
 * Auctions whose open offer was not paid in time, oldest first: without obstacles and a payment on its way, or
 * too old to be offered.
 */
export async function findUnpaidAuctions(db: Db, graceMinutes: number): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auction_id as "auctionId" from auction_offers as offer join auctions on auctions.id = auction_id
     where offer.status = 'open' and expires_at <= now() - make_interval(mins => $1)
       and not exists (select from payment_sessions where reference = offer.id::text and status = 'paid')
       and (ends_at <= now() - interval '${OFFERED_WITHIN_DAYS} days'
         or not exists (select from auction_offer_obstacles where offer_id = offer.id and ended_at is null)
           and not exists (
             select from payment_sessions where reference = offer.id::text and status = 'open' and is_processing))
     order by expires_at limit $2`,
    [graceMinutes, LIMIT],
  )
  return rows.map(({ auctionId }) => auctionId)
}

/**
 * Recent auctions with valid bids that are neither offered nor sold: the winner's account was deleted, or
 * the slot was inactive.
 */
export async function findUnofferedAuctions(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auctions.id as "auctionId" from auctions join ad_slots on ad_slots.id = slot_id
     where status = 'completed' and is_active and sold_at is null and ends_at > now() - interval '${OFFERED_WITHIN_DAYS} days'
       and not exists (
         select from auction_offers as offer
         where auction_id = auctions.id
           and (offer.status in ('open', 'paid') or exists (select from placements where offer_id = offer.id)))
       and exists (
         select from bids join users on users.id = user_id
         where bids.auction_id = auctions.id and invalid_at is null and banned_at is null
           and user_id not in (
             select user_id from auction_offers where auction_id = auctions.id and status <> 'withdrawn'))
     order by ends_at limit $1`,
    [LIMIT],
  )
  return rows.map(({ auctionId }) => auctionId)
}

/** Auctions that still count bids of users who may no longer bid: all, or those of one user. */
export async function findAuctionsWithLostBids(db: Db, userId?: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct auctions.id
     from users join bids on bids.user_id = users.id join auctions on auctions.id = bids.auction_id
     where invalid_at is null and auctions.status <> 'canceled' and ends_at > now() - interval '${OFFERED_WITHIN_DAYS} days'
       and ($1::uuid is null or users.id = $1) and ${mayNotBidSql('now()')} and sold_at is null
       and not exists (
         select from auction_offers as offer
         where offer.auction_id = auctions.id
           and (offer.status = 'paid' or offer.status = 'open' and offer.user_id = users.id and users.banned_at is null
             or exists (select from placements where offer_id = offer.id)))
     limit $2`,
    [userId, LIMIT],
  )
  return rows.map(({ id }) => id)
}

/**
 * Payments of the last month whose `payment-settled` job was lost: after ten minutes they neither pay for an offer nor
 * are refunded, or they were refunded or disputed and their offer is still paid. Of a deleted account the offers are
 * gone, so its payments can't be judged.
 */
export async function findUnsettledPayments(db: Db): Promise<PaymentSettled[]> {
  const { rows } = await db.query<PaymentSettled>(
    `select coalesce(reference, '') as reference, page.status, session_id as "sessionId", payment_intent_id as "paymentId"
     from payment_sessions as page
     left join auction_offers as offer
       on offer.id::text = page.reference and offer.status = 'paid' and offer.payment_id is not distinct from page.payment_intent_id
     where kind = 'payment' and page.status in ('paid', 'refunded', 'disputed') and page.user_id is not null
       and updated_at between now() - interval '30 days' and now() - interval '10 minutes'
       and (page.status = 'paid') = (offer.id is null)
       and (page.status <> 'paid' or not exists (select from payment_refunds where payment_session_id = page.id))
     order by updated_at limit $1`,
    [LIMIT],
  )
  return rows
}

export interface UnshownPayment {
  auctionId: string
  offerId: string
  sessionId: string
}

/** Payments of placements that were never shown: some of those that are over or, with a user, all of that user. */
export async function findUnshownPayments(db: Db, userId?: string): Promise<UnshownPayment[]> {
  const { rows } = await db.query<UnshownPayment>(
    `select auction_id as "auctionId", offer.id as "offerId", session_id as "sessionId"
     from placements join auction_offers as offer on offer.id = offer_id
     join payment_sessions as page on page.reference = offer.id::text and page.payment_intent_id = offer.payment_id
     where unshown and ended_at is null and offer.status = 'paid' and page.status = 'paid' and session_id is not null
       and case when $1::uuid is null then ends_at <= now() else offer.user_id = $1 end
     order by ends_at limit case when $1::uuid is null then $2::integer end`,
    [userId, LIMIT],
  )
  return rows
}

/** Payment pages of offers whose refund was never requested: marked by a version without refunds. */
export async function findUnrequestedRefunds(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>(
    `select session_id as "sessionId"
     from auction_offers as offer join payment_sessions as page on page.reference = offer.id::text
     where offer.status = 'refund_due' and page.status = 'paid' and session_id is not null
       and not exists (select from payment_refunds where payment_session_id = page.id)
     limit $1`,
    [LIMIT],
  )
  return rows.map(({ sessionId }) => sessionId)
}
