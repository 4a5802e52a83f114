// The provider keeps an idempotency key's first answer for a day, a failure too: the next attempt has its own key, and
// finds what a failed one has created.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { CallFilter } from '../../../dev/sandbox/api.ts'
import { createBilling, createBillingWorker, requestRefund } from '../../../src/features/billing/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import {
  customersOf,
  deliver,
  isCustomerCreation,
  isPageCreation,
  order,
  refundsOf,
  resolveDuplicates,
  sellByHand,
  startBilling,
  startEntrance,
  subscribe,
} from './support.ts'

const { provider, state, actions, api, pool, worker } = await startBilling()
const { payments } = createBilling(api.deps)
const second = await startTestApi({ database: api.database, settings: provider.settings })

const isRefundCreation: CallFilter = (method, path) => method === 'POST' && path === '/v1/refunds'

const pagesOf = ({ id }: Person) =>
  Object.values(state.sessions).filter(({ client_reference_id: userId }) => userId === id)
const payablePagesOf = (person: Person) => pagesOf(person).filter(({ status }) => status === 'open')

/** Fails the chosen calls while `work` runs. */
async function failing<T>(chosen: CallFilter, takesEffect: boolean, work: () => Promise<T>): Promise<T> {
  const end = provider.failCalls(chosen, { takesEffect })
  return work().finally(end)
}

function paymentOf(person: Person) {
  const reference = `auction:${uuidv7()}`
  return {
    userId: person.id,
    amountCents: 12_345,
    currency: 'USD',
    description: 'A week in the hall',
    reference,
    successUrl: 'http://localhost/paid',
    cancelUrl: 'http://localhost/not-paid',
    idempotencyKey: reference,
    expiresAt: new Date(Date.now() + 48 * 3_600_000),
  }
}

describe.each([
  ['that created nothing', false],
  ['that created the page all the same', true],
])('a failure of the provider %s', (_what, takesEffect) => {
  it('delays a subscription’s page only while it lasts', async () => {
    const person = await addPerson(pool)
    const failed = await failing(isPageCreation, takesEffect, () => order(api, person, 'premium'))
    expect(failed.response.status).toBe(takesEffect ? 200 : 503)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => order(n % 2 ? api : second, person, 'premium')))
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.sessionId)).size).toBe(1)
    expect(payablePagesOf(person)).toMatchObject([{ id: answers[0]?.body.sessionId }])
    expect(pagesOf(person)).toHaveLength(1)
  })

  it('does not keep an order of another tier from replacing the first', async () => {
    const person = await addPerson(pool)
    await failing(isPageCreation, takesEffect, () => order(api, person, 'standard'))
    const { response, body } = await order(second, person, 'premium')
    expect(response.status).toBe(200)
    expect(payablePagesOf(person)).toMatchObject([{ id: body.sessionId }])
  })

  it('delays a one-time payment’s page only while it lasts', async () => {
    const person = await addPerson(pool)
    const payment = paymentOf(person)
    const failed = failing(isPageCreation, takesEffect, () => payments.createPaymentSession(payment))
    if (takesEffect) await failed
    else await expect(failed).rejects.toMatchObject({ status: 503 })
    const pages = await Promise.all(Array.from({ length: 8 }, () => payments.createPaymentSession(payment)))
    expect(new Set(pages.map(({ sessionId }) => sessionId)).size).toBe(1)
    expect(pagesOf(person)).toMatchObject([{ id: pages[0]?.sessionId, status: 'open' }])
  })

  it('leaves the account with one customer', async () => {
    const person = await addPerson(pool)
    await failing(isCustomerCreation, takesEffect, () => order(api, person, 'premium'))
    const answers = await Promise.all([order(api, person, 'premium'), order(second, person, 'premium')])
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200])
    expect(customersOf(state, person.id)).toHaveLength(1)
  })

  it('delays a refund only while it lasts, and the payment is refunded once', async () => {
    const person = await addPerson(pool)
    const { sessionId } = await payments.createPaymentSession(paymentOf(person))
    const session = state.sessions[sessionId]
    if (!session) throw new Error('there is no such page')
    for (const { event } of actions.pay(session)) {
      await deliver(api, event)
      await worker.handle({ eventId: event.id })
    }
    await inTransaction(pool, (tx) => requestRefund(tx, api.deps.jobs, sessionId))
    const { rows } = await pool.query<{ id: string }>(
      `select refund.id from payment_refunds as refund join payment_sessions as page on page.id = payment_session_id
       where session_id = $1`,
      [sessionId],
    )
    const refundId = rows[0]?.id ?? ''
    for (let attempt = 0; attempt < 2; attempt++)
      await failing(isRefundCreation, takesEffect, () => worker.refund({ refundId })).catch(() => {})
    await Promise.all([worker.refund({ refundId }), createBillingWorker(second.deps).refund({ refundId })])
    const refunds = Object.values(state.refunds).filter((of) => of.payment_intent === session.payment_intent)
    expect(refunds.map(({ amount }) => amount)).toEqual([12_345])
    const { rows: stored } = await pool.query('select status from payment_refunds where id = $1', [refundId])
    expect(stored).toEqual([{ status: 'succeeded' }])
  })

  it('delays the refund of a second subscription only while it lasts', async () => {
    const person = await addPerson(pool)
    const first = await subscribe(provider, pool, person.id)
    const { subscription, events } = sellByHand(provider, {
      customer: first.customer,
      priceId: 'price_sandbox_standard',
    })
    const isSecondLater = first.created < subscription.created || first.id < subscription.id
    const later = isSecondLater ? subscription : first
    await failing(isRefundCreation, takesEffect, async () => {
      for (const event of events) {
        await deliver(api, event)
        await worker.handle({ eventId: event.id })
      }
      await resolveDuplicates(api.deps).catch(() => {})
    })
    await worker.resolveDuplicates({ userId: person.id })
    expect(refundsOf(state, later.id)).toHaveLength(1)
    const { rows } = await pool.query(
      'select resolved_at is not null as "isResolved" from duplicate_subscriptions where subscription_id = $1',
      [later.id],
    )
    expect(rows).toEqual([{ isResolved: true }])
  })
})

describe('a page', () => {
  it('whose creation’s answer was lost is found by the next call', async () => {
    const losing = await startEntrance(provider, { answered: true, chosen: isPageCreation, failing: true })
    losing.hold()
    const settings = { ...api.deps.settings, STRIPE_API_BASE: losing.url }
    const person = await addPerson(pool)
    const payment = paymentOf(person)
    const lost = createBilling({ ...api.deps, settings }).payments.createPaymentSession(payment)
    await expect(lost).rejects.toMatchObject({ status: 503 })
    const { sessionId } = await payments.createPaymentSession(payment)
    expect(pagesOf(person)).toMatchObject([{ id: sessionId }])
  })

  it('whose creation’s answer was lost is found also if settings have changed since', async () => {
    const person = await addPerson(pool)
    const payment = paymentOf(person)
    const { sessionId } = await payments.createPaymentSession(payment)
    await pool.query('update payment_sessions set session_id = null, url = null where session_id = $1', [sessionId])
    const again = await payments.createPaymentSession({ ...payment, successUrl: 'http://localhost/elsewhere' })
    expect(again.sessionId).toBe(sessionId)
    expect(pagesOf(person)).toHaveLength(1)
  })

  it.each(['payment', 'subscription'])(
    'of a %s gets a new time of expiry when its first attempt was long ago',
    async (kind) => {
      const person = await addPerson(pool)
      const payment = paymentOf(person)
      const open = () =>
        kind === 'payment'
          ? payments.createPaymentSession(payment)
          : order(api, person, 'premium').then(({ body }) => body)
      await failing(isPageCreation, false, () => open().catch(() => {}))
      await pool.query(`update payment_sessions set expires_at = now() + interval '20 minutes' where user_id = $1`, [
        person.id,
      ])
      const { sessionId } = await open()
      const { rows } = await pool.query<{ expiresAt: Date }>(
        'select expires_at as "expiresAt" from payment_sessions where session_id = $1',
        [sessionId],
      )
      expect(state.sessions[sessionId]?.expires_at).toBe(Math.floor((rows[0]?.expiresAt.getTime() ?? 0) / 1000))
      expect(rows[0]?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 30 * 60_000)
    },
  )

  it('is the only payable one if two processes have created one each: the slower expires its own', async () => {
    const slow = await startEntrance(provider, { answered: true, chosen: isPageCreation })
    const settings = { ...api.deps.settings, STRIPE_API_BASE: slow.url }
    const person = await addPerson(pool)
    const payment = paymentOf(person)
    const release = slow.hold()
    const slower = createBilling({ ...api.deps, settings }).payments.createPaymentSession(payment)
    await expect.poll(() => slow.held()).toBe(1)
    // As if the first key had failed for another process, which did not find the page.
    await pool.query('update payment_sessions set attempt = attempt + 1 where user_id = $1', [person.id])
    const { sessionId } = await payments.createPaymentSession(payment)
    release()
    expect((await slower).sessionId).toBe(sessionId)
    expect(payablePagesOf(person)).toMatchObject([{ id: sessionId }])
    for (const { event } of state.events.slice(-1)) {
      await deliver(api, event)
      await worker.handle({ eventId: event.id })
    }
    const { rows } = await pool.query(
      'select status, session_id as "sessionId" from payment_sessions where user_id = $1',
      [person.id],
    )
    expect(rows).toEqual([{ status: 'open', sessionId }])
  })
})
