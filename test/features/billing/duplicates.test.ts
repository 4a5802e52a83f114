// Two active subscriptions of one account: the later is canceled and refunded once, audited, and reported by mail.
import { describe, expect, it } from 'vitest'
import type { ProviderEvent, Subscription } from '../../../dev/sandbox/state.ts'
import { createBillingWorker, writeDuplicateSubscription } from '../../../src/features/billing/index.ts'
import { addPerson, type Person } from '../../support/people.ts'
import {
  applyEvents,
  chargesOf,
  customersOf,
  deliver,
  lastOf,
  order,
  refundsOf,
  resolveDuplicates,
  sellByHand,
  startBilling,
  startEntrance,
  tierOf,
} from './support.ts'

const { provider, state, actions, api, pool, worker } = await startBilling()
const PREMIUM = 'price_sandbox_premium'

/** Delivers events and applies them. */
async function hear(events: readonly ProviderEvent[]): Promise<void> {
  for (const event of events) expect((await deliver(api, event)).status).toBe(200)
  await applyEvents(api.deps)
}

/** Also runs the jobs that follow. */
async function apply(events: readonly ProviderEvent[]): Promise<void> {
  await hear(events)
  await resolveDuplicates(api.deps)
}

/** A user with a standard subscription, an hour old, and a premium one that was sold by hand. */
async function addPersonWithTwo() {
  const person = await addPerson(pool)
  const { body } = await order(api, person, 'standard')
  const page = state.sessions[body.sessionId]
  if (!page) throw new Error('there is no such page')
  const events = actions.pay(page).map(({ event }) => event)
  const first = lastOf(state.subscriptions)
  first.created -= 3_600
  await apply(events)
  const { subscription: second, events: laterEvents } = sellByHand(provider, {
    customer: first.customer,
    priceId: PREMIUM,
  })
  return { person, first, second, laterEvents }
}

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
async function mailTo(person: Person) {
  const [job] = await mailsTo(person)
  return writeDuplicateSubscription(api.deps, job.data)
}
const auditOf = async ({ id }: Person) =>
  (
    await pool.query(`select action, details from audit_log where target_id = $1 and action like 'subscription.%'`, [
      id,
    ])
  ).rows

describe('a second active subscription', () => {
  it('is canceled and refunded; the first and its tier stay', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    await apply(laterEvents)
    expect([first.status, second.status]).toEqual(['active', 'canceled'])
    expect(chargesOf(state, second.id)).toMatchObject([{ amount: 1_500, amount_refunded: 1_500 }])
    expect(chargesOf(state, first.id)).toMatchObject([{ amount_refunded: 0 }])
    expect(await tierOf(pool, person.id)).toBe('standard')
    expect(await recordOf(second)).toEqual([{ kept: first.id, isResolved: true, cents: 1_500, currency: 'usd' }])
  })

  it('is in the audit log and in a mail to the account', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    await apply(laterEvents)
    const ids = { subscriptionId: second.id, keptSubscriptionId: first.id }
    expect(await auditOf(person)).toEqual([
      { action: 'subscription.refund', details: { ...ids, refundedCents: 1_500, currency: 'usd' } },
    ])
    expect(await mailsTo(person)).toEqual([
      {
        data: {
          kind: 'duplicate-subscription',
          userId: person.id,
          subscriptionId: second.id,
          isDisputed: false,
          isUnpaid: false,
        },
      },
    ])
    const mail = await mailTo(person)
    expect([mail?.to, mail?.subject]).toEqual([`${person.id}@example.com`, 'Your second subscription was canceled'])
    expect(mail?.text).toContain('was canceled. Its payment of 15.00 USD was refunded.')
  })

  it('whose payment has not arrived is refunded once it has, as the mail says', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    const invoice = lastOf(state.invoices)
    invoice.status = 'open'
    await apply(laterEvents)
    expect((await mailTo(person))?.text).toContain('was canceled. Its payment has not arrived yet. If it arrives')
    invoice.status = 'paid'
    await worker.resolveDuplicates({ subscriptionId: second.id })
    expect(refundsOf(state, second.id)).toEqual([1_500])
  })

  it('that cost nothing is canceled, as the mail says', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    delete state.invoices[lastOf(state.invoices).id]
    await apply(laterEvents)
    expect(second.status).toBe('canceled')
    expect((await mailTo(person))?.text).toContain('was canceled. Nothing was charged for it.')
  })

  it('is refunded once by ten concurrent workers and repeated events', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await Promise.allSettled(Array.from({ length: 10 }, () => worker.resolveDuplicates({ userId: person.id })))
    await worker.resolveDuplicates({ userId: person.id })
    for (const { id } of laterEvents) await worker.handle({ eventId: id })
    await pool.query('update payment_events set applied_at = null where id = any($1)', [
      laterEvents.map(({ id }) => id),
    ])
    await applyEvents(api.deps)
    await resolveDuplicates(api.deps)
    expect([second.status, refundsOf(state, second.id)]).toEqual(['canceled', [1_500]])
    expect([(await mailsTo(person)).length, (await auditOf(person)).length]).toEqual([1, 1])
  })

  it('is the later one also if it is reported first', async () => {
    const person = await addPerson(pool)
    await order(api, person, 'standard')
    const customer = customersOf(state, person.id)[0]?.id ?? ''
    const early = sellByHand(provider, { customer, priceId: 'price_sandbox_standard', ageSeconds: 60 })
    const late = sellByHand(provider, { customer, priceId: PREMIUM })
    await apply(late.events)
    expect(late.subscription.status).toBe('active')
    await apply(early.events)
    expect([early.subscription.status, late.subscription.status]).toEqual(['active', 'canceled'])
    expect(refundsOf(state, late.subscription.id)).toEqual([1_500])
  })

  it('is kept if the first has ended at the provider and the event has not arrived yet', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    actions.cancelNow(first)
    await apply(laterEvents)
    expect([second.status, refundsOf(state, second.id)]).toEqual(['active', []])
    expect(await tierOf(pool, person.id)).toBe('premium')
  })

  it('with a price that is not ours does not change', async () => {
    const { first, second, laterEvents } = await addPersonWithTwo()
    const [item] = second.items.data
    if (item) item.price.id = 'price_of_another_product'
    await apply(laterEvents)
    expect([first.status, second.status, refundsOf(state, second.id)]).toEqual(['active', 'active', []])
  })

  it('is refunded its current period, not the periods before', async () => {
    const { second, laterEvents } = await addPersonWithTwo()
    for (const invoice of Object.values(state.invoices))
      if (invoice.parent.subscription_details.subscription === second.id) invoice.created -= 40 * 86_400
    actions.renew(second)
    const [item] = second.items.data
    if (item) item.current_period_start = Math.floor(Date.now() / 1000)
    await apply(laterEvents)
    expect(chargesOf(state, second.id).map(({ refunded }) => refunded)).toEqual([false, true])
    expect(await recordOf(second)).toMatchObject([{ cents: 1_500 }])
  })
})

describe('a refund', () => {
  it('that fails is retried by the job after the subscription was canceled', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    const entrance = await startEntrance(provider, {
      answered: false,
      chosen: (method, path) => method === 'POST' && path === '/v1/refunds',
      failing: true,
    })
    const release = entrance.hold()
    const cut = createBillingWorker({
      ...api.deps,
      settings: { ...api.deps.settings, STRIPE_API_BASE: entrance.url },
    })
    await expect(cut.resolveDuplicates({ userId: person.id })).rejects.toThrow()
    expect([second.status, refundsOf(state, second.id)]).toEqual(['canceled', []])
    expect(await recordOf(second)).toMatchObject([{ isResolved: false }])
    release()
    await cut.resolveDuplicates({ userId: person.id })
    expect(refundsOf(state, second.id)).toEqual([1_500])
    expect(await recordOf(second)).toMatchObject([{ isResolved: true, cents: 1_500 }])
  })

  it('whose answer was lost is not repeated', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    await apply(laterEvents)
    await pool.query('update duplicate_subscriptions set resolved_at = null where subscription_id = $1', [second.id])
    // Later than the provider remembers idempotency keys.
    for (const key of Object.keys(state.answers)) if (key.startsWith('duplicate-')) delete state.answers[key]
    await worker.resolveDuplicates({ userId: person.id })
    expect(refundsOf(state, second.id)).toEqual([1_500])
    expect(await recordOf(second)).toMatchObject([{ isResolved: true, cents: 1_500 }])
  })

  it('is the sum of what is left of each payment of the period, however often it is asked for', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    actions.changePrice(second, 'price_sandbox_enterprise')
    const [charge] = chargesOf(state, second.id)
    if (charge) actions.refund(charge, { cents: 500 })
    await apply(laterEvents)
    const left = 1_500 - 500 + (9_900 - 1_500)
    expect(await recordOf(second)).toMatchObject([{ isResolved: true, cents: left }])
    await worker.resolveDuplicates({ subscriptionId: second.id })
    expect(await recordOf(second)).toMatchObject([{ cents: left }])
    expect(chargesOf(state, second.id).map(({ refunded }) => refunded)).toEqual([true, true])
    expect((await mailTo(person))?.text).toContain('Its payment of 94.00 USD was refunded.')
  })

  it('is not made for a disputed payment', async () => {
    const { person, second, laterEvents } = await addPersonWithTwo()
    const [charge] = chargesOf(state, second.id)
    if (charge) actions.dispute(charge)
    await apply(laterEvents)
    expect([second.status, refundsOf(state, second.id)]).toEqual(['canceled', []])
    expect(await recordOf(second)).toMatchObject([{ isResolved: true, cents: 0 }])
    expect((await mailTo(person))?.text).toContain('was canceled. Its payment is disputed, so it was not refunded')
  })
})

describe('the sweep', () => {
  it('finds two subscriptions whose job was lost', async () => {
    const { second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await pool.query(`delete from pgboss.job where name = 'duplicate-subscriptions'`)
    await worker.sweep()
    await resolveDuplicates(api.deps)
    expect([second.status, refundsOf(state, second.id)]).toEqual(['canceled', [1_500]])
  })

  it('keeps a recorded second subscription if the first has ended since', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await pool.query(
      `insert into duplicate_subscriptions (subscription_id, kept_subscription_id, user_id, found_at)
       values ($1, $2, $3, now() - interval '1 hour')`,
      [second.id, first.id, person.id],
    )
    actions.cancelNow(first)
    await worker.sweep()
    expect([second.status, refundsOf(state, second.id), await recordOf(second)]).toEqual(['active', [], []])
    expect(await tierOf(pool, person.id)).toBe('premium')
  })

  it('resolves what a job gave up, also for a deleted account', async () => {
    const { person, first, second, laterEvents } = await addPersonWithTwo()
    await hear(laterEvents)
    await pool.query(
      `insert into duplicate_subscriptions (subscription_id, kept_subscription_id, user_id, found_at)
       values ($1, $2, $3, now() - interval '1 hour')`,
      [second.id, first.id, person.id],
    )
    await pool.query('delete from users where id = $1', [person.id])
    await worker.sweep()
    expect([first.status, second.status]).toEqual(['canceled', 'canceled'])
    expect([refundsOf(state, first.id), refundsOf(state, second.id)]).toEqual([[], [1_500]])
  })
})
