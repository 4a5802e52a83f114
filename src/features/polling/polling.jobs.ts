// The job that polls one batch of servers: which ones, and for which cycle.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

/** Servers in one job. One bulk statement writes them; more would make the quick wait longer for the slow. */
export const BATCH_SIZE = 200

/** Ids only: what the server is called and where it lives is read when the batch runs. */
export const PollBatch = z.object({
  servers: z.array(z.object({ serverId: z.uuid(), cycle: z.int().positive() })).max(BATCH_SIZE),
})

export type PollBatch = z.output<typeof PollBatch>

export const poll = defineJob('poll', PollBatch, {
  // A separate table: it sees more jobs in a minute than all other queues in a day.
  partition: true,
  // Past this a batch is given up on; its servers have come due again by then.
  expireInSeconds: 300,
  heartbeatSeconds: 10,
  retryLimit: 1,
  retentionSeconds: 600,
  deleteAfterSeconds: 60,
})

export const jobs = { poll }
