// The sweep of auctions: what a missed job should have done, obstacles of offers, and refunds of placements
// that were never shown.
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { createWorkerPayments, requestRefund, stopPaymentReports } from '../billing/index.ts'
import { deletePlacementsOf } from '../placements/index.ts'
import { lockAuction } from './auctions.store.ts'
import { closeAuction, GRACE_MINUTES, offerToNextBidder, type SweepDeps } from './closing.service.ts'
import { updateLeadInTransaction } from './lead.service.ts'
import { recordObstacles, retryProvider } from './obstacles.service.ts'
import { findAwaitingProvider, findUnrecordedObstacles } from './obstacles.sql.ts'
import { findOffer, recordSoldTo, updateOffer } from './offers.store.ts'
import { extendAfterOutage } from './outage.service.ts'
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

/** Maximum of each kind of obstacle in one sweep; the next sweep finds the rest. */
const MAX_SWEPT = 100
/** Maximum in one sweep: each may wait 16 s for the provider. */
const MAX_PROVIDER_RETRIES = 5

/** Handler of `auction-sweep`: does what a missed job should have done. */
export async function sweepAuctions(processDeps: Deps): Promise<void> {
  const payments = createWorkerPayments(processDeps)
  let reachable: Promise<boolean> | undefined
  /** Asked once in a sweep: a provider that is down answers after its timeout. */
  function isReachable(): Promise<boolean> {
    reachable ??= payments.isReachable()
    return reachable
  }
  const deps: SweepDeps = { ...processDeps, payments: { ...payments, isReachable } }
  const { pool, jobs, log } = deps
  const each = async <T>(items: T[], work: (deps: SweepDeps, item: T) => Promise<void>) => {
    for (const item of items)
      try {
        await work(deps, item)
      } catch (err) {
        log.error({ err, item }, 'could not sweep an auction') // the others must be swept too
      }
  }
  await extendAfterOutage(deps)
  await each(await findOverdueAuctions(pool), closeAuction)
  await each(await findUnrecordedObstacles(pool, payments.isOn, MAX_SWEPT), recordObstacles)
  if (payments.isOn) await each(await findAwaitingProvider(pool, MAX_PROVIDER_RETRIES), retryProvider)
  await each(await findUnpaidAuctions(pool, GRACE_MINUTES), offerToNextBidder)
  await each(await findAuctionsWithLostBids(pool), updateLeadInTransaction)
  await each(await findUnofferedAuctions(pool), updateLeadInTransaction)
  await each(await findUnsettledPayments(pool), applyPayment)
  await each(await findUnshownPayments(pool), refundUnshown)
  await each(await findUnrequestedRefunds(pool), (_, sessionId) =>
    inTransaction(pool, (tx) => requestRefund(tx, jobs, sessionId)),
  )
}

/**
 * Refunds a placement that is over and was never shown: its slot was inactive or its server not listed the whole time.
 */
async function refundUnshown(
  { pool, jobs, log }: SweepDeps,
  { auctionId, offerId, sessionId }: UnshownPayment,
): Promise<void> {
  const isRefunded = await inTransaction(pool, async (tx) => {
    await lockAuction(tx, auctionId)
    if ((await findOffer(tx, offerId))?.status !== 'paid') return false
    await updateOffer(tx, offerId, { status: 'refund_due' })
    await requestRefund(tx, jobs, sessionId)
    return true
  })
  if (isRefunded) log.warn({ offerId, auctionId }, 'a placement was never shown; its payment is refunded')
}

/**
 * Refunds placements that were not shown yet, and keeps which auctions are sold, and their payments. Call it before a
 * user's offers are deleted. Placements of servers that have another owner by now stay.
 */
export async function settleBeforeDeletion(tx: Db, jobs: JobQueue, userId: string): Promise<void> {
  for (const { sessionId } of await findUnshownPayments(tx, userId)) await requestRefund(tx, jobs, sessionId)
  const sold = await recordSoldTo(tx, userId)
  await stopPaymentReports(
    tx,
    sold.map(({ id, paymentId }) => ({ reference: id, paymentId })),
  )
  await deletePlacementsOf(tx, userId)
}
