// The end of an auction: exactly one winner, the highest valid bid; and who is offered it next when the winner does not pay.
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { requestRefund } from '../billing/index.ts'
import { holdSlot } from '../placements/index.ts'
import { completeAuction, findOverdue, type LockedAuction, lockAuction } from './auctions.sql.ts'
import { BAR_DAYS } from './bids.sql.ts'
import { recount, recountAuction } from './lead.service.ts'
import { findAuctionsWithLostBids } from './lead.sql.ts'
import {
  findLateOffers,
  findLiveOffer,
  findUnofferedAuctions,
  findUnrequestedRefunds,
  writeDefault,
  writeOfferStatus,
} from './offers.sql.ts'

/** A payment page lives for half an hour at least, and news of a payment takes a moment: what is paid on the last one opened counts. */
export const GRACE_MINUTES = 35
const BATCH = 100

type ClosingDeps = Pick<Deps, 'pool' | 'jobs' | 'log'>

/** Closes an auction that is over; one that is not, or was closed before, stays as it is. */
export async function closeAuction({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  const closed = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    return auction !== undefined && closeLocked(tx, jobs, auctionId, auction)
  })
  if (closed) log.info({ auctionId }, 'auction closed')
}

/**
 * The same for whoever holds the auction's lock: a winner who is here before the job must not wait for it.
 * @returns whether it was closed by this
 */
export async function closeLocked(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auctionId: string,
  auction: LockedAuction,
): Promise<boolean> {
  if (auction.status !== 'active') return false
  const now = await readClock(tx)
  if (now < auction.endsAt) return false
  await completeAuction(tx, auctionId)
  await recount(tx, jobs, auctionId, { ...auction, status: 'completed' }, now)
  return true
}

/** Ends an offer whose time is over, and makes the next one. Not having paid is a default, unless the slot was not sold. */
export async function passOn({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  const passed = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (auction?.status !== 'completed') return undefined
    const offer = await findLiveOffer(tx, auctionId)
    const now = await readClock(tx)
    if (offer?.status !== 'open' || now.getTime() < offer.expiresAt.getTime() + GRACE_MINUTES * 60_000) return undefined
    const isSold = (await holdSlot(tx, auction.slotId))?.isActive
    if (isSold) await writeDefault(tx, offer.id, now)
    else await writeOfferStatus(tx, offer.id, { status: 'withdrawn' })
    return { userId: offer.userId, isOffered: await recount(tx, jobs, auctionId, auction, now) }
  })
  if (!passed) return
  const { userId, isOffered } = passed
  log.info({ auctionId, isOffered }, 'auction passed on: the offer was not paid in time')
  // Each in a transaction of its own: the locks of several auctions are only taken in id order.
  for (const other of await findAuctionsWithLostBids(pool, BAR_DAYS, BATCH, userId))
    await recountAuction({ pool, jobs, log }, other)
}

/** Handler of `auction-sweep`: what a job should have done and did not. */
export async function sweepAuctions(deps: ClosingDeps): Promise<void> {
  const { pool, jobs, log } = deps
  const each = async (auctionIds: string[], work: typeof closeAuction) => {
    for (const auctionId of auctionIds)
      try {
        await work(deps, auctionId)
      } catch (err) {
        log.error({ err, auctionId }, 'an auction can’t be swept') // the others must not wait for it
      }
  }
  await each(await findOverdue(pool, BATCH), closeAuction)
  await each(await findLateOffers(pool, GRACE_MINUTES, BATCH), passOn)
  await each(await findAuctionsWithLostBids(pool, BAR_DAYS, BATCH), recountAuction)
  await each(await findUnofferedAuctions(pool, BATCH), recountAuction)
  for (const sessionId of await findUnrequestedRefunds(pool, BATCH)) await requestRefund(pool, jobs, sessionId)
}
