// The jobs of auctions: closing an auction, the sweep for what was missed, and the weekly round.
import * as z from 'zod'
import { defineJob, defineMaintenance } from '../../platform/queue/contract.ts'

export const AuctionClose = z.object({ auctionId: z.uuid() })
export type AuctionClose = z.output<typeof AuctionClose>

/** Due at the auction's end. Does nothing if the end was moved: then the auction has another job. */
export const auctionClose = defineJob('auction-close', AuctionClose, {
  notify: true,
  expireInSeconds: 60,
  retryLimit: 10,
  retryDelay: 5,
  retryBackoff: true,
  // Longer than an auction may run, so that a job is not deleted while it waits for the end.
  retentionSeconds: 400 * 86_400,
  deleteAfterSeconds: 86_400,
})

/** Each minute: auctions that are over and not closed, and offers that were not paid in time. */
export const auctionSweep = defineMaintenance('auction-sweep', { cadence: 'minutes', expireInSeconds: 300 })

/** Hourly: creates the auctions of this round that do not exist yet. */
export const auctionRound = defineMaintenance('auction-round', { cadence: 'hours', expireInSeconds: 300 })
