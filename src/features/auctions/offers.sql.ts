// Statements over offers: who may pay for an auction that is over.
import type { Db } from '../../platform/db/pool.ts'

export type OfferStatus = 'open' | 'paid' | 'expired' | 'refunded' | 'refund_due'

export interface OfferRow {
  id: string
  auctionId: string
  userId: string
  serverId: string | null
  amount: number
  status: OfferStatus
  offeredAt: Date
  expiresAt: Date
  paymentId: string | null
}

const COLUMNS = `id, auction_id as "auctionId", user_id as "userId", server_id as "serverId", amount, status,
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
    `update auction_offers set status = $2, payment_id = coalesce($3, payment_id), paid_at = coalesce($4, paid_at) where id = $1`,
    [id, change.status, change.paymentId, change.paidAt],
  )
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

/** Auctions of late that nobody has, though somebody bid: the winner's account is gone, or the slot was off when they ended. */
export async function findForsaken(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auctions.id as "auctionId" from auctions join ad_slots on ad_slots.id = slot_id
     where status = 'completed' and is_active and ends_at > now() - interval '30 days'
       and not exists (select from auction_offers where auction_id = auctions.id and status in ('open', 'paid', 'refunded'))
       and exists (
         select from bids join users on users.id = user_id
         where bids.auction_id = auctions.id and banned_at is null
           and user_id not in (select user_id from auction_offers where auction_id = auctions.id))
     order by ends_at limit $1`,
    [limit],
  )
  return rows.map(({ auctionId }) => auctionId)
}
