// The provider's events: signatures, storage, and that neither their order nor their number matters.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProviderEvent } from '../../../dev/sandbox/state.ts'
import { createBillingWorker } from '../../../src/features/billing/index.ts'
import { createBillingEventHandler } from '../../../workers/billing/billing-event.handler.ts'
import { PermanentJobError } from '../../../workers/permanent-job-error.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { rounds } from '../../support/rounds.ts'
import { applyEvents, deliver, lastOf, order, startBilling, startEntrance, tierOf } from './support.ts'

const { provider, state, actions, api, pool, worker } = await startBilling()

/** The events that `work` causes at the provider. */
function eventsOf(work: () => void): ProviderEvent[] {
  const before = state.events.length
  work()
  return state.events.slice(before).map(({ event }) => event)
}

/** A user who has paid for premium, before any event is delivered. */
async function addBuyer() {
  const person = await addPerson(pool)
  const { body } = await order(api, person, 'premium')
  const session = state.sessions[body.sessionId]
  if (!session) throw new Error('there is no such page')
  const events = eventsOf(() => actions.pay(session))
  return { person, events, subscription: lastOf(state.subscriptions) }
}

const count = async (sql: string, values: unknown[] = []) =>
  (await pool.query<{ count: number }>(`select count(*) from ${sql}`, values)).rows[0]?.count

describe('a signature that is', () => {
  it.each([
    ['missing', { signature: '' }],
    ['nonsense', { signature: 't=1,v1=00' }],
    ['made with another secret', { secret: 'whsec_of_somebody_else' }],
    ['older than five minutes', { ageSeconds: 301 }],
    ['of another body', { body: '{"id":"evt_1"}' }],
  ])('%s changes nothing', async (_what, options) => {
    const { person, events } = await addBuyer()
    for (const event of events) {
      const response = await deliver(api, event, options)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'bad_signature' })
    }
    expect(await count('payment_events where id = any($1)', [events.map(({ id }) => id)])).toBe(0)
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('free')
  })

  it('valid covers every byte of the body', async () => {
    const body =
      '{ "id": "evt_spaces",\n  "type": "customer.created", "created": 1, "data": { "object": { "id": "cus_1" } } }'
    const { sign } = await import('../../../dev/sandbox/delivery.ts')
    const signature = sign(body, 'whsec_of_the_tests', Math.floor(Date.now() / 1000))
    expect((await deliver(api, {}, { body, signature })).status).toBe(200)
    expect((await deliver(api, {}, { body: body.replace('\n', ''), signature })).status).toBe(400)
  })
})

describe('an event', () => {
  it('is acknowledged, stored once and applied once if a hundred arrive at the same time', async () => {
    const { person, events } = await addBuyer()
    const [event] = events
    if (!event) throw new Error('there are no events')
    const responses = await Promise.all(Array.from({ length: 100 }, () => deliver(api, event)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(await responses[0]?.json()).toEqual({ received: true })
    expect(await count('payment_events where id = $1', [event.id])).toBe(1)
    expect(await count(`pgboss.job where name = 'billing-event' and data->>'eventId' = $1`, [event.id])).toBe(1)
    await Promise.all(Array.from({ length: 100 }, () => worker.handle({ eventId: event.id })))
    expect(await tierOf(pool, person.id)).toBe('premium')
    expect(await count('subscriptions where user_id = $1', [person.id])).toBe(1)
  })

  it('is not subject to rate limits', async () => {
    const limited = await startTestApi({
      database: api.database,
      settings: { ...provider.settings, RATE_LIMIT_IP_PER_MINUTE: '1' },
    })
    const { events } = await addBuyer()
    for (const event of events) expect((await deliver(limited, event)).status).toBe(200)
  })

  it('that was applied is acknowledged again, and changes nothing', async () => {
    const { person, events } = await addBuyer()
    for (const event of events) await deliver(api, event)
    await applyEvents(api.deps)
    const read = () => pool.query('select xmin, users.* from users where id = $1', [person.id])
    const before = (await read()).rows
    for (const event of events) {
      expect((await deliver(api, event)).status).toBe(200)
      await worker.handle({ eventId: event.id })
    }
    expect((await read()).rows).toEqual(before)
  })

  it('about an object that is not ours is acknowledged and changes nothing', async () => {
    const { events, subscription } = await addBuyer()
    const [event] = events
    subscription.metadata = {}
    subscription.customer = 'cus_of_another_shop'
    await deliver(api, { ...event, id: 'evt_foreign' })
    await deliver(api, { id: 'evt_other', type: 'payout.paid', created: 1, data: { object: { id: 'po_1' } } })
    await applyEvents(api.deps)
    expect(await count('subscriptions where id = $1', [subscription.id])).toBe(0)
    expect(await count('payment_events where applied_at is null')).toBe(0)
    expect(subscription.status).toBe('active')
  })

  it('about an object that the provider does not have fails its job, and is applied once the provider has it', async () => {
    const { person, events, subscription } = await addBuyer()
    const [event] = events
    if (!event) throw new Error('there are no events')
    await deliver(api, event)
    delete state.subscriptions[subscription.id]
    const handle = createBillingEventHandler(worker)
    await expect(handle({ eventId: event.id })).rejects.toThrow(PermanentJobError)
    state.subscriptions[subscription.id] = subscription
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('premium')
  })

  it('about an object that the provider did not have for a day ends', async () => {
    const { events, subscription } = await addBuyer()
    const [event] = events
    if (!event) throw new Error('there are no events')
    await deliver(api, event)
    delete state.subscriptions[subscription.id]
    await expect(worker.handle({ eventId: event.id })).rejects.toThrow('No such subscription')
    await pool.query(`update payment_events set received_at = now() - interval '25 hours' where id = $1`, [event.id])
    await worker.handle({ eventId: event.id })
    expect(await count('payment_events where id = $1 and applied_at is null', [event.id])).toBe(0)
  })

  it('about a subscription whose item has no price says what is missing', async () => {
    const { person, events, subscription } = await addBuyer()
    for (const event of events) await deliver(api, event)
    const [item] = subscription.items.data
    if (!item) throw new Error('there is no item')
    const { price, ...unpriced } = item
    subscription.items.data = [unpriced as typeof item]
    const apply = worker.handle({ eventId: events[0]?.id ?? '' })
    await expect(apply).rejects.toThrow(`subscription ${subscription.id}: its item ${item.id} has no price`)
    subscription.items.data = []
    await expect(worker.handle({ eventId: events[0]?.id ?? '' })).rejects.toThrow('has no items')
    subscription.items.data = [{ ...unpriced, price }]
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('premium')
  })

  it('about a product, whose id the operator chose, is acknowledged', async () => {
    const { events } = await addBuyer()
    const event = {
      ...events[0],
      id: 'evt_of_a_product',
      type: 'product.updated',
      data: { object: { id: 'gold-plan' } },
    }
    expect((await deliver(api, event)).status).toBe(200)
    expect(await count('payment_events where id = $1 and applied_at is not null', [event.id])).toBe(1)
  })

  it('is refused if it is signed but malformed', async () => {
    for (const body of [{}, { id: 'evt_1' }, { id: 'evt 1', type: 'x', created: 1, data: { object: {} } }, []]) {
      const response = await deliver(api, body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'bad_event' })
    }
  })

  it('is applied once the provider is up again', async () => {
    const { person, events } = await addBuyer()
    for (const event of events) await deliver(api, event)
    const settings = { ...api.deps.settings, STRIPE_API_BASE: 'http://127.0.0.1:1' }
    const cut = createBillingWorker({ ...api.deps, settings })
    await expect(cut.handle({ eventId: events[0]?.id ?? '' })).rejects.toThrow()
    expect(await count('payment_events where id = $1 and applied_at is null', [events[0]?.id])).toBe(1)
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('premium')
  })
})

/** All orders of a list. */
function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, n) => ordersOf(items.filter((_, m) => m !== n)).map((rest) => [item, ...rest]))
}

describe('the six events of a subscription', () => {
  const orderCount = rounds(720)
  it(`give one tier in ${orderCount} of their 720 orders`, async () => {
    const { person, events: bought, subscription } = await addBuyer()
    const changed = eventsOf(() => {
      actions.changePrice(subscription, 'price_sandbox_enterprise')
      actions.cancelAtPeriodEnd(subscription, true)
    })
    const ids = [...bought, ...changed].map(({ id }) => id)
    expect(ids).toHaveLength(6)
    for (const event of [...bought, ...changed]) await deliver(api, event)
    const orders = ordersOf(ids)
    expect(orders).toHaveLength(720)
    const [chosen = []] = fc.sample(fc.shuffledSubarray(orders, { minLength: orderCount }), 1)
    for (const [n, sequence] of chosen.slice(0, orderCount).entries()) {
      // As if nothing had been applied yet.
      await pool.query(
        `with forgotten as (delete from subscriptions where user_id = $1),
           unpaid as (update billing_accounts set paid_tier = 'free' where user_id = $1),
           unapplied as (update payment_events set applied_at = null where id = any($2))
         update users set tier = 'free' where id = $1`,
        [person.id, ids],
      )
      // In sequence the same state is read six times; concurrent reads race.
      if (n % 20 === 0) for (const eventId of sequence) await worker.handle({ eventId })
      else await Promise.all(sequence.map((eventId) => worker.handle({ eventId })))
      expect([n, sequence, await tierOf(pool, person.id)]).toEqual([n, sequence, 'enterprise'])
    }
  }, 600_000)

  it('leave the newer state if an older read is written last', async () => {
    const entrance = await startEntrance(provider, { answered: true })
    const slow = createBillingWorker({ ...api.deps, settings: { ...api.deps.settings, STRIPE_API_BASE: entrance.url } })
    const { person, events, subscription } = await addBuyer()
    const changed = eventsOf(() => actions.changePrice(subscription, 'price_sandbox_enterprise'))
    for (const event of [...events, ...changed]) await deliver(api, event)
    const release = entrance.hold()
    const older = slow.handle({ eventId: events[0]?.id ?? '' })
    await expect.poll(() => entrance.held()).toBe(1)
    const ended = eventsOf(() => actions.cancelNow(subscription))
    for (const event of ended) await deliver(api, event)
    await worker.handle({ eventId: ended[0]?.id ?? '' })
    expect(await tierOf(pool, person.id)).toBe('free')
    release()
    await older
    expect(await tierOf(pool, person.id)).toBe('free')
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('free')
  })

  it('applied at once, late, twice and concurrently lead to the final state', async () => {
    const step = fc.constantFrom('standard', 'premium', 'enterprise', 'fail', 'renew', 'cancel', 'resume', 'end')
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat(6)),
        async (steps, dice) => {
          const roll = () => dice.next().value as number
          const { person, events, subscription } = await addBuyer()
          const jobs: Promise<void>[] = []
          const start = (event: ProviderEvent) =>
            jobs.push(deliver(api, event).then(() => worker.handle({ eventId: event.id })))
          const late: ProviderEvent[] = []
          const happen = (happened: ProviderEvent[]) => {
            for (const event of happened) {
              if (roll() < 3) late.push(event)
              else start(event)
              if (roll() < 2) late.push(event)
            }
          }
          happen(events)
          for (const name of steps) {
            happen(
              eventsOf(() => {
                if (subscription.status === 'canceled') return
                if (name === 'fail') actions.failRenewal(subscription)
                else if (name === 'renew') actions.renew(subscription)
                else if (name === 'end') actions.cancelNow(subscription)
                else if (name === 'cancel' || name === 'resume')
                  actions.cancelAtPeriodEnd(subscription, name === 'cancel')
                else actions.changePrice(subscription, `price_sandbox_${name}`)
              }),
            )
            if (roll() < 3) await Promise.all(jobs.splice(0))
          }
          late.sort(() => roll() - 3).forEach(start)
          await Promise.all(jobs)
          const sold = subscription.items.data[0]?.price.id.replace('price_sandbox_', '')
          expect(await tierOf(pool, person.id)).toBe(subscription.status === 'canceled' ? 'free' : sold)
        },
      ),
      { numRuns: rounds(60) },
    )
  })
})
