// The jobs that say that a server may have a webhook delivery due. What is to be sent is in the database, not in them.
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
