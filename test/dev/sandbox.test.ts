// The payment sandbox, used with the provider's SDK and through its pages.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Stripe from 'stripe'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseForm } from '../../dev/sandbox/form.ts'
import { money } from '../../dev/sandbox/pages.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../dev/sandbox/server.ts'
import { temporaryFolder } from '../commands/support/start-launcher.ts'
import { NODE_ARGS } from '../support/node.ts'

const KEY = 'sk_test_1'
const SECRET = 'whsec_1'
const PRICES = [
  { id: 'price_a', name: 'Tier A', cents: 500 },
  { id: 'price_b', name: 'Tier B', cents: 1_905 },
]

async function start(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ port: 0, secretKey: KEY, webhookSecret: SECRET, prices: PRICES, ...options })
  onTestFinished(() => sandbox.stop())
  return sandbox
}

const sdk = ({ url }: Sandbox, key = KEY) =>
  new Stripe(key, {
    host: '127.0.0.1',
    port: new URL(url).port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })

const subscriptionPage = (customer: string): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  customer,
  line_items: [{ price: 'price_a', quantity: 1 }],
  success_url: 'http://shop.example/paid?id={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://shop.example/not-paid',
  metadata: { of: 'session' },
  subscription_data: { metadata: { of: 'subscription' } },
})

const paymentPage = (name = 'A week in the hall'): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 12_345, product_data: { name } } }],
  success_url: 'http://shop.example/paid',
  payment_intent_data: { metadata: { of: 'payment' } },
})

const press = (page: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', headers })

/** Receives events: stores them and refuses the first `refusals` deliveries of each. */
async function startReceiver(refusals = 0) {
  const events: Stripe.Event[] = []
  const seen = new Map<string, number>()
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += String(chunk)
    const event = Stripe.webhooks.constructEvent(body, req.headers['stripe-signature'] ?? '', SECRET)
    const times = (seen.get(event.id) ?? 0) + 1
    seen.set(event.id, times)
    if (times > refusals) events.push(event)
    res.writeHead(times > refusals ? 200 : 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { events, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

describe('the API', () => {
  it('sells a subscription, which is paid, changed and canceled', async () => {
    const { events, url: webhookUrl } = await startReceiver()
    const sandbox = await start({ webhookUrl })
    const stripe = sdk(sandbox)
    const customer = await stripe.customers.create({ email: 'me@example.com', metadata: { a: 'b' } })
    const session = await stripe.checkout.sessions.create(subscriptionPage(customer.id))
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', metadata: { of: 'session' } })

    const page = await (await fetch(session.url ?? '')).text()
    expect(page).toContain('Tier A')
    expect(page).toContain('5.00 USD a month')
    const paid = await press(session.url ?? '', { do: 'pay' })
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `http://shop.example/paid?id=${session.id}`])
    expect(events.map(({ type }) => type).sort()).toEqual([
      'checkout.session.completed',
      'customer.subscription.created',
      'invoice.paid',
    ])
    const complete = await stripe.checkout.sessions.retrieve(session.id)
    expect(complete).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    const id = String(complete.subscription)
    const subscription = await stripe.subscriptions.retrieve(id)
    expect(subscription).toMatchObject({ status: 'active', customer: customer.id, metadata: { of: 'subscription' } })
    expect(subscription.items.data[0]).toMatchObject({ price: { id: 'price_a' }, quantity: 1 })

    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'http://shop.example/',
    })
    expect(await (await fetch(portal.url)).text()).toContain('Change to Tier B: 19.05 USD')
    await press(portal.url, { do: 'change', subscription: id, price: 'price_b' })
    await press(portal.url, { do: 'cancel', subscription: id })
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      cancel_at_period_end: true,
      items: { data: [{ price: { id: 'price_b' } }] },
    })
    await stripe.subscriptions.update(id, { cancel_at_period_end: false })
    expect(await (await fetch(portal.url)).text()).toContain('renews on')
    await stripe.subscriptions.cancel(id)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
    await expect.poll(() => events.at(-1)?.type).toBe('customer.subscription.deleted')
  })

  it('takes a one-time payment, refunds it and disputes it', async () => {
    const sandbox = await start()
    const stripe = sdk(sandbox)
    const session = await stripe.checkout.sessions.create(paymentPage())
    expect(session).toMatchObject({ amount_total: 12_345, currency: 'eur' })
    const declined = await (await press(session.url ?? '', { do: 'fail' })).text()
    expect(declined).toContain('declined')
    expect((await press(session.url ?? '', { do: 'cancel' })).headers.get('location')).toBe('http://shop.example/paid')
    await press(session.url ?? '', { do: 'pay' })

    const expand = ['payment_intent.latest_charge']
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand })
    const payment = paid.payment_intent as Stripe.PaymentIntent
    const charge = payment.latest_charge as Stripe.Charge
    expect(payment).toMatchObject({ status: 'succeeded', metadata: { of: 'payment' } })
    expect(charge).toMatchObject({ amount: 12_345, refunded: false, disputed: false })
    expect((await stripe.checkout.sessions.list({ payment_intent: payment.id })).data).toHaveLength(1)
    expect((await stripe.checkout.sessions.list({ payment_intent: 'pi_other' })).data).toEqual([])

    await press(`${sandbox.url}/`, { do: 'dispute', id: charge.id })
    expect((await stripe.disputes.list({ charge: charge.id })).data).toMatchObject([{ status: 'needs_response' }])
    await press(`${sandbox.url}/`, { do: 'win', id: charge.id })
    expect((await stripe.disputes.list({ charge: charge.id })).data).toMatchObject([{ status: 'won' }])
    await press(`${sandbox.url}/`, { do: 'refund', id: charge.id })
    expect(await stripe.checkout.sessions.retrieve(session.id, { expand })).toMatchObject({
      payment_intent: { latest_charge: { refunded: true, amount_refunded: 12_345 } },
    })
  })

  it('replays the response to an idempotency key, and refuses the key with another request', async () => {
    const stripe = sdk(await start())
    const key = { idempotencyKey: 'one' }
    const [first, second] = await Promise.all([
      stripe.customers.create({ email: 'a@example.com' }, key),
      stripe.customers.create({ email: 'a@example.com' }, key),
    ])
    expect(second.id).toBe(first.id)
    await expect(stripe.customers.create({ email: 'b@example.com' }, key)).rejects.toMatchObject({
      rawType: 'idempotency_error',
    })
  })

  it('answers with the provider’s errors', async () => {
    const sandbox = await start()
    const stripe = sdk(sandbox)
    await expect(sdk(sandbox, 'sk_test_2').customers.create()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
    })
    const missing = { type: 'StripeInvalidRequestError', code: 'resource_missing' }
    await expect(stripe.subscriptions.retrieve('sub_1')).rejects.toMatchObject(missing)
    await expect(stripe.subscriptions.retrieve('__proto__')).rejects.toMatchObject(missing)
    await expect(stripe.checkout.sessions.create(subscriptionPage('cus_1'))).rejects.toMatchObject(missing)
    const soon = { ...paymentPage(), expires_at: Math.floor(Date.now() / 1000) + 60 }
    await expect(stripe.checkout.sessions.create(soon)).rejects.toMatchObject({ param: 'expires_at' })
    const session = await stripe.checkout.sessions.create(paymentPage())
    await stripe.checkout.sessions.expire(session.id)
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 })
    await expect(stripe.products.create({ name: 'x' })).rejects.toThrow('The sandbox does not have')
  })

  it('parses nested form fields, and no name reaches the prototype', () => {
    expect(parseForm('a[b][0][c]=1&a[b][0][d]=2&e=3')).toEqual({ a: { b: { 0: { c: '1', d: '2' } } }, e: '3' })
    parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('the pages', () => {
  it('show every name as text', async () => {
    const sandbox = await start()
    const name = `<script>alert("1")</script> & 'more'`
    const session = await sdk(sandbox).checkout.sessions.create(paymentPage(name))
    for (const page of [session.url ?? '', `${sandbox.url}/`]) {
      const response = await fetch(page)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      const text = await response.text()
      expect(text).not.toContain('<script>')
      expect(text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;')
    }
  })

  it('refuse requests from another site’s page', async () => {
    const sandbox = await start()
    const session = await sdk(sandbox).checkout.sessions.create(paymentPage())
    const refused = await press(session.url ?? '', { do: 'pay' }, { 'sec-fetch-site': 'cross-site' })
    expect(refused.status).toBe(403)
    expect(sandbox.state.sessions[session.id]?.status).toBe('open')
    expect((await fetch(`${sandbox.url}/pay/cs_unknown`)).status).toBe(404)
  })

  it.each([
    [5, '0.05 EUR'],
    [500, '5.00 EUR'],
    [99_999_999, '999999.99 EUR'],
  ])('show %d cents as %s', (cents, shown) => expect(money(cents, 'eur')).toBe(shown))
})

describe('events', () => {
  it('are sent until they are acknowledged, also after a restart', async () => {
    const file = path.join(temporaryFolder(), 'state.json')
    const first = await start({ file, webhookUrl: 'http://127.0.0.1:1/' })
    const session = await sdk(first).checkout.sessions.create(paymentPage())
    const paying = press(session.url ?? '', { do: 'pay' })
    await expect.poll(() => first.state.events[0]?.attempts).toBe(1)
    await first.stop()
    await paying.catch(() => undefined)

    const { events, url: webhookUrl } = await startReceiver(2)
    const second = await start({ file, webhookUrl })
    await vi.waitFor(() => expect(events).toHaveLength(3), { timeout: 10_000 })
    expect(await sdk(second).checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete' })
  })

  it('report changes that time causes', async () => {
    let now = Date.now()
    const sandbox = await start({ now: () => now })
    const stripe = sdk(sandbox)
    const customer = await stripe.customers.create()
    const open = await stripe.checkout.sessions.create(paymentPage())
    const session = await stripe.checkout.sessions.create(subscriptionPage(customer.id))
    await press(session.url ?? '', { do: 'pay' })
    now += 31 * 86_400_000
    sandbox.actions.tick()
    expect((await stripe.checkout.sessions.retrieve(open.id)).status).toBe('expired')
    const types = sandbox.state.events.map(({ event }) => event.type)
    expect(types.slice(3)).toEqual(['checkout.session.expired', 'invoice.paid', 'customer.subscription.updated'])
  })
})

it('refuses to run in production', async () => {
  const child = spawn(process.execPath, [...NODE_ARGS, 'dev/sandbox/main.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      APP_SECRET: 'a secret of the tests, 32 characters and more',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([code, output]).toEqual([1, 'sandbox: the payment sandbox is not for production\n'])
})
