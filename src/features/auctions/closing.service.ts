// Closes auctions: the highest valid bid wins, and the next bidder gets an offer if the winner does not pay.
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { retryDeadlocks } from '../../platform/db/deadlock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { findPaidOrProcessing, type Payments, wasPageOpened, wasPaid } from '../billing/index.ts'
import { type LockedAuction, lockAuction, updateAuction } from './auctions.store.ts'
import { mayBeOffered, updateLead, updateLeadInTransaction } from './lead.service.ts'
import { refreshObstacles } from './obstacles.service.ts'
import { beginObstacle } from './obstacles.sql.ts'
import { findLiveOffer, updateOffer } from './offers.store.ts'
import { findAuctionsWithLostBids } from './sweep.sql.ts'

/**
 * A payment page is open for at least 30 minutes and its event takes a moment. A payment on the last page still counts.
 */
export const GRACE_MINUTES = 35

export type ClosingDeps = Pick<Deps, 'pool' | 'jobs' | 'log'>
/** Dependencies of the sweep, which asks whether offers were or could be paid. */
export type SweepDeps = ClosingDeps & Pick<Deps, 'settings'> & { payments: Payments }

/** Handler of `auction-close`. Does nothing if the auction is not over, or was closed before. */
export async function closeAuction({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  // The deletion of an account locks its user, then the auctions; an offer locks the auction, then its user.
  const closed = await retryDeadlocks(() =>
    inTransaction(pool, async (tx) => {
      const auction = await lockAuction(tx, auctionId)
      return auction !== undefined && closeLockedAuction(tx, jobs, auction)
    }),
  )
  if (closed) log.info({ auctionId }, 'auction closed')
}

/**
 * The same for a locked auction, for winners who check out before the job has run.
 * @returns whether this call closed it
 */
export async function closeLockedAuction(tx: Db, jobs: JobQueue, auction: LockedAuction): Promise<boolean> {
  if (auction.status !== 'active') return false
  const now = await readClock(tx)
  if (now < auction.endsAt) return false
  await updateAuction(tx, auction.id, { status: 'completed' })
  await updateLead(tx, jobs, { ...auction, status: 'completed' }, now)
  return true
}

/**
 * Ends an offer that was not paid in time and makes the next one. The bidder defaults, but only if paying was possible:
 * an offer with an obstacle, or whose payment is on its way, stays open until the auction is too old to be offered. One
 * that was paid stays open until its payment is settled.
 */
export async function offerToNextBidder(deps: SweepDeps, auctionId: string): Promise<void> {
  const { pool, jobs, log, payments } = deps
  const found = await findLiveOffer(pool, auctionId)
  if (found?.status !== 'open') return
  // The provider is asked before the auction is locked.
  const wasOpened = await wasPageOpened(pool, found.id)
  const isReachable = !payments.isOn || (await payments.isReachable())
  if (payments.isOn && wasOpened) {
    if (!isReachable) return // it may have a payment: the next sweep asks again
    await payments.refreshOpenPages(found.id)
  }
  const couldPay = wasOpened || isReachable
  const ended = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (auction?.status !== 'completed') return undefined
    const live = await findLiveOffer(tx, auctionId)
    if (live?.id !== found.id || live.status !== 'open') return undefined
    const now = await readClock(tx)
    const offer = await refreshObstacles(tx, payments, live, now)
    if (now.getTime() < offer.expiresAt.getTime() + GRACE_MINUTES * 60_000) return undefined
    if (await wasPaid(tx, offer.id)) return undefined // the offer is settled soon
    const isProcessing = (await findPaidOrProcessing(tx, [offer.id])).has(offer.id)
    if (isProcessing && mayBeOffered(auction, now)) return undefined
    const isObstructed = isProcessing || offer.obstacles.length > 0 || !couldPay
    if (isObstructed && mayBeOffered(auction, now)) {
      if (!couldPay) await beginObstacle(tx, offer.id, 'provider_unavailable', now)
      return undefined
    }
    await updateOffer(tx, offer.id, isObstructed ? { status: 'withdrawn' } : { status: 'expired', defaultedAt: now })
    return { userId: offer.userId, hasNewOffer: await updateLead(tx, jobs, auction, now) }
  })
  if (!ended) return
  const next = ended.hasNewOffer ? 'the auction is offered to the next bidder' : 'no bidder is left'
  log.info({ auctionId }, `an offer was not paid in time; ${next}`)
  // One transaction each, because several auctions may only be locked in id order.
  for (const other of await findAuctionsWithLostBids(pool, ended.userId))
    await updateLeadInTransaction({ pool, jobs, log }, other)
}
