// The job that lets placements begin and end.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

/** Each minute: what begins and what is over, by the database's clock. A missed run is made up for by the next. */
export const placementTurn = defineJob('placement-turn', z.object({}), {
  policy: 'singleton',
  expireInSeconds: 120,
  retryLimit: 0,
  deleteAfterSeconds: 3600,
})
