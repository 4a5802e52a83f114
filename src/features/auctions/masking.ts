// Rows as the public sees them.
import type * as z from 'zod'
import type { Auction } from './auctions.schema.ts'
import type { AuctionRow } from './auctions.sql.ts'

/** First letter and three stars: enough to know oneself, too little to know another. */
export function mask(name: string): string {
  const [first = ''] = name.trim()
  return `${first}***`
}

export function toAuction(row: AuctionRow): z.input<typeof Auction> {
  const { id, tier, location, title, status, startingBid, currentBid, bidCount, minimumIncrement, winnerServerId } = row
  return {
    id,
    tier,
    location,
    title,
    status,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    startingBid,
    currentBid,
    bidCount,
    minimumIncrement,
    leadingBidder: row.leaderName === null ? null : mask(row.leaderName),
    winnerServerId: status === 'completed' ? winnerServerId : null,
  }
}
