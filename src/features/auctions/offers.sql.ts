// Statements over offers: who may pay for an auction that is over.
import type { Db } from '../../platform/db/pool.ts'

export type OfferStatus = 'open' | 'paid' | 'expired' | 'withdrawn' | 'refunded' | 'refund_due'

export interface OfferRow {
  id: string
  auctionId: string
  bidId: string
  userId: string
  serverId: string | null
  amount: number
  status: OfferStatus
  offeredAt: Date
  expiresAt: Date
  paymentId: string | null
}

const COLUMNS = `id, auction_id as "auctionId", bid_id as "bidId", user_id as "userId", server_id as "serverId", amount, status,
  offered_at as "offeredAt", expires_at as "expiresAt", payment_id as "paymentId"`

export async function insertOffer(
  tx: Db,
  offer: { id: string; auctionId: string; bidId: string; userId: string; serverId: string | null; amount: number },
  offeredAt: Date,
  hours: number,
): Promise<void> {
  await tx.query(
    `insert into auction_offers (id, auction_id, bid_id, user_id, server_id, amount, offered_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7::timestamptz + make_interval(hours => $8))`,
    [offer.id, offer.auctionId, offer.bidId, offer.userId, offer.serverId, offer.amount, offeredAt, hours],
  )
}

export async function findOffer(db: Db, id: string): Promise<OfferRow | undefined> {
  const { rows } = await db.query<OfferRow>(`select ${COLUMNS} from auction_offers where id = $1`, [id])
  return rows[0]
}

/** The offer that is open or paid: at most one an auction. */
export async function findLiveOffer(db: Db, auctionId: string): Promise<OfferRow | undefined> {
  const { rows } = await db.query<OfferRow>(
    `select ${COLUMNS} from auction_offers where auction_id = $1 and status in ('open', 'paid')`,
    [auctionId],
  )
  return rows[0]
}

export async function findOffersOf(db: Db, auctionIds: readonly string[]): Promise<OfferRow[]> {
  const { rows } = await db.query<OfferRow>(
    `select ${COLUMNS} from auction_offers where auction_id = any($1) order by offered_at, id`,
    [auctionIds],
  )
  return rows
}

export async function writeOfferStatus(
  tx: Db,
  id: string,
  change: { status: OfferStatus; paymentId?: string | null; paidAt?: Date },
): Promise<void> {
  await tx.query(
    `update auction_offers set status = $2, payment_id = coalesce($3, payment_id), paid_at = coalesce($4, paid_at),
       defaulted_at = case when $2 = 'paid' then null else defaulted_at end
     where id = $1`,
    [id, change.status, change.paymentId, change.paidAt],
  )
}

/** The offer was not paid in time. */
export async function writeDefault(tx: Db, id: string, now: Date): Promise<void> {
  await tx.query(`update auction_offers set status = 'expired', defaulted_at = $2 where id = $1`, [id, now])
}

export async function writeOfferServer(tx: Db, id: string, serverId: string): Promise<void> {
  await tx.query('update auction_offers set server_id = $2 where id = $1', [id, serverId])
}

/** Auctions with an offer nobody has paid in time, oldest first. */
export async function findLateOffers(db: Db, graceMinutes: number, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auction_id as "auctionId" from auction_offers
     where status = 'open' and expires_at <= now() - make_interval(mins => $1)
     order by expires_at limit $2`,
    [graceMinutes, limit],
  )
  return rows.map(({ auctionId }) => auctionId)
}

/** Auctions of late that are offered to nobody though there is a valid bid: the winner's account is gone, or the slot was off. */
export async function findUnofferedAuctions(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auctions.id as "auctionId" from auctions join ad_slots on ad_slots.id = slot_id
     where status = 'completed' and is_active and ends_at > now() - interval '30 days'
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
    [limit],
  )
  return rows.map(({ auctionId }) => auctionId)
}

/** Pages of offers whose money is to be given back, without a refund: marked by a version that had none. */
export async function findUnrequestedRefunds(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>(
    `select session_id as "sessionId"
     from auction_offers as offer join payment_sessions as page on page.reference = offer.id::text
     where offer.status = 'refund_due' and page.status = 'paid' and session_id is not null
       and not exists (select from payment_refunds where payment_session_id = page.id)
     limit $1`,
    [limit],
  )
  return rows.map(({ sessionId }) => sessionId)
}
