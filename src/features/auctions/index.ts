// Auctions: bids, their end, and the payment that starts a placement.
export { jobs } from './auctions.jobs.ts'
export { auctionsOperations } from './auctions.operations.ts'
export { closeAuction } from './closing.service.ts'
export { recountAuctions } from './lead.service.ts'
export { lockAuctionsOf } from './lead.sql.ts'
export { createRound } from './rounds.service.ts'
export { applyPayment } from './settlement.service.ts'
export { refundUnshownOf, sweepAuctions } from './sweep.service.ts'
