// What everybody sees of auctions.
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import type { Pool } from '../../platform/db/pool.ts'
import type { AuctionDetail, Auctions } from './auctions.schema.ts'
import { type AuctionFilter, findAuction, findAuctions } from './auctions.sql.ts'
import { noSuchAuction } from './bids.service.ts'
import { findBids } from './bids.sql.ts'
import { mask, toAuction } from './masking.ts'

const MOST_AUCTIONS = 200
const MOST_BIDS = 100

export interface AuctionsService {
  /** Those that end next first, then those that ended last; 200 at most. */
  list(filter: AuctionFilter): Promise<z.input<typeof Auctions>>
  /** @throws ApiError 404 */
  detail(id: string): Promise<z.input<typeof AuctionDetail>>
}

export function createAuctionsService(pool: Pool): AuctionsService {
  return {
    async list(filter) {
      const rows = await findAuctions(pool, filter, { limit: MOST_AUCTIONS, offset: 0 })
      return { auctions: rows.map(toAuction) }
    },
    async detail(id) {
      const row = isUuid(id) ? await findAuction(pool, id) : undefined
      if (!row) throw noSuchAuction()
      const bids = await findBids(pool, id, MOST_BIDS)
      return {
        ...toAuction(row),
        bids: bids.map(({ id: bidId, amount, username, placedAt }) => ({
          id: bidId,
          bidAmount: amount,
          bidder: mask(username),
          placedAt: placedAt.toISOString(),
        })),
      }
    },
  }
}
