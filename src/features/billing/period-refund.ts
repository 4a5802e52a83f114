// Refunds the current period of a subscription. Each payment is refunded once, however often this runs.
import type Stripe from 'stripe'
import type { Log } from '../../platform/observability/log.ts'
import { providerErrorCode } from './provider.ts'
import { idOf } from './provider-objects.ts'

export interface Refund {
  cents: number
  /** ISO 4217 in lower case; null when nothing was paid. */
  currency: string | null
  /** Whether a payment was left to its dispute. */
  isDisputed: boolean
  /** Whether a payment has not arrived, as of a bank debit. It is refunded once it has. */
  isUnpaid: boolean
}

/** The first invoice of a period may be a little older than the period itself. */
const INVOICE_MARGIN_SECONDS = 86_400

/** Reason of our refunds. */
const REASON = 'duplicate'

interface RefundDeps {
  stripe: Stripe
  log: Log
}

/** @returns what was refunded, in whole cents. A payment that its payer disputes is left to the dispute. */
export async function refundCurrentPeriod(deps: RefundDeps, subscription: Stripe.Subscription): Promise<Refund> {
  const { stripe } = deps
  const starts = subscription.items.data.map(({ current_period_start: start }) => start)
  const { data: invoices } = await stripe.invoices.list({
    subscription: subscription.id,
    created: { gte: Math.min(...starts) - INVOICE_MARGIN_SECONDS },
    limit: 100,
  })
  const refund: Refund = { cents: 0, currency: null, isDisputed: false, isUnpaid: false }
  for (const { id, currency, status } of invoices) {
    if (status === 'open') refund.isUnpaid = true
    if (status !== 'paid') continue
    const { data: payments } = await stripe.invoicePayments.list({ invoice: id, status: 'paid', limit: 100 })
    for (const payment of payments) {
      const cents = await refundPayment(deps, payment)
      if (cents === undefined) refund.isDisputed = true
      if (cents) Object.assign(refund, { cents: refund.cents + cents, currency })
    }
  }
  return refund
}

/** @returns cents; undefined if the payment is disputed */
async function refundPayment(
  { stripe, log }: RefundDeps,
  { payment }: Stripe.InvoicePayment,
): Promise<number | undefined> {
  const paymentIntent = idOf(payment.payment_intent)
  const charge = idOf(payment.charge)
  if (!paymentIntent && !charge) return 0 // paid outside of the provider
  const paidBy = paymentIntent ? { payment_intent: paymentIntent } : { charge: charge ?? '' }
  try {
    // No idempotency key: the provider would repeat a stored error for a day. It refuses a second refund
    // of a payment anyway.
    const { amount } = await stripe.refunds.create({ ...paidBy, reason: REASON })
    return amount
  } catch (error) {
    if (providerErrorCode(error) === 'charge_already_refunded') return sumOfRefunds({ stripe, log }, paidBy)
    if (providerErrorCode(error) !== 'charge_disputed') throw error
    log.error({ paymentIntent, charge }, 'the payment of a second subscription is disputed, so it was not refunded')
    return undefined
  }
}

/**
 * @returns what an earlier run has refunded, without the parts that an operator refunded before; else
 * what the operator has
 */
async function sumOfRefunds({ stripe }: RefundDeps, paidBy: Stripe.RefundListParams): Promise<number> {
  const { data: refunds } = await stripe.refunds.list({ ...paidBy, limit: 100 })
  const ours = refunds.filter(({ reason }) => reason === REASON)
  return (ours.length > 0 ? ours : refunds).reduce((sum, { amount }) => sum + amount, 0)
}
