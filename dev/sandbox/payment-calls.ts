// The calls of the provider's API for subscriptions, invoices, refunds and disputes.
import type { Actions } from './actions.ts'
import { type ApiCall, ApiFailure, found, invalid, list, listPage, noSuch, required } from './api-call.ts'
import { type Fields, textAt, textMapAt } from './form.ts'
import type { Ledger } from './ledger.ts'
import type { Invoice, Refund, State } from './state.ts'

export function paymentCalls({ state }: Ledger, actions: Actions): ApiCall[] {
  const subscriptionOf = (id: string) => found(state.subscriptions, 'subscription', id)
  return [
    { call: 'GET subscriptions/{id}', answer: (_, id) => subscriptionOf(id) },
    {
      call: 'POST subscriptions/{id}',
      answer(fields, id) {
        const subscription = subscriptionOf(id)
        if (subscription.status === 'canceled') throw noSuch('subscription', id)
        const cancel = textAt(fields, 'cancel_at_period_end')
        if (cancel !== undefined && subscription.schedule)
          throw invalid(
            `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
          )
        if (cancel !== undefined) actions.cancelAtPeriodEnd(subscription, cancel === 'true')
        return subscription
      },
    },
    {
      call: 'POST subscription_schedules/{id}/release',
      answer(_, id) {
        const subscription = Object.values(state.subscriptions).find(({ schedule }) => schedule === id)
        if (!subscription) throw noSuch('subscription schedule', id)
        subscription.schedule = null
        return { id, object: 'subscription_schedule', status: 'released', released_subscription: subscription.id }
      },
    },
    {
      call: 'DELETE subscriptions/{id}',
      answer(_, id) {
        const subscription = subscriptionOf(id)
        actions.cancelNow(subscription)
        return subscription
      },
    },
    { call: 'GET invoices', answer: (fields) => list(findInvoices(state, fields), '/v1/invoices') },
    {
      call: 'GET invoice_payments',
      answer(fields) {
        const invoice = textAt(fields, 'invoice')
        const payments = Object.values(state.invoicePayments).filter((payment) => payment.invoice === invoice)
        return list(payments, '/v1/invoice_payments')
      },
    },
    { call: 'POST refunds', answer: (fields) => createRefund(state, actions, fields) },
    {
      call: 'GET refunds',
      answer(fields) {
        const payment = textAt(fields, 'payment_intent')
        const refunds = Object.values(state.refunds).filter((refund) => refund.payment_intent === payment)
        return listPage(refunds, fields, '/v1/refunds')
      },
    },
    { call: 'GET refunds/{id}', answer: (_, id) => found(state.refunds, 'refund', id) },
    {
      call: 'GET disputes',
      answer(fields) {
        const charge = textAt(fields, 'charge')
        const disputes = Object.values(state.disputes).filter((dispute) => dispute.charge === charge)
        return list(disputes, '/v1/disputes')
      },
    },
  ]
}

function findInvoices(state: State, fields: Fields): Invoice[] {
  const [subscription, status] = [textAt(fields, 'subscription'), textAt(fields, 'status')]
  const since = Number(textAt(fields, 'created', 'gte') ?? 0)
  return Object.values(state.invoices).filter(
    ({ parent, created, ...invoice }) =>
      (subscription ?? parent.subscription_details.subscription) === parent.subscription_details.subscription &&
      (status ?? invoice.status) === invoice.status &&
      created >= since,
  )
}

function createRefund(state: State, actions: Pick<Actions, 'refund'>, fields: Fields): Refund {
  const payment = found(state.payments, 'payment_intent', required(fields, 'payment_intent'))
  const charge = found(state.charges, 'charge', payment.latest_charge ?? '')
  const refuse = (code: string, message: string) =>
    new ApiFailure(400, { type: 'invalid_request_error', code, message }, true)
  const isLost = Object.values(state.disputes).some((one) => one.charge === charge.id && one.status !== 'won')
  if (charge.disputed && isLost)
    throw refuse('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`)
  const refund = actions.refund(charge, {
    reason: textAt(fields, 'reason') ?? null,
    metadata: textMapAt(fields, 'metadata'),
  })
  if (!refund) throw refuse('charge_already_refunded', `Charge ${charge.id} has already been refunded.`)
  return refund
}
