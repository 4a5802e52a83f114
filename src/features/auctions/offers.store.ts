// Stored offers: who may pay for an auction that is over.
import type { Auction, AuctionOffer, Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import { hasPlacement } from '../placements/index.ts'
import type { OfferStatus } from './auctions.schema.ts'
import { findObstaclesOf } from './obstacles.sql.ts'

export type OfferRow = AuctionOffer & { status: OfferStatus }

export async function insertOffer(
  { prisma }: Db,
  offer: Pick<OfferRow, 'id' | 'auctionId' | 'bidId' | 'userId' | 'serverId' | 'amount' | 'offeredAt' | 'expiresAt'>,
): Promise<void> {
  await prisma.auctionOffer.create({ data: offer, select: { id: true } })
}

export const findOffer = async ({ prisma }: Db, id: string) =>
  (await prisma.auctionOffer.findUnique({ where: { id } })) as OfferRow | null

/** The open or paid offer; an auction has at most one. */
export const findLiveOffer = async ({ prisma }: Db, auctionId: string) =>
  (await prisma.auctionOffer.findFirst({ where: { auctionId, status: { in: ['open', 'paid'] } } })) as OfferRow | null

/** Offers of these auctions, oldest first. */
export const findOffersOf = async ({ prisma }: Db, auctionIds: string[]) =>
  (await prisma.auctionOffer.findMany({
    where: { auctionId: { in: auctionIds } },
    orderBy: [{ offeredAt: 'asc' }, { id: 'asc' }],
  })) as OfferRow[]

/** A user's offers of these auctions, newest first. */
export const findOwnOffers = async ({ prisma }: Db, userId: string, auctionIds: string[]) =>
  (await prisma.auctionOffer.findMany({
    where: { userId, auctionId: { in: auctionIds } },
    orderBy: [{ offeredAt: 'desc' }, { id: 'desc' }],
  })) as OfferRow[]

/** Adds to offers when they could not be paid. */
export async function withObstacles<Offer extends { id: string }>(db: Db, offers: readonly Offer[]) {
  const all = await findObstaclesOf(
    db,
    offers.map(({ id }) => id),
  )
  return offers.map((offer) => ({ ...offer, obstacles: all.filter(({ offerId }) => offerId === offer.id) }))
}

export async function updateOffer(
  { prisma }: Db,
  id: string,
  data: Prisma.AuctionOfferUncheckedUpdateInput & { status?: OfferStatus },
): Promise<void> {
  await prisma.auctionOffer.update({ where: { id }, data, select: { id: true } })
}

/**
 * Whether one of these offers was paid or has a placement, or had one until the account of its buyer was deleted. Then,
 * even after a refund, the auction is not offered again.
 * @param offers all of the auction, or those that count
 */
export const isSold = async (
  tx: Db,
  { soldAt }: Pick<Auction, 'soldAt'>,
  offers: readonly OfferRow[],
): Promise<boolean> =>
  soldAt !== null ||
  offers.some(({ status }) => status === 'paid') ||
  hasPlacement(
    tx,
    offers.map(({ id }) => id),
  )

/**
 * Keeps which auctions a user has bought, unless the placement was never shown. Call it before the user is deleted.
 * @returns the offers by which they were bought, without those that were refunded before they were shown:
 * that refund may fail
 */
export async function recordSoldTo(tx: Db, userId: string) {
  const { rows } = await tx.query<Pick<OfferRow, 'id' | 'paymentId'> & { isRefunded: boolean }>(
    `update auctions set sold_at = coalesce(paid_at, placements.starts_at)
     from auction_offers as offer join placements on offer_id = offer.id
     where auctions.id = offer.auction_id and offer.user_id = $1 and not (unshown and ended_at is null)
     returning offer.id, payment_id as "paymentId", unshown and end_reason = 'refunded' as "isRefunded"`,
    [userId],
  )
  return rows.filter(({ isRefunded }) => !isRefunded)
}
