// The end of an auction: exactly one winner, the highest accepted bid; and who is offered it next when the winner does not pay.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notify } from '../notifications/index.ts'
import { queueDeliveries } from '../webhooks/index.ts'
import { completeAuction, findOverdue, type LockedAuction, lockAuction, readClock } from './auctions.sql.ts'
import { findNextBidder } from './bids.sql.ts'
import { findLateOffers, findLiveOffer, insertOffer, writeOfferStatus } from './offers.sql.ts'

/** api-decisions.md "Money": the winner has 48 h to pay. */
export const OFFER_HOURS = 48
const BATCH = 100

type ClosingDeps = Pick<Deps, 'pool' | 'jobs' | 'log'>

/** Closes an auction that is over; one that is not, or was closed before, stays as it is. */
export async function closeAuction({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  const closed = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (auction?.status !== 'active') return false
    const now = await readClock(tx)
    if (now < auction.endsAt) return false
    await completeAuction(tx, auctionId)
    await offerToNext(tx, jobs, auctionId, auction, now)
    return true
  })
  if (closed) log.info({ auctionId }, 'auction closed')
}

/** Offers an auction to the highest bidder who was not offered it yet. Nobody left: nothing more happens. */
async function offerToNext(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  auctionId: string,
  auction: LockedAuction,
  now: Date,
): Promise<void> {
  const bidder = await findNextBidder(tx, auctionId)
  if (!bidder) return
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
}

/** Ends an offer whose time is over, and makes the next. */
export async function passOn({ pool, jobs, log }: ClosingDeps, auctionId: string): Promise<void> {
  const passed = await inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (!auction) return false
    const offer = await findLiveOffer(tx, auctionId)
    const now = await readClock(tx)
    if (offer?.status !== 'open' || now < offer.expiresAt) return false
    await writeOfferStatus(tx, offer.id, { status: 'expired' })
    await offerToNext(tx, jobs, auctionId, auction, now)
    return true
  })
  if (passed) log.info({ auctionId }, 'auction offered to the next bidder: the one before did not pay in time')
}

/** Handler of `auction-sweep`: what a job should have done and did not. */
export async function sweepAuctions(deps: ClosingDeps): Promise<void> {
  for (const auctionId of await findOverdue(deps.pool, BATCH)) await closeAuction(deps, auctionId)
  for (const auctionId of await findLateOffers(deps.pool, BATCH)) await passOn(deps, auctionId)
}
