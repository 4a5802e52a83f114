// What can happen to checkout sessions in the sandbox, each with its events.
import type { Ledger } from './ledger.ts'
import { newId, type Payment, type Session, type StoredEvent, toApiSession } from './state.ts'
import { beginSubscription } from './subscription-actions.ts'

export interface SessionActions {
  /** @returns the resulting events */
  pay(session: Session): StoredEvent[]
  fail(session: Session): void
  /** Pays by a method that takes days. The outcome: `payLate` or `failLate`. */
  payByDebit(session: Session): void
  payLate(session: Session): void
  failLate(session: Session): void
  expire(session: Session): void
}

export function createSessionActions(ledger: Ledger): SessionActions {
  const { state, record, send, seconds } = ledger

  /** @param outcome the type of the session's event */
  function payOnce(session: Session, outcome: string): StoredEvent[] {
    const { amount_total: amount, currency, sold } = session
    const { name, metadata } = sold
    const { charge, payment } = ledger.addCharge({ amount, currency, name, metadata })
    session.payment_intent = payment.id
    return send(
      record('payment_intent.succeeded', payment),
      record('charge.succeeded', charge),
      record(outcome, toApiSession(session)),
    )
  }

  const isDebited = ({ status, payment_status }: Session) => status === 'complete' && payment_status === 'unpaid'

  return {
    pay(session) {
      if (session.status !== 'open') return []
      Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
      if (session.mode === 'subscription') return beginSubscription(ledger, session)
      return payOnce(session, 'checkout.session.completed')
    },

    fail(session) {
      const error = { code: 'card_declined', message: 'Your card was declined.' }
      const payment = {
        id: newId('pi'),
        object: 'payment_intent',
        status: 'requires_payment_method',
        last_payment_error: error,
      }
      if (session.status === 'open') send(record('payment_intent.payment_failed', payment))
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
      send(record('checkout.session.completed', toApiSession(session)))
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
      send(record('checkout.session.async_payment_failed', toApiSession(session)))
    },

    expire(session) {
      if (session.status !== 'open') return
      Object.assign(session, { status: 'expired', url: null })
      send(record('checkout.session.expired', toApiSession(session)))
    },
  }
}
