// One-time payments for other features: one page for each order, and a job for each change of its status.
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Charge } from '../../../dev/sandbox/state.ts'
import {
  createBilling,
  createBillingWorker,
  type PaymentOrder,
  paymentSettled,
} from '../../../src/features/billing/index.ts'
import { installQueues } from '../../../src/platform/queue/jobs.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { ageReads, applyEvents, deliver, startProvider } from './support.ts'

const provider = await startProvider()
const { actions, state } = provider
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database
const { payments } = createBilling(api.deps)
beforeAll(() => installQueues({ url: api.database.url, log: testLog, applicationName: 'test' }, [paymentSettled]))

async function newOrder(changes: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
  const { id } = await addPerson(pool)
  const reference = `auction:${uuidv7()}`
  return {
    userId: id,
    amountCents: 12_345,
    currency: 'USD',
    description: 'A week in the hall',
    reference,
    successUrl: 'http://localhost/paid',
    cancelUrl: 'http://localhost/not-paid',
    idempotencyKey: reference,
    expiresAt: new Date(Date.now() + 48 * 3_600_000),
    ...changes,
  }
}

async function opened(given?: PaymentOrder) {
  const order = given ?? (await newOrder())
  const page = await payments.createPaymentSession(order)
  const session = state.sessions[page.sessionId]
  if (!session) throw new Error('there is no such page')
  return { order, page, session }
}

async function happens(work: () => unknown): Promise<void> {
  const before = state.events.length
  work()
  for (const { event } of state.events.slice(before).reverse()) await deliver(api, event)
  await applyEvents(api.deps)
}

function chargeOf(session: { payment_intent: string | null }): Charge {
  const charge = state.charges[state.payments[session.payment_intent ?? '']?.latest_charge ?? '']
  if (!charge) throw new Error('nothing was charged')
  return charge
}

/** The `payment-settled` jobs of a reference, in order. */
async function reported(reference: string): Promise<unknown[]> {
  const { rows } = await pool.query<{ data: unknown }>(
    `select data from pgboss.job where name = 'payment-settled' and data->>'reference' = $1 order by created_on, id`,
    [reference],
  )
  return rows.map(({ data }) => data)
}
const statuses = async (reference: string) =>
  (await reported(reference)).map((data) => (data as { status: string }).status)

describe('createPaymentSession', () => {
  it('opens a page for exactly the amount', async () => {
    const { page, session } = await opened()
    expect(page).toEqual({ sessionId: session.id, url: session.url })
    expect(session).toMatchObject({
      mode: 'payment',
      amount_total: 12_345,
      currency: 'usd',
      success_url: 'http://localhost/paid',
      cancel_url: 'http://localhost/not-paid',
      sold: { name: 'A week in the hall' },
    })
    // The provider takes no page that is open for longer than a day.
    expect(session.expires_at * 1000 - Date.now()).toBeLessThan(24 * 3_600_000)
  })

  it('expires when the order says', async () => {
    const expiresAt = new Date(Date.now() + 2 * 3_600_000)
    const { session } = await opened(await newOrder({ expiresAt }))
    expect(session.expires_at).toBe(Math.floor(expiresAt.getTime() / 1000))
  })

  it('opens one page for concurrent calls with one key', async () => {
    const order = await newOrder()
    const pages = await Promise.all(Array.from({ length: 20 }, () => payments.createPaymentSession(order)))
    expect(new Set(pages.map(({ sessionId }) => sessionId)).size).toBe(1)
    expect(
      Object.values(state.sessions).filter((session) => session.client_reference_id === order.userId),
    ).toHaveLength(1)
  })

  it('opens the same page after the provider was down', async () => {
    const order = await newOrder()
    const settings = { ...api.deps.settings, STRIPE_API_BASE: 'http://127.0.0.1:1' }
    const cut = createBilling({ ...api.deps, settings }).payments
    await expect(cut.createPaymentSession(order)).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    expect((await opened(order)).session.amount_total).toBe(12_345)
  })

  it('opens another page after one has expired, but not after one was paid', async () => {
    const { order, session } = await opened()
    await happens(() => actions.expire(session))
    const second = await opened(order)
    expect(second.session.status).toBe('open')
    expect((await opened(order)).session.id).toBe(second.session.id)
    // Paid in its last minute, and not reported yet.
    actions.pay(second.session)
    await pool.query('update payment_sessions set expires_at = now() where session_id = $1', [second.session.id])
    expect((await opened(order)).session.id).toBe(second.session.id)
    expect(await statuses(order.reference)).toEqual(['expired', 'paid'])
  })

  it('refuses the key of another payment', async () => {
    const order = await newOrder()
    await payments.createPaymentSession(order)
    await expect(payments.createPaymentSession({ ...order, amountCents: 1 })).rejects.toThrow('another payment')
  })

  it.each([0, -1, 0.5, 12.34, 100_000_000, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses an amount of %d',
    async (amountCents) => {
      const order = await newOrder({ amountCents })
      await expect(payments.createPaymentSession(order)).rejects.toThrow(RangeError)
    },
  )

  it('answers that billing is off', async () => {
    const { STRIPE_SECRET_KEY: _key, ...settings } = api.deps.settings
    const off = createBilling({ ...api.deps, settings: settings as typeof api.deps.settings }).payments
    await expect(off.createPaymentSession(await newOrder())).rejects.toMatchObject({ status: 503 })
  })
})

describe('the status of a payment', () => {
  it('is reported once: paid', async () => {
    const { order, session } = await opened()
    await happens(() => actions.pay(session))
    const paid = {
      reference: order.reference,
      status: 'paid',
      paymentId: session.payment_intent,
      sessionId: session.id,
    }
    expect(await reported(order.reference)).toEqual([paid])
    const completed = state.events.filter(({ event }) => event.type === 'checkout.session.completed')
    for (const { event } of completed) await deliver(api, { ...event, id: `${event.id}again` })
    await applyEvents(api.deps)
    expect(await reported(order.reference)).toEqual([paid])
  })

  it('is reported: expired, refunded, disputed, and paid again once the dispute is won', async () => {
    const expired = await opened()
    await happens(() => actions.expire(expired.session))
    expect(await reported(expired.order.reference)).toEqual([
      { reference: expired.order.reference, status: 'expired', paymentId: null, sessionId: expired.session.id },
    ])

    const { order, session } = await opened()
    await happens(() => actions.pay(session))
    await happens(() => actions.dispute(chargeOf(session)))
    await happens(() => actions.closeDispute(chargeOf(session), 'won'))
    await happens(() => actions.refund(chargeOf(session)))
    expect(await statuses(order.reference)).toEqual(['paid', 'disputed', 'paid', 'refunded'])
  })

  it('is the current one if the events are late', async () => {
    const { order, session } = await opened()
    await happens(() => {
      actions.pay(session)
      actions.refund(chargeOf(session))
    })
    expect(await statuses(order.reference)).toEqual(['refunded'])
  })

  it('is read again each day, so that a dispute and a refund whose events were lost are reported', async () => {
    const worker = createBillingWorker(api.deps)
    const { order, session } = await opened()
    await happens(() => actions.pay(session))
    const charge = chargeOf(session)
    actions.dispute(charge)
    await worker.sweep()
    expect(await statuses(order.reference)).toEqual(['paid']) // it was read a moment ago
    for (const work of [() => undefined, () => actions.closeDispute(charge, 'won'), () => actions.refund(charge)]) {
      work()
      await ageReads(pool, session.id)
      await worker.sweep()
    }
    expect(await statuses(order.reference)).toEqual(['paid', 'disputed', 'paid', 'refunded'])
  })

  it.each([
    ['needs_response', 'chargeback', 'disputed'],
    ['warning_under_review', 'inquiry', 'paid'],
    ['appeal_under_review', 'chargeback', 'disputed'],
    ['prevented', 'resolution', 'disputed'],
    ['prevented', 'block', 'paid'],
    ['a_new_status', 'chargeback', 'paid'],
  ])('of a dispute with status %s and case type %s is %s', async (disputeStatus, caseType, status) => {
    const logged: unknown[] = []
    const log = testLog.child({})
    log.error = (...line: unknown[]) => logged.push(line[0])
    const worker = createBillingWorker({ ...api.deps, log })
    const { session } = await opened()
    await happens(() => actions.pay(session))
    const charge = chargeOf(session)
    actions.dispute(charge)
    const dispute = Object.values(state.disputes).find((one) => one.charge === charge.id)
    Object.assign(dispute ?? {}, {
      status: disputeStatus,
      payment_method_details: { type: 'card', card: { case_type: caseType } },
    })
    await ageReads(pool, session.id)
    await worker.sweep()
    const { rows } = await pool.query('select status from payment_sessions where session_id = $1', [session.id])
    expect(rows).toEqual([{ status }])
    expect(logged).toEqual(disputeStatus === 'a_new_status' ? [{ disputeId: dispute?.id, status: disputeStatus }] : [])
  })

  it('is not reported for a declined card: the page is still open', async () => {
    const { order, session } = await opened()
    await happens(() => actions.fail(session))
    expect(await reported(order.reference)).toEqual([])
    await happens(() => actions.pay(session))
    expect(await statuses(order.reference)).toEqual(['paid'])
  })
})
