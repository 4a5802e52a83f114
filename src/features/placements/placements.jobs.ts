// The job that begins and ends placements.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

/** Runs each minute. What begins and ends is decided by the database's clock, so the next run makes up for a missed one. */
export const placementTurn = defineJob('placement-turn', z.object({}), {
  policy: 'singleton',
  expireInSeconds: 120,
  retryLimit: 0,
  deleteAfterSeconds: 3600,
})
