// The jobs of billing: applying the provider's events, the hourly sweep, second subscriptions, payments and refunds.
import * as z from 'zod'
import { defineJob, defineMaintenance } from '../../platform/queue/contract.ts'

export const BillingEvent = z.object({ eventId: z.string() })
export type BillingEvent = z.output<typeof BillingEvent>

/** Reads the event's object at the provider and applies its current state. */
export const billingEvent = defineJob('billing-event', BillingEvent, {
  // With the event's id as singleton key, so that the sweep adds no second job to one that waits.
  policy: 'short',
  notify: true,
  expireInSeconds: 120,
  // Users wait for their tier: another worker takes over a killed worker's event within 20 s.
  heartbeatSeconds: 10,
  // Waits of 5 s, 10 s, 20 s …: together about six hours of an outage at the provider. After that the sweep tries each hour.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deadLetter: 'billing-event-dead',
  deleteAfterSeconds: 7 * 86_400,
})

export const billingSweep = defineMaintenance('billing-sweep', { cadence: 'hours', expireInSeconds: 900 })

export const DuplicateSubscriptions = z.object({ userId: z.uuid() })

/** Enqueued in the transaction that finds a second active subscription of an account; cancels and refunds it. */
export const duplicateSubscriptions = defineJob('duplicate-subscriptions', DuplicateSubscriptions, {
  policy: 'short',
  notify: true,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  // As `billing-event`: about six hours; after that the sweep tries each hour.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deadLetter: 'duplicate-subscriptions-dead',
  deleteAfterSeconds: 7 * 86_400,
})

export const PaymentSettled = z.object({
  /** The order's `reference`. */
  reference: z.string(),
  /**
   * `expired`: nothing was paid, and the page can no longer be paid. `refunded`: the whole amount. After `disputed` it is `paid`
   * again if the dispute was won.
   */
  status: z.enum(['paid', 'refunded', 'disputed', 'expired']),
  /** The provider's payment; null when nothing was paid. */
  paymentId: z.string().nullable(),
  sessionId: z.string(),
})
export type PaymentSettled = z.output<typeof PaymentSettled>

/** Enqueued in the transaction that writes the new status; handled by the feature that sold the payment. */
export const paymentSettled = defineJob('payment-settled', PaymentSettled, {
  notify: true,
  expireInSeconds: 60,
  retryLimit: 12,
  retryDelay: 2,
  retryBackoff: true,
  deadLetter: 'payment-settled-dead',
  deleteAfterSeconds: 7 * 86_400,
})

export const PaymentRefund = z.object({ refundId: z.uuid() })
export type PaymentRefund = z.output<typeof PaymentRefund>

/** Refunds one payment. Enqueued with its row of `payment_refunds`; the hourly sweep repeats it while that is due. */
export const paymentRefund = defineJob('payment-refund', PaymentRefund, {
  notify: true,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  // 5 s, 10 s, 20 s …: about six hours of an outage at the provider.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deadLetter: 'payment-refund-dead',
  deleteAfterSeconds: 7 * 86_400,
})
