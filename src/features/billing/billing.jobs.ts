// The jobs of billing: applying the provider's events, the hourly sweep, second subscriptions, payments and refunds.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

/** Options of jobs that ask the provider. */
const ASKS_PROVIDER = {
  expireInSeconds: 120,
  // Users wait for their tier: another worker takes over a killed worker's job within 20 s.
  heartbeatSeconds: 10,
  // Waits of 5 s, 10 s, 20 s …: together about six hours of an outage at the provider. After that the
  // sweep tries each hour.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deleteAfterSeconds: 7 * 86_400,
}

/** Reads the event's object at the provider and applies its current state. */
export const billingEvent = defineJob('billing-event', z.object({ eventId: z.string() }), {
  ...ASKS_PROVIDER,
  // The singleton key is the event's id, so that the sweep adds no second job to one that waits.
  policy: 'short',
  deadLetter: 'billing-event-dead',
})

export const billingSweep = defineScheduledJob('billing-sweep', { cadence: 'hours', expireInSeconds: 900 })

/**
 * Enqueued in the transaction that finds a second active subscription of an account, or reads one that buys nothing.
 */
export const DuplicateSubscriptionsJob = z.union([
  z.object({ userId: z.uuid() }),
  z.object({ subscriptionId: z.string() }),
])
export type DuplicateSubscriptionsJob = z.output<typeof DuplicateSubscriptionsJob>

/** Cancels and refunds subscriptions that buy nothing. */
export const duplicateSubscriptions = defineJob('duplicate-subscriptions', DuplicateSubscriptionsJob, {
  ...ASKS_PROVIDER,
  policy: 'short',
  deadLetter: 'duplicate-subscriptions-dead',
})

export const PaymentSettled = z.object({
  /** The order's `reference`. */
  reference: z.string(),
  /**
   * `expired`: nothing was paid, and the page can no longer be paid. `refunded`: the whole amount. After `disputed` it
   * is `paid` again if the dispute was won.
   */
  status: z.enum(['paid', 'refunded', 'disputed', 'expired']),
  /** The provider's payment; null when nothing was paid. */
  paymentId: z.string().nullable(),
  sessionId: z.string(),
})
export type PaymentSettled = z.output<typeof PaymentSettled>

/** Enqueued in the transaction that writes the new status; handled by the feature that sold the payment. */
export const paymentSettled = defineJob('payment-settled', PaymentSettled, {
  expireInSeconds: 60,
  retryLimit: 12,
  retryDelay: 2,
  retryBackoff: true,
  deadLetter: 'payment-settled-dead',
  deleteAfterSeconds: 7 * 86_400,
})

/** Refunds one payment. Enqueued with its row of `payment_refunds`; the hourly sweep repeats it while that is due. */
export const paymentRefund = defineJob('payment-refund', z.object({ refundId: z.uuid() }), {
  ...ASKS_PROVIDER,
  deadLetter: 'payment-refund-dead',
})

export const jobs = { billingEvent, billingSweep, duplicateSubscriptions, paymentSettled, paymentRefund }
