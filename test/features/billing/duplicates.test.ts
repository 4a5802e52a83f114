// Two active subscriptions of one account: the later is canceled, refunded once, and reported.
import { describe, expect, it } from 'vitest'
import { createBillingWorker, writeDuplicateSubscription } from '../../../src/features/billing/index.ts'
import type { ProviderEvent, Subscription } from '../../../tools/sandbox/state.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import {
  applyEvents,
  deliver,
  lastOf,
  order,
  resolveDuplicates,
  sellByHand,
  startEntrance,
  startProvider,
  tierOf,
} from './support.ts'

const provider = await startProvider()
const { state, actions } = provider
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database
const worker = createBillingWorker(api.deps)
const PREMIUM = 'price_sandbox_premium'

async function hear(events: readonly ProviderEvent[]): Promise<void> {
  for (const event of events) expect((await deliver(api, event)).status).toBe(200)
}

/** A user with a standard subscription, an hour old, and a premium one that was sold by hand beside it. */
async function addPersonWithTwo() {
  const person = await addPerson(pool)
  const { body } = await order(api, person, 'standard')
  const page = state.sessions[body.sessionId]
  if (!page) throw new Error('there is no such page')
  const events = actions.pay(page).map(({ event }) => event)
  const first = lastOf(state.subscriptions)
  first.created -= 3_600
  await hear(events)
  await applyEvents(api.deps)
  const { subscription: second, events: laterEvents } = sellByHand(provider, {
    customer: first.customer,
    priceId: PREMIUM,
  })
  return { person, first, second, laterEvents }
}

const chargesOf = ({ id }: Subscription) =>
  Object.values(state.invoices)
    .filter(({ parent }) => parent.subscription_details.subscription === id)
    .flatMap((invoice) => Object.values(state.invoicePayments).filter((paid) => paid.invoice === invoice.id))
    .flatMap(({ payment }) => state.charges[state.payments[payment.payment_intent]?.latest_charge ?? ''] ?? [])
const refundsOf = (subscription: Subscription) =>
  state.events.filter(
    ({ event }) =>
      event.type === 'charge.refunded' &&
      chargesOf(subscription).some(({ id }) => 'id' in event.data.object && event.data.object.id === id),
  ).length

const recordOf = async ({ id }: Subscription) =>
  (
    await pool.query(
      `select kept_subscription_id as kept, resolved_at is not null as "isResolved", refunded_cents as cents, currency
       from duplicate_subscriptions where subscription_id = $1`,
      [id],
    )
  ).rows
const mailsTo = async ({ id }: Person) =>
  (
    await pool.query(
      `select data from pgboss.job where name = 'mail' and data->>'kind' = 'duplicate-subscription' and data->>'userId' = $1`,
      [id],
    )
  ).rows
const auditOf = async ({ id }: Person) =>
  (
    await pool.query(`select action, details from audit_log where target_id = $1 and action like 'subscription.%'`, [
      id,
    ])
  ).rows

describe('a second active subscription', () => {
  it('is canceled and refunded; the first and its tier stay', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect([first.status, second.status]).toEqual(['active', 'canceled'])
    expect(chargesOf(second)).toMatchObject([{ amount: 1_500, amount_refunded: 1_500 }])
    expect(chargesOf(first)).toMatchObject([{ amount_refunded: 0 }])
    expect(await tierOf(pool, person.id)).toBe('standard')
    expect(await recordOf(second)).toEqual([{ kept: first.id, isResolved: true, cents: 1_500, currency: 'usd' }])
  })

  it('is in the audit log and in a mail to the account', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    const ids = { subscriptionId: second.id, keptSubscriptionId: first.id }
    expect(await auditOf(person)).toEqual([
      { action: 'subscription.refund', details: { ...ids, refundedCents: 1_500, currency: 'usd' } },
    ])
    expect(await mailsTo(person)).toEqual([
      { data: { kind: 'duplicate-subscription', userId: person.id, subscriptionId: second.id } },
    ])
    const mail = await writeDuplicateSubscription(api.deps, { subscriptionId: second.id })
    expect(mail?.to).toBe(`${person.id}@example.com`)
    expect(mail?.text).toContain('15.00 USD')
  })

  it('is refunded once by ten workers at the same time, and by every event that comes again', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await applyEvents(api.deps)
    await Promise.allSettled(Array.from({ length: 10 }, () => worker.resolveDuplicates({ userId: person.id })))
    await worker.resolveDuplicates({ userId: person.id })
    for (const { id } of laterEvents) await worker.handle({ eventId: id })
    await pool.query('update payment_events set applied_at = null where id = any($1)', [
      laterEvents.map(({ id }) => id),
    ])
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect([second.status, refundsOf(second)]).toEqual(['canceled', 1])
    expect([(await mailsTo(person)).length, (await auditOf(person)).length]).toEqual([1, 1])
  })

  it('is the later one also when it is heard of first', async () => {
    const person = await addPerson(pool)
    await order(api, person, 'standard')
    const customer = Object.values(state.customers).find(({ metadata }) => metadata.userId === person.id)?.id ?? ''
    const early = sellByHand(provider, { customer, priceId: 'price_sandbox_standard', ageSeconds: 60 })
    const late = sellByHand(provider, { customer, priceId: PREMIUM })
    await hear(late.events)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect(late.subscription.status).toBe('active')
    await hear(early.events)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect([early.subscription.status, late.subscription.status]).toEqual(['active', 'canceled'])
    expect(refundsOf(late.subscription)).toBe(1)
  })

  it('is none when the first has ended at the provider, of which no event has come yet', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    actions.cancelNow(first)
    await hear(laterEvents)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect([second.status, refundsOf(second)]).toEqual(['active', 0])
    expect(await tierOf(pool, person.id)).toBe('premium')
  })

  it('of a price that is not ours is left alone', async () => {
    const { first, second, laterEvents } = await addPersonWithTwo()
    const [item] = second.items.data
    if (item) item.price.id = 'price_of_another_product'
    await hear(laterEvents)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect([first.status, second.status, refundsOf(second)]).toEqual(['active', 'active', 0])
  })

  it('gets back what its current period cost, not the periods before', async () => {
    const { second, laterEvents } = await addPersonWithTwo()
    for (const invoice of Object.values(state.invoices))
      if (invoice.parent.subscription_details.subscription === second.id) invoice.created -= 40 * 86_400
    actions.renew(second)
    const [item] = second.items.data
    if (item) item.current_period_start = Math.floor(Date.now() / 1000)
    await hear(laterEvents)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect(chargesOf(second).map(({ refunded }) => refunded)).toEqual([false, true])
    expect(await recordOf(second)).toMatchObject([{ cents: 1_500 }])
  })
})

describe('a refund', () => {
  it('that fails is tried again by the job, after the subscription was canceled', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await applyEvents(api.deps)
    const entrance = await startEntrance(provider, {
      answered: false,
      chosen: (method, path) => method === 'POST' && path === '/v1/refunds',
      failing: true,
    })
    const letGo = entrance.hold()
    const cut = createBillingWorker({
      ...api.deps,
      settings: { ...api.deps.settings, STRIPE_API_BASE: entrance.url },
    })
    await expect(cut.resolveDuplicates({ userId: person.id })).rejects.toThrow()
    expect([second.status, refundsOf(second)]).toEqual(['canceled', 0])
    expect(await recordOf(second)).toMatchObject([{ isResolved: false }])
    letGo()
    await cut.resolveDuplicates({ userId: person.id })
    expect(refundsOf(second)).toBe(1)
    expect(await recordOf(second)).toMatchObject([{ isResolved: true, cents: 1_500 }])
  })

  it('whose answer was lost is not made twice', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    await pool.query('update duplicate_subscriptions set resolved_at = null where subscription_id = $1', [second.id])
    // Later than the provider remembers idempotency keys.
    for (const key of Object.keys(state.answers)) if (key.startsWith('duplicate-')) delete state.answers[key]
    await worker.resolveDuplicates({ userId: person.id })
    expect(refundsOf(second)).toBe(1)
    expect(await recordOf(second)).toMatchObject([{ isResolved: true, cents: 1_500 }])
  })

  it('of a payment that is disputed is left to the dispute', async () => {
    const { second, laterEvents } = await addPersonWithTwo()
    const [charge] = chargesOf(second)
    if (charge) actions.dispute(charge)
    await hear(laterEvents)
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect([second.status, refundsOf(second)]).toEqual(['canceled', 0])
    expect(await recordOf(second)).toMatchObject([{ isResolved: true, cents: 0 }])
  })
})

describe('the sweep', () => {
  it('finds two subscriptions of which each was read long ago', async () => {
    const { second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await applyEvents(api.deps)
    await pool.query(`delete from pgboss.job where name = 'duplicate-subscriptions'`)
    await worker.sweep()
    await resolveDuplicates(api.deps)
    expect([second.status, refundsOf(second)]).toEqual(['canceled', 1])
  })

  it('resolves what a job has given up, also of an account that was deleted', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await applyEvents(api.deps)
    await pool.query(
      `insert into duplicate_subscriptions (subscription_id, kept_subscription_id, user_id, found_at)
       values ($1, $2, $3, now() - interval '1 hour')`,
      [second.id, first.id, person.id],
    )
    await pool.query('delete from users where id = $1', [person.id])
    await worker.sweep()
    expect([first.status, second.status, refundsOf(second), refundsOf(first)]).toEqual(['canceled', 'canceled', 1, 0])
  })
})
