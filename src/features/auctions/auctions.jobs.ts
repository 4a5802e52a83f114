// The jobs of auctions: an auction's end, the sweep after what was missed, and the next round.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

export const AuctionClose = z.object({ auctionId: z.uuid() })
export type AuctionClose = z.output<typeof AuctionClose>

/** Due at the auction's end. One that was moved meanwhile is not over yet, and has another job. */
export const auctionClose = defineJob('auction-close', AuctionClose, {
  notify: true,
  expireInSeconds: 60,
  retryLimit: 10,
  retryDelay: 5,
  retryBackoff: true,
  // Longer than an auction may run: a job that waits for its end is not forgotten before.
  retentionSeconds: 400 * 86_400,
  deleteAfterSeconds: 86_400,
})

/** Each minute: auctions that are over and not closed, offers nobody has paid in time. */
export const auctionSweep = defineJob('auction-sweep', z.object({}), {
  policy: 'singleton',
  expireInSeconds: 300,
  retryLimit: 0,
  deleteAfterSeconds: 3600,
})

/** Hourly: the auctions of this round that are not there yet. */
export const auctionRound = defineJob('auction-round', z.object({}), {
  policy: 'singleton',
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 60,
  deleteAfterSeconds: 86_400,
})
