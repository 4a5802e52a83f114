// Creates the weekly auctions: one per active slot and week, however often the job runs.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { readClock } from '../../platform/db/clock.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts'
import { findActiveSlots, lockSlotForShare } from '../placements/index.ts'
import { auctionClose } from './auctions.jobs.ts'
import { insertAuction } from './auctions.store.ts'

const WEEK_MS = 7 * DAY_MS
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS
/** Minimum time for bids in an auction that is created late. */
const MIN_HOURS = 24

/** The week, Monday to Monday UTC, that contains a time; the next week if too little of it is left. */
export function roundOf(now: Date): { startsAt: Date; endsAt: Date } {
  const weeks = Math.floor((now.getTime() - FIRST_MONDAY_MS) / WEEK_MS)
  const start = FIRST_MONDAY_MS + weeks * WEEK_MS
  const isLate = start + WEEK_MS - now.getTime() < MIN_HOURS * HOUR_MS
  const from = isLate ? start + WEEK_MS : start
  return { startsAt: new Date(from), endsAt: new Date(from + WEEK_MS) }
}

/** Unique among auctions, also canceled ones. */
const recurrenceKeyOf = (slotId: string, { startsAt }: { startsAt: Date }): string =>
  `${slotId} ${startsAt.toISOString().slice(0, 10)}`

/** Whether the job would create this auction again if it were deleted. */
export const recurs = (
  settings: Pick<Settings, 'AUCTION_RECURRENCE'>,
  auction: { slotId: string; isSlotActive: boolean; recurrenceKey: string | null },
  now: Date,
): boolean =>
  settings.AUCTION_RECURRENCE !== 'off' &&
  auction.isSlotActive &&
  auction.recurrenceKey === recurrenceKeyOf(auction.slotId, roundOf(now))

/** Handler of `auction-round`. Does nothing unless AUCTION_RECURRENCE is `weekly`. */
export async function createRound({
  pool,
  jobs,
  settings,
  log,
}: Pick<Deps, 'pool' | 'jobs' | 'settings' | 'log'>): Promise<void> {
  if (settings.AUCTION_RECURRENCE === 'off') return
  for (const { id: slotId } of await findActiveSlots(pool)) {
    const created = await inTransaction(pool, async (tx) => {
      const slot = await lockSlotForShare(tx, slotId)
      if (!slot?.isActive) return undefined
      const { startsAt, endsAt } = roundOf(await readClock(tx))
      const id = uuidv7()
      const isNew = await insertAuction(tx, {
        id,
        slotId,
        tier: slot.tier,
        location: slot.location,
        title: `${slot.name}, week of ${endsAt.toISOString().slice(0, 10)}`,
        startsAt,
        endsAt,
        startingBid: settings.AUCTION_STARTING_BID_CENTS,
        minimumIncrement: settings.AUCTION_MINIMUM_INCREMENT_CENTS,
        softCloseSeconds: settings.AUCTION_SOFT_CLOSE_SECONDS,
        placementDays: 7,
        recurrenceKey: recurrenceKeyOf(slotId, { startsAt }),
      })
      if (!isNew) return undefined
      await jobs.enqueue(tx, auctionClose, [{ auctionId: id }], { startAfter: endsAt })
      return id
    })
    if (created) log.info({ auctionId: created, slotId }, 'auction created for this round')
  }
}
