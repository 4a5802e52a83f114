// Obstacles: when an offer could not be paid, for a reason that is not its bidder's (docs/decisions/0009-auctions.md).
// SQL: one statement decides whether an obstacle begins or ends, and the sweep selects sets.
import type { Db } from '../../platform/db/pool.ts'
import type { ObstacleKind } from './auctions.schema.ts'

/**
 * Copies to an open offer when its slot was inactive.
 * @returns when it became active again, of the times that are new to the offer
 */
export async function copySlotPauses(tx: Db, offerId: string): Promise<Date[]> {
  const { rows } = await tx.query<{ endedAt: Date | null }>(
    `insert into auction_offer_obstacles as obstacle (offer_id, kind, began_at, ended_at)
     select offer.id, 'slot_inactive', greatest(pause.began_at, offered_at), pause.ended_at
     from auction_offers as offer
     join auctions on auctions.id = auction_id
     join ad_slot_pauses as pause on pause.slot_id = auctions.slot_id
     where offer.id = $1 and (pause.ended_at is null or pause.ended_at > offered_at)
     on conflict (offer_id, kind, began_at) do update set ended_at = excluded.ended_at
       where obstacle.ended_at is null and excluded.ended_at is not null
     returning ended_at as "endedAt"`,
    [offerId],
  )
  return rows.flatMap(({ endedAt }) => endedAt ?? [])
}

/** Changes nothing if such an obstacle is active. */
export async function beginObstacle(tx: Db, offerId: string, kind: ObstacleKind, now: Date): Promise<void> {
  await tx.query(
    `insert into auction_offer_obstacles (offer_id, kind, began_at) values ($1, $2, $3) on conflict do nothing`,
    [offerId, kind, now],
  )
}

/** @returns false if no such obstacle is active */
export async function endObstacle(tx: Db, offerId: string, kind: ObstacleKind, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update auction_offer_obstacles set ended_at = $3 where offer_id = $1 and kind = $2 and ended_at is null`,
    [offerId, kind, now],
  )
  return (rowCount ?? 0) > 0
}

/** Which obstacles are active. */
export async function findCurrentObstacles(db: Db, offerId: string): Promise<ObstacleKind[]> {
  const { rows } = await db.query<{ kind: ObstacleKind }>(
    `select kind from auction_offer_obstacles where offer_id = $1 and ended_at is null order by began_at`,
    [offerId],
  )
  return rows.map(({ kind }) => kind)
}

/** The newest 20 obstacles of each of these offers, oldest first. */
export async function findObstaclesOf(db: Db, offerIds: readonly string[]) {
  const { rows } = await db.query<{ offerId: string; kind: ObstacleKind; beganAt: Date; endedAt: Date | null }>(
    `select offer_id as "offerId", kind, began_at as "beganAt", ended_at as "endedAt"
     from (
       select *, row_number() over (partition by offer_id order by began_at desc) as nth
       from auction_offer_obstacles where offer_id = any($1::uuid[])) as obstacle
     where nth <= 20
     order by began_at`,
    [offerIds],
  )
  return rows
}

/**
 * Auctions whose open offer lacks an obstacle that the slot or the setting of billing now is, or has one that is over.
 */
export async function findUnrecordedObstacles(db: Db, isBillingOn: boolean, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auction_id as "auctionId"
     from auction_offers as offer join auctions on auctions.id = auction_id
     where offer.status = 'open' and (
       exists (
         select from ad_slot_pauses as pause
         where pause.slot_id = auctions.slot_id and (pause.ended_at is null or pause.ended_at > offered_at)
           and not exists (
             select from auction_offer_obstacles as known
             where known.offer_id = offer.id and kind = 'slot_inactive' and known.began_at = greatest(pause.began_at, offered_at)
               and known.ended_at is not distinct from pause.ended_at))
       or $1 = exists (
         select from auction_offer_obstacles as known
         where known.offer_id = offer.id and kind = 'billing_off' and known.ended_at is null))
     order by offered_at limit $2`,
    [isBillingOn, limit],
  )
  return rows.map(({ auctionId }) => auctionId)
}

/**
 * Auctions whose open offer waits for the payment provider. At random, so that one that always fails does
 * not hold up the others.
 */
export async function findAwaitingProvider(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auction_id as "auctionId"
     from auction_offer_obstacles as obstacle join auction_offers as offer on offer.id = offer_id
     where obstacle.ended_at is null and kind = 'provider_unavailable' and offer.status = 'open'
     order by random() limit $1`,
    [limit],
  )
  return rows.map(({ auctionId }) => auctionId)
}

/** Records that a sweep begins. @returns whether the last one was more than an hour ago: the directory was down */
export async function recordSweep(tx: Db): Promise<boolean> {
  const { rows } = await tx.query<{ wasDown: boolean }>(
    `select swept_at < clock_timestamp() - interval '1 hour' as "wasDown" from auction_sweeps for update`,
  )
  await tx.query(
    `insert into auction_sweeps (swept_at) values (clock_timestamp()) on conflict (id) do update set swept_at = excluded.swept_at`,
  )
  return rows[0]?.wasDown ?? false
}

/** Auctions with an open offer, in the order in which several are locked. */
export async function findAuctionsWithOpenOffers(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ auctionId: string }>(
    `select auction_id as "auctionId" from auction_offers where status = 'open' order by auction_id`,
  )
  return rows.map(({ auctionId }) => auctionId)
}
