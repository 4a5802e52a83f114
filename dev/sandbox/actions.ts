// What can happen to payments in the sandbox: paid, failed, expired, renewed, canceled, refunded, disputed, each with
// its events.
import {
  type Charge,
  type Invoice,
  type InvoicePayment,
  newId,
  type Payment,
  type Price,
  type Refund,
  type Session,
  type Store,
  type StoredEvent,
  type Subscription,
} from './state.ts'

const MONTH_SECONDS = 30 * 86_400

export interface Actions {
  /** @returns the resulting events */
  pay(session: Session): StoredEvent[]
  fail(session: Session): void
  /** Pays by a method that takes days. The outcome: `payLate` or `failLate`. */
  payByDebit(session: Session): void
  payLate(session: Session): void
  failLate(session: Session): void
  expire(session: Session): void
  /** Cancels the subscription at the end of the period, or revokes that. */
  cancelAtPeriodEnd(subscription: Subscription, cancel: boolean): void
  changePrice(subscription: Subscription, priceId: string): void
  cancelNow(subscription: Subscription): void
  /** Ends the period now: the subscription is renewed, or ends if it was canceled. */
  renew(subscription: Subscription): void
  failRenewal(subscription: Subscription): void
  /** Refunds the whole amount. @returns undefined if it was refunded before */
  refund(charge: Charge, metadata?: Record<string, string>): Refund | undefined
  /** A refund that seemed to succeed fails: the money comes back. */
  failRefund(refund: Refund): void
  dispute(charge: Charge): void
  closeDispute(charge: Charge, outcome: 'won' | 'lost'): void
  /** Applies what is due: expired sessions and ended periods. */
  tick(): void
  priceOf(id: string): Price | undefined
}

/** @param options.emit delivers an event; `now` in epoch milliseconds */
export function createActions(options: {
  store: Store
  prices: readonly Price[]
  currency: string
  emit: (event: StoredEvent) => void
  now: () => number
}): Actions {
  const { store, prices, currency, emit } = options
  const { state } = store
  const seconds = () => Math.floor(options.now() / 1000)
  const priceOf = (id: string) => prices.find((price) => price.id === id)

  /** Events contain the object as it is at that moment, like the provider's. */
  function tell(type: string, object: object): StoredEvent {
    const stored: StoredEvent = {
      event: {
        id: newId('evt'),
        object: 'event',
        api_version: '2026-10-28.endive',
        type,
        created: seconds(),
        livemode: false,
        data: { object: structuredClone(object) },
      },
      attempts: 0,
      acknowledged: false,
    }
    state.events.push(stored)
    return stored
  }

  function send(...events: StoredEvent[]): StoredEvent[] {
    store.save()
    events.forEach(emit)
    return events
  }

  const priceIn = (subscription: Subscription) => subscription.items.data[0]?.price.unit_amount ?? 0

  function addInvoice(subscription: Subscription, status: Invoice['status']): Invoice {
    const invoice: Invoice = {
      id: newId('in'),
      object: 'invoice',
      customer: subscription.customer,
      status,
      amount_paid: status === 'paid' ? priceIn(subscription) : 0,
      currency,
      created: seconds(),
      parent: { type: 'subscription_details', subscription_details: { subscription: subscription.id } },
    }
    state.invoices[invoice.id] = invoice
    return invoice
  }

  /** A period of a subscription, paid by card. */
  function payPeriod(subscription: Subscription): Invoice {
    const invoice = addInvoice(subscription, 'paid')
    const name = prices.find(({ id }) => id === subscription.items.data[0]?.price.id)?.name ?? 'A subscription'
    const { payment } = addCharge({ amount: invoice.amount_paid, currency, name, metadata: {} })
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

  function itemOf(price: Price, from: number): Subscription['items']['data'][number] {
    return {
      id: newId('si'),
      object: 'subscription_item',
      price: { id: price.id, object: 'price', currency, unit_amount: price.cents },
      quantity: 1,
      current_period_start: from,
      current_period_end: from + MONTH_SECONDS,
    }
  }

  function paySubscription(session: Session): StoredEvent[] {
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
      items: { object: 'list', data: [itemOf(price, seconds())] },
      metadata: session.sold.metadata,
      created: seconds(),
    }
    state.subscriptions[subscription.id] = subscription
    session.subscription = subscription.id
    return send(
      tell('customer.subscription.created', subscription),
      tell('checkout.session.completed', shownSession(session)),
      tell('invoice.paid', payPeriod(subscription)),
    )
  }

  function addCharge(of: { amount: number; currency: string; name: string; metadata: Record<string, string> }) {
    const common = { amount: of.amount, currency: of.currency, created: seconds() }
    const charge: Charge = {
      ...common,
      id: newId('ch'),
      object: 'charge',
      amount_refunded: 0,
      description: of.name,
      disputed: false,
      paid: true,
      payment_intent: newId('pi'),
      refunded: false,
    }
    const payment: Payment = {
      ...common,
      id: charge.payment_intent,
      object: 'payment_intent',
      status: 'succeeded',
      latest_charge: charge.id,
      metadata: of.metadata,
    }
    state.charges[charge.id] = charge
    state.payments[payment.id] = payment
    return { charge, payment }
  }

  function payOnce(session: Session, news = 'checkout.session.completed'): StoredEvent[] {
    const { name, metadata } = session.sold
    const { charge, payment } = addCharge({ amount: session.amount_total, currency: session.currency, name, metadata })
    session.payment_intent = payment.id
    return send(
      tell('payment_intent.succeeded', payment),
      tell('charge.succeeded', charge),
      tell(news, shownSession(session)),
    )
  }

  const isDebited = ({ status, payment_status }: Session) => status === 'complete' && payment_status === 'unpaid'

  function updated(subscription: Subscription): void {
    send(tell('customer.subscription.updated', subscription))
  }

  const disputeOf = (charge: Charge) => Object.values(state.disputes).find((dispute) => dispute.charge === charge.id)

  const actions: Actions = {
    priceOf,

    pay(session) {
      if (session.status !== 'open') return []
      Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
      return session.mode === 'subscription' ? paySubscription(session) : payOnce(session)
    },

    fail(session) {
      const error = { code: 'card_declined', message: 'Your card was declined.' }
      const payment = {
        id: newId('pi'),
        object: 'payment_intent',
        status: 'requires_payment_method',
        last_payment_error: error,
      }
      if (session.status === 'open') send(tell('payment_intent.payment_failed', payment))
    },

    payByDebit(session) {
      if (session.status !== 'open') return
      const payment: Payment = {
        id: newId('pi'),
        object: 'payment_intent',
        status: 'processing',
        amount: session.amount_total,
        currency: session.currency,
        latest_charge: null,
        metadata: session.sold.metadata,
        created: seconds(),
      }
      state.payments[payment.id] = payment
      Object.assign(session, { status: 'complete', payment_intent: payment.id, url: null })
      send(tell('checkout.session.completed', shownSession(session)))
    },

    payLate(session) {
      if (!isDebited(session)) return
      session.payment_status = 'paid'
      payOnce(session, 'checkout.session.async_payment_succeeded')
    },

    failLate(session) {
      const payment = isDebited(session) ? state.payments[session.payment_intent ?? ''] : undefined
      if (!payment) return
      payment.status = 'requires_payment_method'
      send(tell('checkout.session.async_payment_failed', shownSession(session)))
    },

    expire(session) {
      if (session.status !== 'open') return
      Object.assign(session, { status: 'expired', url: null })
      send(tell('checkout.session.expired', shownSession(session)))
    },

    cancelAtPeriodEnd(subscription, cancel) {
      const end = subscription.items.data[0]?.current_period_end ?? null
      Object.assign(subscription, {
        cancel_at_period_end: cancel,
        cancel_at: cancel ? end : null,
        canceled_at: cancel ? seconds() : null,
      })
      updated(subscription)
    },

    changePrice(subscription, priceId) {
      const [item] = subscription.items.data
      const price = priceOf(priceId)
      if (!item || !price) return
      item.price = { ...item.price, id: price.id, unit_amount: price.cents }
      updated(subscription)
    },

    cancelNow(subscription) {
      if (subscription.status === 'canceled') return
      Object.assign(subscription, { status: 'canceled', canceled_at: seconds() })
      send(tell('customer.subscription.deleted', subscription))
    },

    renew(subscription) {
      if (subscription.status === 'canceled') return
      if (subscription.cancel_at_period_end) return actions.cancelNow(subscription)
      subscription.status = 'active'
      for (const item of subscription.items.data) {
        item.current_period_start = item.current_period_end
        item.current_period_end += MONTH_SECONDS
      }
      send(tell('invoice.paid', payPeriod(subscription)), tell('customer.subscription.updated', subscription))
    },

    failRenewal(subscription) {
      if (subscription.status === 'canceled') return
      subscription.status = 'past_due'
      send(
        tell('invoice.payment_failed', addInvoice(subscription, 'open')),
        tell('customer.subscription.updated', subscription),
      )
    },

    refund(charge, metadata = {}) {
      if (charge.refunded) return undefined
      const { id, amount_refunded: before, currency: of, payment_intent } = charge
      const amount = charge.amount - before
      Object.assign(charge, { refunded: true, amount_refunded: charge.amount })
      const refund: Refund = {
        id: newId('re'),
        object: 'refund',
        amount,
        currency: of,
        charge: id,
        payment_intent,
        status: 'succeeded',
        metadata,
        created: seconds(),
      }
      state.refunds[refund.id] = refund
      send(tell('charge.refunded', charge))
      return refund
    },

    failRefund(refund) {
      const charge = state.charges[refund.charge]
      if (!charge || refund.status === 'failed') return
      refund.status = 'failed'
      Object.assign(charge, { refunded: false, amount_refunded: charge.amount_refunded - refund.amount })
      send(tell('refund.failed', refund))
    },

    dispute(charge) {
      if (charge.disputed) return
      charge.disputed = true
      const { id, amount, payment_intent } = charge
      const dispute = {
        id: newId('dp'),
        object: 'dispute' as const,
        amount,
        charge: id,
        payment_intent,
        status: 'needs_response' as const,
        created: seconds(),
      }
      state.disputes[dispute.id] = dispute
      send(tell('charge.dispute.created', dispute))
    },

    closeDispute(charge, outcome) {
      const dispute = disputeOf(charge)
      if (dispute?.status !== 'needs_response') return
      dispute.status = outcome
      send(tell('charge.dispute.closed', dispute))
    },

    tick() {
      for (const session of Object.values(state.sessions)) if (session.expires_at <= seconds()) actions.expire(session)
      for (const subscription of Object.values(state.subscriptions))
        if ((subscription.items.data[0]?.current_period_end ?? 0) <= seconds()) actions.renew(subscription)
    },
  }
  return actions
}

/** A session in the API's format. */
export function shownSession({ sold: _sold, ...session }: Session): Omit<Session, 'sold'> {
  return session
}
