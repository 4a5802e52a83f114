// The bids of a user, and the auctions that they could pay.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const bids: PersonalData = {
  name: 'bids',
  columns: ['bids.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.bid.findMany({ where: { userId }, omit: { userId: true }, orderBy: { id: 'desc' }, ...range }),
}

const auctionOffers: PersonalData = {
  name: 'auctionOffers',
  columns: ['auction_offers.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.auctionOffer.findMany({
      where: { userId },
      omit: { userId: true },
      include: { placement: { select: { startsAt: true, endsAt: true, endedAt: true } } },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [bids, auctionOffers]
