// The sweep of auctions: what a missed job should have done, and refunds of placements that were never shown.
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { requestRefund } from '../billing/index.ts'
import { lockAuction } from './auctions.store.ts'
import { type ClosingDeps, closeAuction, GRACE_MINUTES, offerToNextBidder } from './closing.service.ts'
import { recountAuction } from './lead.service.ts'
import { findOffer, updateOffer } from './offers.store.ts'
import { applyPayment } from './settlement.service.ts'
import {
  findAuctionsWithLostBids,
  findOverdueAuctions,
  findUnofferedAuctions,
  findUnpaidAuctions,
  findUnrequestedRefunds,
  findUnsettledPayments,
  findUnshownPayments,
  type UnshownPayment,
} from './sweep.sql.ts'

/** Handler of `auction-sweep`: does what a missed job should have done. */
export async function sweepAuctions(deps: ClosingDeps): Promise<void> {
  const { pool, jobs, log } = deps
  const each = async <T>(items: T[], work: (deps: ClosingDeps, item: T) => Promise<void>) => {
    for (const item of items)
      try {
        await work(deps, item)
      } catch (err) {
        log.error({ err, item }, 'could not sweep an auction') // the others must be swept too
      }
  }
  await each(await findOverdueAuctions(pool), closeAuction)
  await each(await findUnpaidAuctions(pool, GRACE_MINUTES), offerToNextBidder)
  await each(await findAuctionsWithLostBids(pool), recountAuction)
  await each(await findUnofferedAuctions(pool), recountAuction)
  await each(await findUnsettledPayments(pool), (_, payment) => applyPayment(deps, { ...payment, status: 'paid' }))
  await each(await findUnshownPayments(pool), refundUnshown)
  for (const sessionId of await findUnrequestedRefunds(pool)) await requestRefund(pool, jobs, sessionId)
}

/** Refunds a placement that is over and was never shown: its slot was inactive or its server not listed the whole time. */
async function refundUnshown(
  { pool, jobs, log }: ClosingDeps,
  { auctionId, offerId, sessionId }: UnshownPayment,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await lockAuction(tx, auctionId)
    if ((await findOffer(tx, offerId))?.status !== 'paid') return
    await updateOffer(tx, offerId, { status: 'refund_due' })
    await requestRefund(tx, jobs, sessionId)
  })
  log.warn({ offerId, auctionId }, 'a placement was never shown; its payment is refunded')
}

/** Refunds a user's placements that were not shown yet, before their offers are deleted with the account. */
export async function refundUnshownOf(tx: Db, jobs: Pick<Jobs, 'enqueue'>, userId: string): Promise<void> {
  for (const { sessionId } of await findUnshownPayments(tx, userId)) await requestRefund(tx, jobs, sessionId)
}
