// The jobs of auctions: closing one auction, the sweep for missed work, and the weekly round.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

/** Due at the auction's end. Does nothing if the end was moved: then the auction has a later job. */
export const auctionClose = defineJob('auction-close', z.object({ auctionId: z.uuid() }), {
  expireInSeconds: 60,
  retryLimit: 10,
  retryDelay: 5,
  retryBackoff: true,
  // Longer than an auction may run, so that a waiting job is not deleted.
  retentionSeconds: 400 * 86_400,
  deleteAfterSeconds: 86_400,
})

/** Each minute: closes auctions that are over, and ends offers that were not paid in time. */
export const auctionSweep = defineScheduledJob('auction-sweep', { cadence: 'minutes', expireInSeconds: 300 })

/** Hourly: creates the missing auctions of this round. */
export const auctionRound = defineScheduledJob('auction-round', { cadence: 'hours', expireInSeconds: 300 })

export const jobs = { auctionClose, auctionSweep, auctionRound }
