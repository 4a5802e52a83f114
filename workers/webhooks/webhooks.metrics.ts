// Metrics of webhook deliveries.
import { Counter, Histogram } from 'prom-client'
import { exposeGauge } from '../../src/platform/observability/metrics.ts'

export const attemptsTotal = new Counter({
  name: 'directory_webhook_attempts_total',
  help: 'Webhook attempts by outcome: delivered, failed, gone, refused, limited',
  labelNames: ['outcome'] as const,
})

export const attemptSeconds = new Histogram({
  name: 'directory_webhook_attempt_duration_seconds',
  help: 'Duration of one webhook attempt, from the name look-up to the end of the response',
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
})

export const delaySeconds = new Histogram({
  name: 'directory_webhook_delay_seconds',
  help: 'Time from an event to its first attempt, for endpoints that last answered quickly and do not wait for a retry',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
})

export const deliveriesDeadTotal = new Counter({
  name: 'directory_webhook_deliveries_dead_total',
  help: 'Webhook deliveries whose last attempt failed',
})

export const endpointsDisabledTotal = new Counter({
  name: 'directory_webhook_endpoints_disabled_total',
  help: 'Webhook endpoints disabled because they are gone or failed for days',
})

export const statusMessagesTotal = new Counter({
  name: 'directory_discord_messages_total',
  help: 'Attempts to create or edit status messages on Discord by outcome: written, deleted, gone, limited, failed, unconfirmed',
  labelNames: ['outcome'] as const,
})

/** @param inUse endpoints being sent to, by lane */
export const exposeSlots = (inUse: Record<'fast' | 'slow', number>) =>
  exposeGauge({
    name: 'directory_webhook_slots_in_use',
    help: 'Webhook endpoints this worker is sending to, by lane; the slow lane has those that last failed or were slow',
    labelNames: ['lane'],
    collect() {
      this.set({ lane: 'fast' }, inUse.fast)
      this.set({ lane: 'slow' }, inUse.slow)
    },
  })
