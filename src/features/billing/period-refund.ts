// Refunds the current period of a subscription. Each payment is refunded once, however often this runs.
import type Stripe from 'stripe'
import type { Log } from '../../platform/observability/log.ts'
import { providerErrorCode } from './provider.ts'
import { idOf } from './readings.ts'

export interface Refund {
  cents: number
  /** ISO 4217 in lower case; null when nothing was paid. */
  currency: string | null
}

/** The first invoice of a period may be a little older than the period itself. */
const INVOICE_MARGIN_SECONDS = 86_400

interface With {
  stripe: Stripe
  log: Log
}

/** @returns what was refunded, in whole cents. A payment that its payer disputes is left to the dispute. */
export async function refundCurrentPeriod(at: With, subscription: Stripe.Subscription): Promise<Refund> {
  const { stripe } = at
  const starts = subscription.items.data.map(({ current_period_start: start }) => start)
  const { data: invoices } = await stripe.invoices.list({
    subscription: subscription.id,
    status: 'paid',
    created: { gte: Math.min(...starts) - INVOICE_MARGIN_SECONDS },
    limit: 100,
  })
  const refund: Refund = { cents: 0, currency: null }
  for (const { id, currency } of invoices) {
    const { data: payments } = await stripe.invoicePayments.list({ invoice: id, status: 'paid', limit: 100 })
    for (const payment of payments) {
      const cents = await refundPayment(at, payment)
      if (cents) Object.assign(refund, { cents: refund.cents + cents, currency })
    }
  }
  return refund
}

async function refundPayment({ stripe, log }: With, { payment, amount_paid }: Stripe.InvoicePayment): Promise<number> {
  const paymentIntent = idOf(payment.payment_intent)
  const charge = idOf(payment.charge)
  if (!paymentIntent && !charge) return 0 // paid outside of the provider
  try {
    // No idempotency key: the provider would repeat a stored error for a day. It refuses a second refund of a payment anyway.
    const { amount } = await stripe.refunds.create({
      ...(paymentIntent ? { payment_intent: paymentIntent } : { charge: charge ?? '' }),
      reason: 'duplicate',
    })
    return amount
  } catch (error) {
    if (providerErrorCode(error) === 'charge_already_refunded') return amount_paid ?? 0
    if (providerErrorCode(error) !== 'charge_disputed') throw error
    log.error({ paymentIntent, charge }, 'the payment of a second subscription is disputed, so it was not refunded')
    return 0
  }
}
