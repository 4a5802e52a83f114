// A payment provider for tests: the sandbox in the test's process, whose events wait until the test delivers them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { sign } from '../../../dev/sandbox/delivery.ts'
import { SANDBOX_PRICES } from '../../../dev/sandbox/prices.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../dev/sandbox/server.ts'
import type { Charge, Customer, ProviderEvent, Session, State, Subscription } from '../../../dev/sandbox/state.ts'
import type { Deps } from '../../../src/deps.ts'
import type { DuplicateSubscriptionsJob } from '../../../src/features/billing/billing.jobs.ts'
import { createBillingWorker } from '../../../src/features/billing/index.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import type { Person } from '../../support/people.ts'

const SECRET_KEY = 'sk_test_of_the_tests'
export const WEBHOOK_SECRET = 'whsec_of_the_tests'

export const PRICES = [
  { id: SANDBOX_PRICES.STRIPE_PRICE_STANDARD, name: 'Tier standard', cents: 500 },
  { id: SANDBOX_PRICES.STRIPE_PRICE_PREMIUM, name: 'Tier premium', cents: 1_500 },
  { id: SANDBOX_PRICES.STRIPE_PRICE_ENTERPRISE, name: 'Tier enterprise', cents: 9_900 },
]

export interface TestProvider extends Sandbox {
  /** Settings of a product that uses it. */
  settings: Record<string, string>
}

/** Stops after the file's tests. @param options with `webhookUrl` it delivers its events itself */
export async function startProvider(options: Partial<SandboxOptions> = {}): Promise<TestProvider> {
  const sandbox = await startSandbox({
    port: 0,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    prices: PRICES,
    ...options,
  })
  afterAll(() => sandbox.stop())
  const settings = {
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: sandbox.url,
    ...SANDBOX_PRICES,
  }
  return { ...sandbox, settings }
}

/** A provider, an API that uses it, and the handlers of a worker. */
export async function startBilling() {
  const provider = await startProvider()
  const { state, actions } = provider
  const api = await startTestApi({ settings: provider.settings })
  const { pool } = api.database
  return { provider, state, actions, api, pool, worker: createBillingWorker(api.deps) }
}

export const customersOf = ({ customers }: State, userId: string): Customer[] =>
  Object.values(customers).filter(({ metadata }) => metadata.userId === userId)

/** The charges of a subscription. */
export const chargesOf = ({ invoices, invoicePayments, payments, charges }: State, subscriptionId: string): Charge[] =>
  Object.values(invoices)
    .filter(({ parent }) => parent.subscription_details.subscription === subscriptionId)
    .flatMap((invoice) => Object.values(invoicePayments).filter((payment) => payment.invoice === invoice.id))
    .flatMap(({ payment }) => charges[payments[payment.payment_intent]?.latest_charge ?? ''] ?? [])

/** What was refunded of a subscription, in cents, by the events: a second refund counts again. */
export function refundsOf(state: State, subscriptionId: string): number[] {
  const ids = chargesOf(state, subscriptionId).map(({ id }) => id)
  return state.events
    .filter(({ event }) => event.type === 'charge.refunded')
    .map(({ event }) => event.data.object as Charge)
    .filter(({ id }) => ids.includes(id))
    .map(({ amount_refunded: cents }) => cents)
}

/** The object that was added last. */
export function lastOf<T>(all: Record<string, T>): T {
  const last = Object.values(all).at(-1)
  if (!last) throw new Error('there is none')
  return last
}

/** Gives a user a premium subscription, at the provider and in the database. */
export async function subscribe(provider: Sandbox, pool: Pool, userId: string): Promise<Subscription> {
  const now = Math.floor(Date.now() / 1000)
  const customer = {
    id: `cus_${userId.replaceAll('-', '')}`,
    object: 'customer' as const,
    email: null,
    metadata: {},
    created: now,
  }
  provider.state.customers[customer.id] = customer
  const priceId = SANDBOX_PRICES.STRIPE_PRICE_PREMIUM
  const { subscription } = sellByHand(provider, { customer: customer.id, priceId })
  await pool.query(`insert into billing_accounts (user_id, customer_id, paid_tier) values ($1, $2, 'premium')`, [
    userId,
    customer.id,
  ])
  await pool.query(
    `insert into subscriptions (id, user_id, customer_id, price_id, tier, status, current_period_end)
     values ($1, $2, $3, $4, 'premium', 'active', now() + interval '30 days')`,
    [subscription.id, userId, customer.id, SANDBOX_PRICES.STRIPE_PRICE_PREMIUM],
  )
  return subscription
}

export const json = { 'content-type': 'application/json' }

export interface Ordered {
  response: Response
  body: { sessionId: string; url: string; error?: string; message?: string }
}

export async function order(api: Pick<TestApi, 'request'>, person: Person, tier: string): Promise<Ordered> {
  const response = await api.request('/api/billing/checkout', {
    method: 'POST',
    headers: { ...json, cookie: person.cookie },
    body: JSON.stringify({ tier }),
  })
  return { response, body: (await response.json()) as Ordered['body'] }
}

/** Delivers an event as the provider does. @param options how the signature differs from a valid one */
export async function deliver(
  api: Pick<TestApi, 'request'>,
  event: ProviderEvent | object,
  options: { secret?: string; ageSeconds?: number; signature?: string; body?: string } = {},
): Promise<Response> {
  const body = JSON.stringify(event)
  const at = Math.floor(Date.now() / 1000) - (options.ageSeconds ?? 0)
  return api.request('/api/billing/webhook', {
    method: 'POST',
    headers: { ...json, 'stripe-signature': options.signature ?? sign(body, options.secret ?? WEBHOOK_SECRET, at) },
    body: options.body ?? body,
  })
}

export async function tierOf(pool: Pool, userId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ tier: string }>('select tier from users where id = $1', [userId])
  return rows[0]?.tier
}

/** As if these objects at the provider had last been read more than a day ago. */
export const ageReads = (pool: Pool, ...objectIds: string[]) =>
  pool.query(`update payment_reads set begun_at = now() - interval '25 hours' where object_id = any($1)`, [objectIds])

/** Applies all stored events like a worker, oldest first. */
export async function applyEvents(deps: Deps): Promise<void> {
  const worker = createBillingWorker(deps)
  const { rows } = await deps.pool.query<{ id: string }>(
    'select id from payment_events where applied_at is null order by received_at, id',
  )
  for (const { id } of rows) await worker.handle({ eventId: id })
}

/** Runs the `duplicate-subscriptions` jobs like a worker. */
export async function resolveDuplicates(deps: Deps): Promise<void> {
  const worker = createBillingWorker(deps)
  const { rows } = await deps.pool.query<{ data: DuplicateSubscriptionsJob }>(
    `delete from pgboss.job where name = 'duplicate-subscriptions' returning data`,
  )
  for (const { data } of rows) await worker.resolveDuplicates(data)
}

/** A further payment of a subscription's period, as a debit that clears late. */
export function addPaidInvoice({ actions }: Sandbox, subscription: Subscription): void {
  const { status, items } = structuredClone(subscription)
  actions.renew(Object.assign(subscription, { status: 'active' }))
  Object.assign(subscription, { status, items })
}

let byHand = 0

/**
 * Sells a subscription in the provider's dashboard, without the product.
 * @param sale `ageSeconds`: how long ago it began
 */
export function sellByHand(
  { state, actions }: Sandbox,
  sale: { customer: string; priceId: string; ageSeconds?: number },
): { subscription: Subscription; events: ProviderEvent[] } {
  const now = Math.floor(Date.now() / 1000)
  const session: Session = {
    id: `cs_by_hand_${byHand++}`,
    object: 'checkout.session',
    mode: 'subscription',
    status: 'open',
    payment_status: 'unpaid',
    customer: sale.customer,
    client_reference_id: null,
    amount_total: 0,
    currency: 'usd',
    subscription: null,
    payment_intent: null,
    success_url: 'http://localhost/',
    cancel_url: 'http://localhost/',
    url: null,
    metadata: {},
    created: now,
    expires_at: now + 3_600,
    sold: { name: 'Sold by hand', priceId: sale.priceId, metadata: {} },
  }
  state.sessions[session.id] = session
  const events = actions.pay(session).map(({ event }) => event)
  const subscription = lastOf(state.subscriptions)
  subscription.created -= sale.ageSeconds ?? 0
  return { subscription, events }
}

export interface Entrance {
  url: string
  settings: Record<string, string>
  /** Holds the chosen requests from now on. @returns a function that releases them */
  hold(): () => void
  /** Number of requests that were held so far. */
  held(): number
  /** Ends all connections: held requests get no answer. */
  disconnect(): void
  /** Number of requests that were refused because their idempotency key was in use. */
  refusals(): number
}

const KEY_IN_USE = {
  type: 'idempotency_error',
  code: 'idempotency_key_in_use',
  message: 'There is currently another in-progress request using this Idempotent Key.',
}

/** Requests that read a subscription. */
const isSubscription = (_method: string, path: string) => path.startsWith('/v1/subscriptions/')
export const isPageCreation = (method: string, path: string) => method === 'POST' && path === '/v1/checkout/sessions'
export const isCustomerCreation = (method: string, path: string) => method === 'POST' && path === '/v1/customers'
export const isPageExpiry = (method: string, path: string) => method === 'POST' && path.endsWith('/expire')

/**
 * A proxy to the provider that can hold requests. Closed after the file's tests.
 * @param options.answered holds the provider's answers, which are then outdated when they arrive;
 * otherwise holds the requests
 * @param options.chosen which requests; reads of subscriptions by default
 * @param options.working held requests use their idempotency keys: others with the same key are
 * refused, as by the provider
 * @param options.failing instead of being held, the chosen requests are answered with 500 or, if
 * `answered`, lose their answer
 */
export async function startEntrance(
  provider: Sandbox & { settings: Record<string, string> },
  options: {
    answered: boolean
    chosen?: (method: string, path: string) => boolean
    working?: boolean
    failing?: boolean
  },
): Promise<Entrance> {
  const { chosen = isSubscription } = options
  let gate: Promise<void> | undefined
  let held = 0
  const wait = async (mine: Promise<void>) => {
    held++
    await mine
  }
  const keysInUse = new Set<unknown>()
  let refusals = 0
  const server = createServer(async (req, res) => {
    const { method = 'GET', url = '' } = req
    const mine = chosen(method, url) ? gate : undefined
    const sent = await text(req)
    const key = req.headers['idempotency-key']
    if (key !== undefined && keysInUse.has(key)) {
      refusals++
      res.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify({ error: KEY_IN_USE }))
      return
    }
    if (mine && options.working && key !== undefined) {
      keysInUse.add(key)
      res.once('close', () => keysInUse.delete(key))
    }
    if (mine && options.failing && !options.answered) {
      res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"type":"api_error"}}')
      return
    }
    if (mine && !options.answered) await wait(mine)
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
        const value = req.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const answer = await fetch(provider.url + url, { method, headers, ...(sent ? { body: sent } : {}) })
    const body = await answer.text()
    if (mine && options.failing) {
      res.destroy()
      return
    }
    if (mine && options.answered) await wait(mine)
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    settings: { ...provider.settings, STRIPE_API_BASE: url },
    hold() {
      const opening = Promise.withResolvers<void>()
      gate = opening.promise
      return () => {
        gate = undefined
        opening.resolve()
      }
    },
    held: () => held,
    disconnect: () => server.closeAllConnections(),
    refusals: () => refusals,
  }
}
