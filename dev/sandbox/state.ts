// The sandbox' state, in the provider's formats, and its file, which survives restarts.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export interface Price {
  id: string
  name: string
  /** Cents per month. */
  cents: number
}

export interface Customer {
  id: string
  object: 'customer'
  email: string | null
  metadata: Record<string, string>
  created: number
}

export interface Subscription {
  id: string
  object: 'subscription'
  customer: string
  status: 'active' | 'past_due' | 'canceled'
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  /** The id of the schedule that manages it, as until a downgrade at the end of the period. */
  schedule: string | null
  items: { object: 'list'; data: SubscriptionItem[] }
  metadata: Record<string, string>
  created: number
}

export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  price: { id: string; object: 'price'; currency: string; unit_amount: number }
  quantity: number
  current_period_start: number
  current_period_end: number
}

export interface Session {
  id: string
  object: 'checkout.session'
  mode: 'subscription' | 'payment'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  customer: string | null
  client_reference_id: string | null
  amount_total: number
  currency: string
  subscription: string | null
  payment_intent: string | null
  /** Language of the page; null: the browser's. */
  locale?: string | null
  success_url: string
  cancel_url: string
  url: string | null
  metadata: Record<string, string>
  created: number
  expires_at: number
  /** Display texts and data for the payment: not part of the provider's replies. */
  sold: { name: string; priceId: string | null; metadata: Record<string, string> }
}

export interface Invoice {
  id: string
  object: 'invoice'
  customer: string
  status: 'paid' | 'open'
  amount_paid: number
  currency: string
  created: number
  parent: { type: 'subscription_details'; subscription_details: { subscription: string } }
}

/** A session in the API's format. */
export function toApiSession({ sold: _sold, ...session }: Session): Omit<Session, 'sold'> {
  return session
}

/** The payment that paid an invoice. */
export interface InvoicePayment {
  id: string
  object: 'invoice_payment'
  invoice: string
  status: 'paid'
  amount_paid: number
  currency: string
  payment: { type: 'payment_intent'; payment_intent: string }
}

export interface Payment {
  id: string
  object: 'payment_intent'
  status: 'processing' | 'requires_payment_method' | 'succeeded'
  amount: number
  currency: string
  latest_charge: string | null
  metadata: Record<string, string>
  created: number
}

export interface Charge {
  id: string
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  description: string
  disputed: boolean
  paid: true
  payment_intent: string
  refunded: boolean
  created: number
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  charge: string
  payment_intent: string
  reason: string | null
  status: 'succeeded' | 'failed'
  metadata: Record<string, string>
  created: number
}

export interface Dispute {
  id: string
  object: 'dispute'
  amount: number
  charge: string
  payment_intent: string
  /** The sandbox itself gives it only `needs_response`, `won` and `lost`. */
  status: string
  payment_method_details?: { type: 'card'; card: { case_type: string } }
  created: number
}

export interface Portal {
  id: string
  object: 'billing_portal.session'
  customer: string
  return_url: string
  url: string
  /** The page where a price change was requested. */
  change: { subscription: string; price: string } | null
  created: number
}

export interface ProviderEvent {
  id: string
  object: 'event'
  api_version: string
  type: string
  created: number
  livemode: false
  data: { object: object }
}

export interface StoredEvent {
  event: ProviderEvent
  attempts: number
  acknowledged: boolean
}

export interface State {
  customers: Record<string, Customer>
  subscriptions: Record<string, Subscription>
  sessions: Record<string, Session>
  invoices: Record<string, Invoice>
  invoicePayments: Record<string, InvoicePayment>
  payments: Record<string, Payment>
  charges: Record<string, Charge>
  refunds: Record<string, Refund>
  disputes: Record<string, Dispute>
  portals: Record<string, Portal>
  /** Oldest first. */
  events: StoredEvent[]
  /** Replies by idempotency key, with their requests. */
  answers: Record<string, { asked: string; status: number; body: string; created: number }>
}

export interface Store {
  state: State
  /** Saves the state; call it after each change. */
  save(): void
}

/** An id in the provider's format. */
export const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

const empty = (): State => ({
  customers: {},
  subscriptions: {},
  sessions: {},
  invoices: {},
  invoicePayments: {},
  payments: {},
  charges: {},
  refunds: {},
  disputes: {},
  portals: {},
  events: [],
  answers: {},
})

/** Acknowledged events that are kept and shown. */
const KEPT_EVENTS = 500

/** @param file without it the state is lost when the process ends */
export function openStore(file?: string): Store {
  const state = {
    ...empty(),
    ...(file && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}),
  } as State
  return {
    state,
    save() {
      if (!file) return
      const done = state.events.filter(({ acknowledged }) => acknowledged)
      const dropped = new Set(done.slice(0, -KEPT_EVENTS))
      if (dropped.size) state.events = state.events.filter((stored) => !dropped.has(stored))
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
      fs.renameSync(`${file}.new`, file) // atomic, even if the process is killed
    },
  }
}
