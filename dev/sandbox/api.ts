// The calls of the provider's API that the product makes, with the provider's formats and errors.
import type { Actions } from './actions.ts'
import { shownSession } from './actions.ts'
import { type Fields, textAt, textsAt } from './form.ts'
import { newId, type Session, type Store, type Subscription } from './state.ts'

export interface ApiRequest {
  method: string
  /** Segments of the path below `/v1`. */
  path: string[]
  fields: Fields
}

/** An error reply with the provider's wording. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly status: number
  readonly error: Record<string, string>

  constructor(status: number, error: Record<string, string>) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

const noSuch = (what: string, id: string, param = 'id', status = 404) =>
  new ApiFailure(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })
const invalid = (message: string, param?: string) =>
  new ApiFailure(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) })

const MIN_LIFE_SECONDS = 30 * 60
const MAX_LIFE_SECONDS = 24 * 3600
const MAX_AMOUNT = 99_999_999

/** @param options.origin origin of the sandbox' own pages */
export function createApi(options: {
  store: Store
  actions: Actions
  currency: string
  origin: () => string
  now: () => number
}) {
  const { store, actions, currency } = options
  const { state } = store
  const seconds = () => Math.floor(options.now() / 1000)
  const pageOf = (kind: 'pay' | 'portal', id: string) => `${options.origin()}/${kind}/${id}`

  function found<T>(all: Record<string, T>, what: string, id: string | undefined): T {
    const object = id === undefined ? undefined : Object.hasOwn(all, id) && all[id]
    if (!object) throw noSuch(what, id ?? '')
    return object
  }

  function required(fields: Fields, ...path: string[]): string {
    const text = textAt(fields, ...path)
    if (!text) throw invalid(`Missing required param: ${path.join('.')}.`, path.join('.'))
    return text
  }

  function createCustomer(fields: Fields) {
    const customer = {
      id: newId('cus'),
      object: 'customer' as const,
      email: textAt(fields, 'email') ?? null,
      metadata: textsAt(fields, 'metadata'),
      created: seconds(),
    }
    state.customers[customer.id] = customer
    return customer
  }

  function customerIn(fields: Fields): string | null {
    const id = textAt(fields, 'customer') ?? null
    if (id !== null && !Object.hasOwn(state.customers, id)) throw noSuch('customer', id, 'customer', 400)
    return id
  }

  /** What is sold: a monthly price, or an amount in the request. */
  function soldIn(fields: Fields, mode: Session['mode']): { sold: Session['sold']; amount: number; currency: string } {
    const metadata = textsAt(fields, mode === 'payment' ? 'payment_intent_data' : 'subscription_data', 'metadata')
    const line = ['line_items', '0']
    if (mode === 'subscription') {
      const id = required(fields, ...line, 'price')
      const price = actions.priceOf(id)
      if (!price) throw noSuch('price', id, 'line_items[0][price]', 400)
      return { sold: { name: price.name, priceId: price.id, metadata }, amount: price.cents, currency }
    }
    const amount = Number(required(fields, ...line, 'price_data', 'unit_amount'))
    if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_AMOUNT)
      throw invalid('Invalid integer: unit_amount', 'line_items[0][price_data][unit_amount]')
    const name = required(fields, ...line, 'price_data', 'product_data', 'name')
    return {
      sold: { name, priceId: null, metadata },
      amount,
      currency: required(fields, ...line, 'price_data', 'currency'),
    }
  }

  function createSession(fields: Fields) {
    const mode = required(fields, 'mode')
    if (mode !== 'subscription' && mode !== 'payment') throw invalid(`Invalid mode: ${mode}`, 'mode')
    const { sold, amount, currency: of } = soldIn(fields, mode)
    const expiresAt = Number(textAt(fields, 'expires_at') ?? seconds() + MAX_LIFE_SECONDS)
    if (expiresAt < seconds() + MIN_LIFE_SECONDS || expiresAt > seconds() + MAX_LIFE_SECONDS)
      throw invalid('`expires_at` must be between 30 minutes and 24 hours from now.', 'expires_at')
    const id = newId('cs_test')
    const session: Session = {
      id,
      object: 'checkout.session',
      mode,
      status: 'open',
      payment_status: 'unpaid',
      customer: customerIn(fields) ?? (mode === 'subscription' ? createCustomer({}).id : null),
      client_reference_id: textAt(fields, 'client_reference_id') ?? null,
      amount_total: amount,
      currency: of,
      subscription: null,
      payment_intent: null,
      success_url: required(fields, 'success_url'),
      cancel_url: textAt(fields, 'cancel_url') ?? required(fields, 'success_url'),
      url: pageOf('pay', id),
      metadata: textsAt(fields, 'metadata'),
      created: seconds(),
      expires_at: expiresAt,
      sold,
    }
    state.sessions[id] = session
    return shownSession(session)
  }

  function expanded(session: Session, fields: Fields) {
    const wanted = Object.values(textsAt(fields, 'expand'))
    const payment = session.payment_intent === null ? undefined : state.payments[session.payment_intent]
    if (!payment || !wanted.some((path) => path.startsWith('payment_intent'))) return shownSession(session)
    const charge = wanted.includes('payment_intent.latest_charge')
      ? state.charges[payment.latest_charge ?? '']
      : undefined
    return { ...shownSession(session), payment_intent: { ...payment, latest_charge: charge ?? payment.latest_charge } }
  }

  function expireSession(id: string | undefined) {
    const session = found(state.sessions, 'checkout.session', id)
    if (session.status !== 'open')
      throw invalid(`Only Checkout Sessions with a status in ["open"] can be expired; this one is ${session.status}.`)
    actions.expire(session)
    return shownSession(session)
  }

  function updateSubscription(subscription: Subscription, fields: Fields) {
    if (subscription.status === 'canceled') throw noSuch('subscription', subscription.id)
    const cancel = textAt(fields, 'cancel_at_period_end')
    if (cancel !== undefined) actions.cancelAtPeriodEnd(subscription, cancel === 'true')
    return subscription
  }

  function createPortal(fields: Fields) {
    const customer = customerIn(fields) ?? required(fields, 'customer')
    const flow = ['flow_data', 'subscription_update_confirm']
    const subscription = textAt(fields, ...flow, 'subscription')
    const price = textAt(fields, ...flow, 'items', '0', 'price')
    const id = newId('bps')
    const portal = {
      id,
      object: 'billing_portal.session' as const,
      customer,
      return_url: required(fields, 'return_url'),
      url: pageOf('portal', id),
      change: subscription && price ? { subscription, price } : null,
      created: seconds(),
    }
    state.portals[id] = portal
    return portal
  }

  function createRefund(fields: Fields) {
    const payment = found(state.payments, 'payment_intent', required(fields, 'payment_intent'))
    const charge = found(state.charges, 'charge', payment.latest_charge ?? '')
    const refuse = (code: string, message: string) =>
      new ApiFailure(400, { type: 'invalid_request_error', code, message })
    if (charge.disputed && Object.values(state.disputes).some((of) => of.charge === charge.id && of.status !== 'won'))
      throw refuse('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`)
    const refund = actions.refund(charge, textsAt(fields, 'metadata'))
    if (!refund) throw refuse('charge_already_refunded', `Charge ${charge.id} has already been refunded.`)
    return refund
  }

  function listInvoices(fields: Fields) {
    const [subscription, status] = [textAt(fields, 'subscription'), textAt(fields, 'status')]
    const since = Number(textAt(fields, 'created', 'gte') ?? 0)
    return Object.values(state.invoices).filter(
      ({ parent, created, ...invoice }) =>
        (subscription ?? parent.subscription_details.subscription) === parent.subscription_details.subscription &&
        (status ?? invoice.status) === invoice.status &&
        created >= since,
    )
  }

  const list = (data: object[], url: string) => ({ object: 'list', url, has_more: false, data })

  /** @throws ApiFailure */
  return function answer({ method, path: [kind, sub, ...rest], fields }: ApiRequest): object {
    const [call, what] = [`${method} ${kind}`, sub]
    if (call === 'POST customers' && !what) return createCustomer(fields)
    if (kind === 'checkout' && what === 'sessions') {
      const [id, verb] = rest
      if (method === 'POST' && !id) return createSession(fields)
      if (method === 'POST' && verb === 'expire') return expireSession(id)
      if (method === 'GET' && id) return expanded(found(state.sessions, 'checkout.session', id), fields)
      const filters = ['payment_intent', 'customer', 'status', 'subscription'] as const
      const sessions = Object.values(state.sessions).filter((session) =>
        filters.every((name) => (textAt(fields, name) ?? session[name]) === session[name]),
      )
      if (method === 'GET') return list(sessions.map(shownSession), '/v1/checkout/sessions')
    }
    if (kind === 'subscriptions') {
      const subscription = found(state.subscriptions, 'subscription', what)
      if (method === 'GET') return subscription
      if (method === 'POST') return updateSubscription(subscription, fields)
      if (method === 'DELETE') {
        actions.cancelNow(subscription)
        return subscription
      }
    }
    if (call === 'POST billing_portal' && what === 'sessions') return createPortal(fields)
    if (call === 'POST refunds' && !what) return createRefund(fields)
    if (call === 'GET refunds') return found(state.refunds, 'refund', what)
    if (call === 'GET invoices' && !what) return list(listInvoices(fields), '/v1/invoices')
    if (call === 'GET invoice_payments' && !what) {
      const invoice = textAt(fields, 'invoice')
      const payments = Object.values(state.invoicePayments).filter((payment) => payment.invoice === invoice)
      return list(payments, '/v1/invoice_payments')
    }
    if (call === 'GET disputes') {
      const charge = textAt(fields, 'charge')
      return list(
        Object.values(state.disputes).filter((dispute) => dispute.charge === charge),
        '/v1/disputes',
      )
    }
    throw new ApiFailure(404, {
      type: 'invalid_request_error',
      message: `The sandbox does not have ${method} /v1/${[kind, sub, ...rest].filter(Boolean).join('/')}.`,
    })
  }
}
