// The job that deletes messages past their time. A missed or repeated run does no harm.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

/** Daily. */
export const contactRetention = defineJob('contact-retention', z.object({}), {
  policy: 'singleton',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 600,
  deleteAfterSeconds: 7 * 86_400,
})
