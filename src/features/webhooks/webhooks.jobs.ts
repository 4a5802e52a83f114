// The jobs that wake workers for due deliveries, and the upkeep. Jobs name endpoints; what is sent is in the database.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

const WAKE = {
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 86_400,
  deleteAfterSeconds: 900,
}

/** `deliveryId`: that delivery is made due first if it is dead, so that redriving a dead letter sends it again. */
const WebhookWake = z.object({ endpointId: z.uuid(), deliveryId: z.uuid().optional() })
export type WebhookWake = z.output<typeof WebhookWake>

/** One for each delivery, in its transaction, and a deferred one for each retry. */
export const webhookWake = defineJob('webhook', WebhookWake, {
  ...WAKE,
  expireInSeconds: 120,
  /** Dead deliveries, for the operator. */
  deadLetter: 'webhook-dead',
})

const WebhookSlowWake = z.object({ endpointId: z.uuid() })

/** Endpoints that last failed or were slow, at most one job each. */
export const webhookSlowWake = defineJob('webhook-slow', WebhookSlowWake, {
  ...WAKE,
  policy: 'short',
  expireInSeconds: 600,
})

/** Every minute: wakes endpoints whose wake job was lost. */
export const webhookSweep = defineScheduledJob('webhook-sweep', { cadence: 'minutes', expireInSeconds: 300 })

/** Daily: deletes old deliveries and expired secrets, and encrypts secrets under the current APP_SECRET. */
export const webhookUpkeep = defineScheduledJob('webhook-upkeep', { cadence: 'hours', expireInSeconds: 3600 })

export const jobs = { webhookWake, webhookSlowWake, webhookSweep, webhookUpkeep }
