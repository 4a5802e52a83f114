// Buying a tier: from the order to the page, and from the payment to the tier.
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/platform/config/settings.ts'
import { startTestApi } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import {
  applyEvents,
  customersOf,
  deliver,
  isPageCreation,
  json,
  lastOf,
  order,
  startEntrance,
  startProvider,
  tierOf,
} from './support.ts'

const provider = await startProvider()
const api = await startTestApi({ settings: { ...provider.settings, PUBLIC_BASE_URL: 'http://directory.example' } })
const { pool } = api.database

const pagesOf = (userId: string) =>
  Object.values(provider.state.sessions).filter((session) => session.client_reference_id === userId)

/** Pays a page, and delivers and applies the events. */
async function pay(sessionId: string): Promise<void> {
  const session = provider.state.sessions[sessionId]
  if (!session) throw new Error('there is no such page')
  for (const { event } of provider.actions.pay(session)) expect((await deliver(api, event)).status).toBe(200)
  await applyEvents(api.deps)
}

describe('POST /billing/checkout', () => {
  it('opens a page for exactly the price, with a customer for the user', async () => {
    const person = await addPerson(pool)
    const { response, body } = await order(api, person, 'premium')
    expect(response.status).toBe(200)
    expect(Object.keys(body)).toEqual(['sessionId', 'url'])
    const session = provider.state.sessions[body.sessionId]
    expect(session).toMatchObject({
      mode: 'subscription',
      amount_total: 1_500,
      url: body.url,
      success_url: 'http://directory.example/payment?checkout=success&session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://directory.example/payment?checkout=canceled',
    })
    expect(customersOf(provider.state, person.id)).toMatchObject([
      { id: session?.customer, email: `${person.id}@example.com` },
    ])
  })

  it.each([
    ['https://shop.example/#/paid', 'https://shop.example/?checkout=success&session_id={CHECKOUT_SESSION_ID}#/paid'],
    ['https://shop.example/?a=b', 'https://shop.example/?a=b&checkout=success&session_id={CHECKOUT_SESSION_ID}'],
  ])('leads back to BILLING_RETURN_URL %s with the session in its query', async (BILLING_RETURN_URL, success_url) => {
    const settings = { ...provider.settings, BILLING_RETURN_URL }
    const other = await startTestApi({ database: api.database, settings })
    const { body } = await order(other, await addPerson(pool), 'premium')
    expect(provider.state.sessions[body.sessionId]).toMatchObject({ success_url })
  })

  it('gives the tier once it is paid, and not before', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'standard')
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('free')
    await pay(body.sessionId)
    expect(await tierOf(pool, person.id)).toBe('standard')
  })

  it('answers twenty concurrent orders with the same page of one customer', async () => {
    const person = await addPerson(pool)
    const orders = await Promise.all(Array.from({ length: 20 }, () => order(api, person, 'premium')))
    expect(orders.map(({ response }) => response.status)).toEqual(orders.map(() => 200))
    expect(new Set(orders.map(({ body }) => body.sessionId)).size).toBe(1)
    expect(customersOf(provider.state, person.id)).toHaveLength(1)
    expect(pagesOf(person.id)).toHaveLength(1)
  })

  it('answers an order with the page that the provider is creating for another', async () => {
    const entrance = await startEntrance(provider, { answered: false, working: true, chosen: isPageCreation })
    const slowApi = await startTestApi({ database: api.database, settings: entrance.settings })
    const person = await addPerson(pool)
    const release = entrance.hold()
    const first = order(slowApi, person, 'premium')
    await expect.poll(entrance.held).toBe(1)
    const second = order(slowApi, person, 'premium')
    await expect.poll(entrance.refusals).toBe(3) // the second, the repetition of the SDK, and one of ours
    release()
    const orders = await Promise.all([first, second])
    expect(orders.map(({ response }) => response.status)).toEqual([200, 200])
    expect(new Set(orders.map(({ body }) => body.sessionId)).size).toBe(1)
    expect(pagesOf(person.id)).toHaveLength(1)
  })

  it('leaves one customer and one open page if all tiers are ordered at once', async () => {
    const person = await addPerson(pool)
    await Promise.all(['standard', 'premium', 'enterprise'].map((tier) => order(api, person, tier)))
    expect(customersOf(provider.state, person.id)).toHaveLength(1)
    const { body } = await order(api, person, 'premium')
    expect(pagesOf(person.id).filter(({ status }) => status === 'open')).toMatchObject([{ id: body.sessionId }])
  })

  it('expires the page of another tier, so that only one can be paid', async () => {
    const person = await addPerson(pool)
    const first = await order(api, person, 'standard')
    const second = await order(api, person, 'enterprise')
    expect(provider.state.sessions[first.body.sessionId]?.status).toBe('expired')
    expect(provider.state.sessions[second.body.sessionId]?.status).toBe('open')
    const third = await order(api, person, 'standard')
    expect(third.body.sessionId).not.toBe(first.body.sessionId)
  })

  it('finds a payment that was not reported yet, and sells nothing twice', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'premium')
    const session = provider.state.sessions[body.sessionId]
    if (session) provider.actions.pay(session)
    const again = await order(api, person, 'premium')
    expect(again.response.status).toBe(400)
    expect(again.body.error).toBe('already_subscribed')
    expect(await tierOf(pool, person.id)).toBe('premium')
    expect((await order(api, person, 'standard')).body.sessionId).toMatch(/^bps_/)
  })

  it('changes an existing subscription at the provider instead of selling a second one', async () => {
    const person = await addPerson(pool)
    await pay((await order(api, person, 'standard')).body.sessionId)
    const { response, body } = await order(api, person, 'enterprise')
    expect(response.status).toBe(200)
    const subscription = lastOf(provider.state.subscriptions)
    expect(provider.state.portals[body.sessionId]).toMatchObject({
      change: { subscription: subscription.id, price: 'price_sandbox_enterprise' },
    })
    provider.actions.changePrice(subscription, 'price_sandbox_enterprise')
    await deliver(api, provider.state.events.at(-1)?.event ?? {})
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('enterprise')
  })

  it('creates a new customer if the provider no longer has the old one', async () => {
    const person = await addPerson(pool)
    await order(api, person, 'standard')
    const [old] = customersOf(provider.state, person.id)
    delete provider.state.customers[old?.id ?? '']
    const { response, body } = await order(api, person, 'premium')
    expect(response.status).toBe(200)
    expect(provider.state.sessions[body.sessionId]?.customer).toBe(customersOf(provider.state, person.id)[0]?.id)
  })

  it('opens other pages if the provider no longer has the old ones', async () => {
    const person = await addPerson(pool)
    const first = await order(api, person, 'standard')
    delete provider.state.sessions[first.body.sessionId]
    const second = await order(api, person, 'standard')
    expect(second.response.status).toBe(200)
    delete provider.state.sessions[second.body.sessionId]
    const third = await order(api, person, 'premium')
    expect(third.response.status).toBe(200)
    expect(pagesOf(person.id).map(({ id, status }) => [id, status])).toEqual([[third.body.sessionId, 'open']])
  })

  it.each([{}, { tier: 'free' }, { tier: 'gold' }, { tier: 1 }])('refuses %o', async (body) => {
    const person = await addPerson(pool)
    const response = await api.request('/api/billing/checkout', {
      method: 'POST',
      headers: { ...json, cookie: person.cookie },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'validation_failed' })
  })
})

describe('GET /billing/checkout/{sessionId}', () => {
  const read = async (sessionId: string, { cookie }: Person) => {
    const response = await api.request(`/api/billing/checkout/${sessionId}`, { headers: { cookie } })
    return [response.status, await response.json()]
  }

  it('answers the buyer with the state of the page: open, paid, expired', async () => {
    const person = await addPerson(pool)
    const { sessionId } = (await order(api, person, 'standard')).body
    expect(await read(sessionId, person)).toEqual([200, { status: 'open', isProcessing: false }])
    const other = (await order(api, person, 'premium')).body.sessionId
    expect(await read(sessionId, person)).toEqual([200, { status: 'expired', isProcessing: false }])
    await pay(other)
    expect(await read(other, person)).toEqual([200, { status: 'paid', isProcessing: false }])
  })

  it('answers the same for another user’s session as for an unknown one', async () => {
    const [person, other] = [await addPerson(pool), await addPerson(pool)]
    const { sessionId } = (await order(api, person, 'premium')).body
    await pay(sessionId)
    const message = 'There is no such checkout session.'
    const unknown = [
      404,
      {
        error: 'not_found',
        message,
        type: expect.any(String),
        title: 'Not found',
        status: 404,
        detail: message,
        instance: expect.any(String),
      },
    ]
    expect(await read(sessionId, other)).toEqual(unknown)
    expect(await read('cs_unknown', other)).toEqual(unknown)
  })
})

describe('the settings', () => {
  const read = (env: Record<string, string>) => () =>
    readSettings({ APP_SECRET: 'a secret of the tests, 32 characters and more', ...env })

  it('are set together, or billing is off', () => {
    expect(read({})().STRIPE_SECRET_KEY).toBeUndefined()
    expect(read({ STRIPE_SECRET_KEY: 'sk_1', STRIPE_PRICE_PREMIUM: 'price_1' })).toThrow(
      'must be set together (missing: STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_STANDARD, STRIPE_PRICE_ENTERPRISE)',
    )
  })

  it('name several prices of a tier, and no key leaves unencrypted in production', () => {
    const all = { ...provider.settings, STRIPE_PRICE_PREMIUM: 'price_new, price_old' }
    expect(read(all)().STRIPE_PRICE_PREMIUM).toEqual(['price_new', 'price_old'])
    expect(read({ ...all, STRIPE_PRICE_PREMIUM: ' , ' })).toThrow('STRIPE_PRICE_PREMIUM must be')
    expect(read({ ...all, NODE_ENV: 'production' })).toThrow('STRIPE_API_BASE must be https in production')
  })

  it('keep the tier of users with an older price', async () => {
    const person = await addPerson(pool)
    await pay((await order(api, person, 'premium')).body.sessionId)
    const settings = { ...provider.settings, STRIPE_PRICE_PREMIUM: 'price_new,price_sandbox_premium' }
    const other = await startTestApi({ database: api.database, settings })
    const subscription = lastOf(provider.state.subscriptions)
    await pool.query(`update users set tier = 'free' where id = $1`, [person.id])
    await pool.query(`update billing_accounts set paid_tier = 'free' where user_id = $1`, [person.id])
    provider.actions.renew(subscription)
    await deliver(other, provider.state.events.at(-1)?.event ?? {})
    await applyEvents(other.deps)
    expect(await tierOf(pool, person.id)).toBe('premium')
  })
})

describe('without the provider', () => {
  it('that is down, nothing can be bought or canceled, and the subscription is still shown', async () => {
    const gone = await startProvider()
    const other = await startTestApi({ database: api.database, settings: gone.settings })
    const person = await addPerson(pool)
    await gone.stop()
    const { response, body } = await order(other, person, 'premium')
    expect(response.status).toBe(503)
    expect(body.error).toBe('unavailable')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const shown = await other.request('/api/user/subscription', { headers: { cookie: person.cookie } })
    expect(await shown.json()).toMatchObject({
      canSubscribe: true,
      tier: 'free',
      status: 'none',
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
    })
    // It can be bought once the provider is back.
    expect((await order(api, person, 'premium')).response.status).toBe(200)
  })

  it('that refuses our key, the answer is the same', async () => {
    const settings = { ...provider.settings, STRIPE_SECRET_KEY: 'sk_test_wrong' }
    const other = await startTestApi({ database: api.database, settings })
    const { response, body } = await order(other, await addPerson(pool), 'premium')
    expect([response.status, body.error]).toEqual([503, 'unavailable'])
  })

  it('that is not set up in production, its operations are documented and say that billing is off, accounts see their tier, and the rest is ready', async () => {
    const off = await startTestApi({ database: await createTestDatabase(), settings: { NODE_ENV: 'production' } })
    const person = await addPerson(off.database.pool)
    const calls: [string, string][] = [
      ['POST', '/api/billing/checkout'],
      ['POST', '/api/billing/webhook'],
      ['DELETE', '/api/user/subscription'],
      ['POST', '/api/user/subscription/portal'],
    ]
    const headers = { ...json, cookie: person.cookie }
    for (const [method, path] of calls) {
      const body = path.startsWith('/api/billing/') ? { body: JSON.stringify({ tier: 'premium' }) } : {}
      const response = await off.request(path, { method, headers, ...body })
      expect([path, response.status, (await fieldsOf(response)).error]).toEqual([path, 503, 'billing_unavailable'])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await off.request('/api/billing/checkout/cs_1', { headers })).status).toBe(404)
    expect(await (await off.request('/api/user/subscription', { headers })).json()).toMatchObject({ tier: 'free' })
    const [documented, asWithBilling] = await Promise.all(
      [off, api].map(async (one) => (await fieldsOf(await one.request('/api/openapi.json'))).paths),
    )
    expect(documented).toEqual(asWithBilling)
    const ready = await off.request('/readyz')
    expect(ready.status).toBe(200)
    expect((await fieldsOf(ready)).checks).toContainEqual({
      name: 'billing',
      ready: false,
      reason: expect.stringContaining('off'),
    })
  })
})
