// The end of an auction: exactly one winner, the highest accepted bid; and who is offered it next when the winner does not pay.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { holdSlot } from '../placements/index.ts'
import { queueDeliveries } from '../webhooks/index.ts'
import { completeAuction, findOverdue, type LockedAuction, lockAuction } from './auctions.sql.ts'
import { findNextBidder } from './bids.sql.ts'
import {
  findForsaken,
  findLateOffers,
  findLiveOffer,
  findOffersOf,
  insertOffer,
  writeOfferStatus,
} from './offers.sql.ts'

/** api-decisions.md "Money": the winner has 48 h to pay. */
export const OFFER_HOURS = 48
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
  await offerToNext(tx, jobs, auctionId, auction, now)
  return true
}

/**
 * Offers an auction to the highest bidder who was not offered it yet.
 * @returns false when nobody is left, or the slot is not sold at the moment: once it is again, the sweep comes back to it
 */
async function offerToNext(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auctionId: string,
  auction: LockedAuction,
  now: Date,
): Promise<boolean> {
  const isSold = (await holdSlot(tx, auction.slotId))?.isActive
  const bidder = isSold ? await findNextBidder(tx, auctionId) : undefined
  if (!bidder) return false
  await insertOffer(tx, { id: uuidv7(), auctionId, ...bidder }, now, OFFER_HOURS)
  const { title } = auction
  await jobs.enqueue(tx, notify, [
    {
      event: 'auctionWon',
      at: now.toISOString(),
      userId: bidder.userId,
      data: { title, auctionId, amountCents: bidder.amount },
    },
  ])
  if (bidder.serverId)
    await queueDeliveries(tx, jobs, [
      {
        serverId: bidder.serverId,
        type: 'auction.won',
        at: now,
        data: { auctionId, title, serverId: bidder.serverId, amountCents: bidder.amount, payWithinHours: OFFER_HOURS },
      },
    ])
  return true
}

/** Ends an offer whose time is over, and makes the next; also when there is none though there should be (`findForsaken`). */
export async function passOn({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  const passed = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (auction?.status !== 'completed') return undefined
    const offer = await findLiveOffer(tx, auctionId)
    const now = await readClock(tx)
    if (offer) {
      if (offer.status !== 'open' || now.getTime() < offer.expiresAt.getTime() + GRACE_MINUTES * 60_000)
        return undefined
      await writeOfferStatus(tx, offer.id, { status: 'expired' })
    } else if ((await findOffersOf(tx, [auctionId])).some(({ status }) => status === 'refunded')) return undefined
    const isOffered = await offerToNext(tx, jobs, auctionId, auction, now)
    return offer || isOffered ? { isOffered } : undefined
  })
  if (passed) log.info({ auctionId, ...passed }, 'auction passed on: whoever won it did not pay in time')
}

/** Handler of `auction-sweep`: what a job should have done and did not. */
export async function sweepAuctions(deps: ClosingDeps): Promise<void> {
  const { pool, log } = deps
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
  await each(await findForsaken(pool, BATCH), passOn)
}
