// The calls of the provider's API for customers, checkout sessions and the billing portal.
import type { Actions } from './actions.ts'
import { type ApiCall, found, invalid, listPage, noSuch, required } from './api-call.ts'
import { type Fields, textAt, textMapAt } from './form.ts'
import type { Ledger } from './ledger.ts'
import { type Customer, newId, type Session, type State, toApiSession } from './state.ts'

const MIN_LIFE_SECONDS = 30 * 60
const MAX_LIFE_SECONDS = 24 * 3600
const MAX_AMOUNT = 99_999_999

/** @param pageUrl the URL of one of the sandbox' own pages */
export function checkoutCalls(
  ledger: Ledger,
  actions: Pick<Actions, 'expire'>,
  pageUrl: (kind: 'pay' | 'portal', id: string) => string,
): ApiCall[] {
  const { state, seconds, currency, priceOf } = ledger
  return [
    {
      call: 'GET prices/{id}',
      answer(_, id) {
        const { cents } = priceOf(id) ?? { cents: undefined }
        if (cents === undefined) throw noSuch('price', id)
        const recurring = { interval: 'month', interval_count: 1 }
        return { id, object: 'price', currency, unit_amount: cents, recurring }
      },
    },
    { call: 'POST customers', answer: (fields) => createCustomer(ledger, fields) },
    {
      call: 'GET customers',
      answer(fields) {
        const customers = Object.values(state.customers)
        const email = textAt(fields, 'email')
        return listPage(email ? customers.filter((one) => one.email === email) : customers, fields, '/v1/customers')
      },
    },
    {
      call: 'POST checkout/sessions',
      answer(fields) {
        const session = createSession(ledger, fields, pageUrl)
        state.sessions[session.id] = session
        return toApiSession(session)
      },
    },
    {
      call: 'POST checkout/sessions/{id}/expire',
      answer(_, id) {
        const session = found(state.sessions, 'checkout.session', id)
        if (session.status !== 'open')
          throw invalid(
            `Only Checkout Sessions with a status in ["open"] can be expired; this one is ${session.status}.`,
          )
        actions.expire(session)
        return toApiSession(session)
      },
    },
    {
      call: 'GET checkout/sessions/{id}',
      answer: (fields, id) => expandSession(state, found(state.sessions, 'checkout.session', id), fields),
    },
    {
      call: 'GET checkout/sessions',
      answer(fields) {
        const filters = ['payment_intent', 'customer', 'status', 'subscription'] as const
        const sessions = Object.values(state.sessions).filter((session) =>
          filters.every((name) => (textAt(fields, name) ?? session[name]) === session[name]),
        )
        return listPage(sessions.map(toApiSession), fields, '/v1/checkout/sessions')
      },
    },
    {
      call: 'POST billing_portal/sessions',
      answer(fields) {
        const customer = customerIn(state, fields) ?? required(fields, 'customer')
        const flow = ['flow_data', 'subscription_update_confirm']
        const subscription = textAt(fields, ...flow, 'subscription')
        const price = textAt(fields, ...flow, 'items', '0', 'price')
        if (subscription && found(state.subscriptions, 'subscription', subscription).status === 'canceled')
          throw invalid(`The subscription ${subscription} is canceled and cannot be updated.`)
        const id = newId('bps')
        const portal = {
          id,
          object: 'billing_portal.session' as const,
          customer,
          return_url: required(fields, 'return_url'),
          url: pageUrl('portal', id),
          change: subscription && price ? { subscription, price } : null,
          created: seconds(),
        }
        state.portals[id] = portal
        return portal
      },
    },
  ]
}

function createCustomer({ state, seconds }: Ledger, fields: Fields): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    email: textAt(fields, 'email') ?? null,
    metadata: textMapAt(fields, 'metadata'),
    created: seconds(),
  }
  state.customers[customer.id] = customer
  return customer
}

function customerIn(state: State, fields: Fields): string | null {
  const id = textAt(fields, 'customer') ?? null
  if (id !== null && !Object.hasOwn(state.customers, id)) throw noSuch('customer', id, 'customer', 400)
  return id
}

function createSession(ledger: Ledger, fields: Fields, pageUrl: (kind: 'pay', id: string) => string): Session {
  const { state, seconds } = ledger
  const mode = required(fields, 'mode')
  if (mode !== 'subscription' && mode !== 'payment') throw invalid(`Invalid mode: ${mode}`, 'mode')
  const { sold, amount, currency } = mode === 'subscription' ? subscriptionIn(ledger, fields) : paymentIn(fields)
  const expiresAt = Number(textAt(fields, 'expires_at') ?? seconds() + MAX_LIFE_SECONDS)
  if (expiresAt < seconds() + MIN_LIFE_SECONDS || expiresAt > seconds() + MAX_LIFE_SECONDS)
    throw invalid('`expires_at` must be between 30 minutes and 24 hours from now.', 'expires_at')
  const id = newId('cs_test')
  return {
    id,
    object: 'checkout.session',
    mode,
    status: 'open',
    payment_status: 'unpaid',
    customer: customerIn(state, fields) ?? (mode === 'subscription' ? createCustomer(ledger, {}).id : null),
    client_reference_id: textAt(fields, 'client_reference_id') ?? null,
    amount_total: amount,
    currency,
    subscription: null,
    payment_intent: null,
    locale: textAt(fields, 'locale') ?? null,
    success_url: required(fields, 'success_url'),
    cancel_url: textAt(fields, 'cancel_url') ?? required(fields, 'success_url'),
    url: pageUrl('pay', id),
    metadata: textMapAt(fields, 'metadata'),
    created: seconds(),
    expires_at: expiresAt,
    sold,
  }
}

interface SoldItem {
  sold: Session['sold']
  amount: number
  currency: string
}

const LINE = ['line_items', '0']

/** A monthly price. */
function subscriptionIn({ currency, priceOf }: Ledger, fields: Fields): SoldItem {
  const id = required(fields, ...LINE, 'price')
  const price = priceOf(id)
  if (!price) throw noSuch('price', id, 'line_items[0][price]', 400)
  const metadata = textMapAt(fields, 'subscription_data', 'metadata')
  return { sold: { name: price.name, priceId: price.id, metadata }, amount: price.cents, currency }
}

/** An amount in the request. */
function paymentIn(fields: Fields): SoldItem {
  const amount = Number(required(fields, ...LINE, 'price_data', 'unit_amount'))
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_AMOUNT)
    throw invalid('Invalid integer: unit_amount', 'line_items[0][price_data][unit_amount]')
  const name = required(fields, ...LINE, 'price_data', 'product_data', 'name')
  const metadata = textMapAt(fields, 'payment_intent_data', 'metadata')
  const currency = required(fields, ...LINE, 'price_data', 'currency')
  return { sold: { name, priceId: null, metadata }, amount, currency }
}

/** With the payment and its charge, if the request expands them. */
function expandSession(state: State, session: Session, fields: Fields): object {
  const expanded = Object.values(textMapAt(fields, 'expand'))
  const payment = session.payment_intent === null ? undefined : state.payments[session.payment_intent]
  if (!payment || !expanded.some((path) => path.startsWith('payment_intent'))) return toApiSession(session)
  const charge = expanded.includes('payment_intent.latest_charge')
    ? state.charges[payment.latest_charge ?? '']
    : undefined
  return { ...toApiSession(session), payment_intent: { ...payment, latest_charge: charge ?? payment.latest_charge } }
}
