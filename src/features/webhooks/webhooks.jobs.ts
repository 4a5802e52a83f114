// The jobs that say that a server may have a webhook delivery due (what is to be sent is in the database, not in them), and the upkeep.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

/** With a delivery, that one is made due first if it was dead: so a redriven dead letter is sent once more. */
const WebhookWake = z.object({ serverId: z.uuid(), deliveryId: z.uuid().optional() })
export type WebhookWake = z.output<typeof WebhookWake>

/** One for each delivery, in the transaction that wrote it, and one for each later attempt, deferred. */
export const webhookWake = defineJob('webhook', WebhookWake, {
  notify: true,
  expireInSeconds: 120,
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  /** Deliveries that were given up, for the operator to look at. */
  deadLetter: 'webhook-dead',
  retentionSeconds: 86_400,
  deleteAfterSeconds: 900,
})

/** Servers whose endpoint last failed or took long wait here, each once. */
export const webhookSlowWake = defineJob('webhook-slow', z.object({ serverId: z.uuid() }), {
  notify: true,
  policy: 'short',
  expireInSeconds: 600,
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 86_400,
  deleteAfterSeconds: 900,
})

const upkeep = { policy: 'singleton', retryLimit: 0 } as const

/** Each minute: wakes servers whose wake job was lost. */
export const webhookSweep = defineJob('webhook-sweep', z.object({}), { ...upkeep, expireInSeconds: 300 })

/** Daily: forgets old deliveries and secrets past their time, and seals secrets under the present APP_SECRET. */
export const webhookUpkeep = defineJob('webhook-upkeep', z.object({}), {
  ...upkeep,
  retryLimit: 2,
  expireInSeconds: 3_600,
})
