// What can happen to subscriptions in the sandbox, each with its events.
import type { Ledger } from './ledger.ts'
import {
  type Invoice,
  type InvoicePayment,
  newId,
  type Price,
  type Session,
  type StoredEvent,
  type Subscription,
  type SubscriptionItem,
  toApiSession,
} from './state.ts'

const MONTH_SECONDS = 30 * 86_400

export interface SubscriptionActions {
  /** Cancels the subscription at the end of the period, or revokes that. */
  cancelAtPeriodEnd(subscription: Subscription, cancel: boolean): void
  /** A higher price is paid for the rest of the period at once. */
  changePrice(subscription: Subscription, priceId: string): void
  cancelNow(subscription: Subscription): void
  /** Ends the period now: the subscription is renewed, or ends if it was canceled. */
  renew(subscription: Subscription): void
  failRenewal(subscription: Subscription): void
}

export function createSubscriptionActions(ledger: Ledger): SubscriptionActions {
  const { priceOf, record, send, seconds } = ledger
  const sendUpdated = (subscription: Subscription) => send(record('customer.subscription.updated', subscription))

  function cancelNow(subscription: Subscription): void {
    if (subscription.status === 'canceled') return
    Object.assign(subscription, { status: 'canceled', canceled_at: seconds() })
    send(record('customer.subscription.deleted', subscription))
  }

  return {
    cancelNow,

    cancelAtPeriodEnd(subscription, cancel) {
      const end = subscription.items.data[0]?.current_period_end ?? null
      Object.assign(subscription, {
        cancel_at_period_end: cancel,
        cancel_at: cancel ? end : null,
        canceled_at: cancel ? seconds() : null,
      })
      sendUpdated(subscription)
    },

    changePrice(subscription, priceId) {
      const [item] = subscription.items.data
      const price = priceOf(priceId)
      if (!item || !price) return
      const { current_period_start: start, current_period_end: end } = item
      const difference = price.cents - item.price.unit_amount
      const cents = Math.round((difference * Math.max(0, end - seconds())) / (end - start))
      item.price = { ...item.price, id: price.id, unit_amount: price.cents }
      const paid = cents > 0 ? [record('invoice.paid', payInvoice(ledger, subscription, cents))] : []
      send(...paid, record('customer.subscription.updated', subscription))
    },

    renew(subscription) {
      if (subscription.status === 'canceled') return
      if (subscription.cancel_at_period_end) return cancelNow(subscription)
      subscription.status = 'active'
      for (const item of subscription.items.data) {
        item.current_period_start = item.current_period_end
        item.current_period_end += MONTH_SECONDS
      }
      send(
        record('invoice.paid', payInvoice(ledger, subscription, priceIn(subscription))),
        record('customer.subscription.updated', subscription),
      )
    },

    failRenewal(subscription) {
      if (subscription.status === 'canceled') return
      subscription.status = 'past_due'
      send(
        record('invoice.payment_failed', addInvoice(ledger, subscription, 'open', priceIn(subscription))),
        record('customer.subscription.updated', subscription),
      )
    },
  }
}

/** Begins the subscription that a session sells, and pays its first period. @returns the events */
export function beginSubscription(ledger: Ledger, session: Session): StoredEvent[] {
  const { state, currency, priceOf, record, send, seconds } = ledger
  const price = priceOf(session.sold.priceId ?? '')
  if (!price) throw new Error(`no such price: ${session.sold.priceId}`)
  const subscription: Subscription = {
    id: newId('sub'),
    object: 'subscription',
    customer: session.customer ?? '',
    status: 'active',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    schedule: null,
    items: { object: 'list', data: [itemOf(price, currency, seconds())] },
    metadata: session.sold.metadata,
    created: seconds(),
  }
  state.subscriptions[subscription.id] = subscription
  session.subscription = subscription.id
  return send(
    record('customer.subscription.created', subscription),
    record('checkout.session.completed', toApiSession(session)),
    record('invoice.paid', payInvoice(ledger, subscription, priceIn(subscription))),
  )
}

const itemOf = (price: Price, currency: string, from: number): SubscriptionItem => ({
  id: newId('si'),
  object: 'subscription_item',
  price: { id: price.id, object: 'price', currency, unit_amount: price.cents },
  quantity: 1,
  current_period_start: from,
  current_period_end: from + MONTH_SECONDS,
})

/** Of a period, in cents. */
const priceIn = ({ items }: Subscription) => items.data[0]?.price.unit_amount ?? 0

function addInvoice(
  { state, currency, seconds }: Ledger,
  subscription: Subscription,
  status: Invoice['status'],
  cents: number,
) {
  const invoice: Invoice = {
    id: newId('in'),
    object: 'invoice',
    customer: subscription.customer,
    status,
    amount_paid: status === 'paid' ? cents : 0,
    currency,
    created: seconds(),
    parent: { type: 'subscription_details', subscription_details: { subscription: subscription.id } },
  }
  state.invoices[invoice.id] = invoice
  return invoice
}

/** An invoice of a subscription, paid by card. */
function payInvoice(ledger: Ledger, subscription: Subscription, cents: number): Invoice {
  const { state, currency, priceOf } = ledger
  const invoice = addInvoice(ledger, subscription, 'paid', cents)
  const name = priceOf(subscription.items.data[0]?.price.id ?? '')?.name ?? 'A subscription'
  const { payment } = ledger.addCharge({ amount: invoice.amount_paid, currency, name, metadata: {} })
  const paid: InvoicePayment = {
    id: newId('inpay'),
    object: 'invoice_payment',
    invoice: invoice.id,
    status: 'paid',
    amount_paid: invoice.amount_paid,
    currency,
    payment: { type: 'payment_intent', payment_intent: payment.id },
  }
  state.invoicePayments[paid.id] = paid
  return invoice
}
