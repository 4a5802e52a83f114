// The jobs of money: an event of the provider's to apply, the hourly look after what was missed, and a payment that was settled.
import * as z from 'zod'
import { defineJob, defineMaintenance } from '../../platform/queue/contract.ts'

export const BillingEvent = z.object({ eventId: z.string() })
export type BillingEvent = z.output<typeof BillingEvent>

/** Reads at the provider what the event is about, and applies it as it is now. */
export const billingEvent = defineJob('billing-event', BillingEvent, {
  // With the event's id as singleton key: the sweep adds nothing to a job that still waits.
  policy: 'short',
  notify: true,
  expireInSeconds: 120,
  // People wait for their tier: a killed worker's event is taken up by another within 20 s.
  heartbeatSeconds: 10,
  // Waits of 5 s, 10 s, 20 s … : together about six hours of an outage at the provider. After that the sweep asks each hour.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deadLetter: 'billing-event-dead',
  deleteAfterSeconds: 7 * 86_400,
})

export const billingSweep = defineMaintenance('billing-sweep', { cadence: 'hours', expireInSeconds: 900 })

export const DuplicateSubscriptions = z.object({ userId: z.uuid() })

/** Placed in the transaction that finds a second active subscription of an account; cancels and refunds it. */
export const duplicateSubscriptions = defineJob('duplicate-subscriptions', DuplicateSubscriptions, {
  policy: 'short',
  notify: true,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  // As `billing-event`: about six hours; after that the sweep asks each hour.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deadLetter: 'duplicate-subscriptions-dead',
  deleteAfterSeconds: 7 * 86_400,
})

export const PaymentSettled = z.object({
  /** As `createPaymentSession` was given it. */
  reference: z.string(),
  /**
   * What is true of the payment now. `expired`: nothing was paid, and on this page nothing can be paid any more. `refunded`:
   * the whole amount. After `disputed` it may be `paid` again, when the dispute was won.
   */
  status: z.enum(['paid', 'refunded', 'disputed', 'expired']),
  /** The provider's payment; null when nothing was paid. */
  paymentId: z.string().nullable(),
  sessionId: z.string(),
})
export type PaymentSettled = z.output<typeof PaymentSettled>

/** Placed in the transaction that writes the new status; handled by whoever the payment was for. */
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

/** Gives one payment back through the provider. Placed with the row of `payment_refunds`; the hourly sweep repeats it while that is due. */
export const paymentRefund = defineJob('payment-refund', PaymentRefund, {
  notify: true,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  // 5 s, 10 s, 20 s … : about six hours of an outage at the provider.
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  deadLetter: 'payment-refund-dead',
  deleteAfterSeconds: 7 * 86_400,
})
