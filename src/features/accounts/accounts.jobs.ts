// The job that clears away what is past its time. A missed or repeated run does no harm: nothing past its time is accepted.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

/** Hourly. */
export const accountsUpkeep = defineJob('accounts-upkeep', z.object({}), {
  policy: 'singleton',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 600,
  deleteAfterSeconds: 7 * 86_400,
})
