// Auctions: bids, their end, and the payment that makes a placement of them.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Payments } from '../billing/index.ts'
import { adminRoutes } from './admin.routes.ts'
import { createAuctionsAdmin } from './admin.service.ts'
import { auctionsRoutes } from './auctions.routes.ts'
import { createAuctionsService } from './auctions.service.ts'
import { createBidsService } from './bids.service.ts'
import { createSettlement } from './settlement.service.ts'

export { auctionClose, auctionRound, auctionSweep } from './auctions.jobs.ts'
export { closeAuction, sweepAuctions } from './closing.service.ts'
export { recountAuctions } from './lead.service.ts'
export { lockAuctionsOf } from './lead.sql.ts'
export { makeRound } from './rounds.service.ts'
export { applyPayment } from './settlement.service.ts'

export interface AuctionsRoom {
  routes: Route[]
}

export function createAuctions(deps: Pick<Deps, 'pool' | 'jobs' | 'settings'> & { payments: Payments }): AuctionsRoom {
  const services = {
    auctions: createAuctionsService(deps.pool),
    bids: createBidsService(deps),
    settlement: createSettlement(deps),
  }
  return { routes: [...auctionsRoutes(services), ...adminRoutes(createAuctionsAdmin(deps))] }
}
