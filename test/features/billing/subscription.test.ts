// A subscription's life after it was bought: shown, renewed, unpaid, ended; and what it means for the
// user's API keys at once.
import { describe, expect, it } from 'vitest'
import { createBillingWorker } from '../../../src/features/billing/index.ts'
import { findSubscriptionsToRead } from '../../../src/features/billing/subscriptions.store.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import {
  addPaidInvoice,
  ageReads,
  applyEvents,
  deliver,
  json,
  lastOf,
  order,
  refundsOf,
  resolveDuplicates,
  startBilling,
  tierOf,
} from './support.ts'

const { provider, state, actions, api, pool, worker } = await startBilling()

async function addSubscriber(tier = 'premium') {
  const person = await addPerson(pool)
  const { body } = await order(api, person, tier)
  const session = state.sessions[body.sessionId]
  if (!session) throw new Error('there is no such page')
  await happens(() => actions.pay(session))
  return { person, subscription: lastOf(state.subscriptions) }
}

/** Does something at the provider, and delivers and applies the events. */
async function happens(work: () => unknown): Promise<void> {
  const before = state.events.length
  work()
  for (const { event } of state.events.slice(before)) await deliver(api, event)
  await applyEvents(api.deps)
}

const shown = async ({ cookie }: Person) =>
  fieldsOf(await api.request('/api/user/subscription', { headers: { cookie } }))
const send = (method: string, path: string, { cookie }: Person) => api.request(path, { method, headers: { cookie } })
const end = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000).toISOString()

describe('GET /user/subscription', () => {
  it('shows a subscription that is bought, renewed, past due, and ended', async () => {
    const { person, subscription } = await addSubscriber()
    const item = subscription.items.data[0]
    const first = {
      canSubscribe: true,
      tier: 'premium',
      status: 'active',
      currentPeriodEnd: end(item?.current_period_end),
      cancelAtPeriodEnd: false,
    }
    expect(await shown(person)).toMatchObject(first)

    await happens(() => actions.renew(subscription))
    const second = { ...first, currentPeriodEnd: end(item?.current_period_end) }
    expect(second.currentPeriodEnd > first.currentPeriodEnd).toBe(true)
    expect(await shown(person)).toMatchObject(second)

    await happens(() => actions.failRenewal(subscription))
    expect(await shown(person)).toMatchObject({ ...second, status: 'past_due' })
    await happens(() => actions.cancelNow(subscription))
    expect(await shown(person)).toMatchObject({
      tier: 'free',
      status: 'none',
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
    })
  })
})

describe('DELETE /user/subscription', () => {
  it('cancels at the end of the period: shown at once, and the tier stays until then', async () => {
    const { person, subscription } = await addSubscriber()
    const response = await send('DELETE', '/api/user/subscription', person)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ tier: 'premium', status: 'active', cancelAtPeriodEnd: true })
    expect(subscription.cancel_at_period_end).toBe(true)
    expect((await send('DELETE', '/api/user/subscription', person)).status).toBe(200)
    await happens(() => actions.renew(subscription))
    expect(await shown(person)).toMatchObject({ tier: 'free', status: 'none' })
    const again = await send('DELETE', '/api/user/subscription', person)
    expect([again.status, (await fieldsOf(again)).error]).toEqual([400, 'no_subscription'])
  })
})

describe('a subscription whose downgrade is scheduled', () => {
  it('can be canceled, which drops the downgrade', async () => {
    const { person, subscription } = await addSubscriber()
    subscription.schedule = 'sub_sched_of_a_downgrade'
    const response = await send('DELETE', '/api/user/subscription', person)
    expect([response.status, await response.json()]).toMatchObject([200, { tier: 'premium', cancelAtPeriodEnd: true }])
    expect(subscription).toMatchObject({ schedule: null, cancel_at_period_end: true })
  })
})

describe('a subscription that ended at the provider, without an event', () => {
  it('can’t be canceled: no_subscription, and the tier ends', async () => {
    const { person, subscription } = await addSubscriber()
    actions.cancelNow(subscription)
    const response = await send('DELETE', '/api/user/subscription', person)
    expect([response.status, (await fieldsOf(response)).error]).toEqual([400, 'no_subscription'])
    expect(await shown(person)).toMatchObject({ tier: 'free', status: 'none' })
  })

  it('does not stand in the way of ordering another tier', async () => {
    const { person, subscription } = await addSubscriber('standard')
    actions.cancelNow(subscription)
    const { response, body } = await order(api, person, 'premium')
    expect([response.status, body.url]).toEqual([200, state.sessions[body.sessionId]?.url])
    expect(await tierOf(pool, person.id)).toBe('free')
  })

  it('does not stand in the way if its customer was deleted there too, whose portal does not open', async () => {
    const { person, subscription } = await addSubscriber('standard')
    actions.cancelNow(subscription)
    delete state.customers[subscription.customer]
    const portal = await send('POST', '/api/user/subscription/portal', person)
    expect([portal.status, (await fieldsOf(portal)).error]).toEqual([400, 'no_subscription'])
    const { response, body } = await order(api, person, 'premium')
    expect([response.status, body.url]).toEqual([200, state.sessions[body.sessionId]?.url])
  })
})

describe('a refusal of the provider that no changed state explains', () => {
  it('is 503', async () => {
    const { person, subscription } = await addSubscriber('standard')
    delete state.customers[subscription.customer]
    const { response } = await order(api, person, 'premium')
    expect(response.status).toBe(503)
  })
})

describe('POST /user/subscription/portal', () => {
  it('opens the provider’s page of the user’s customer', async () => {
    const { person, subscription } = await addSubscriber()
    const response = await send('POST', '/api/user/subscription/portal', person)
    const { url, ...rest } = await fieldsOf(response)
    expect([response.status, rest]).toEqual([200, {}])
    expect(lastOf(state.portals)).toMatchObject({ url, customer: subscription.customer })
    const unsubscribed = await send('POST', '/api/user/subscription/portal', await addPerson(pool))
    expect([unsubscribed.status, (await fieldsOf(unsubscribed)).error]).toEqual([400, 'no_subscription'])
  })
})

describe('the tier', () => {
  it('limits every key from the next request on, in every API process', async () => {
    const second = await startTestApi({ database: api.database, settings: provider.settings })
    const person = await addPerson(pool)
    const keys = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const made = await api.request('/api/user/api-keys', {
          method: 'POST',
          headers: { ...json, cookie: person.cookie },
          body: JSON.stringify({ name }),
        })
        const { key, secret } = await fieldsOf(made)
        return { authorization: `Bearer ${key}.${secret}` }
      }),
    )
    const limits = () =>
      Promise.all(
        keys.flatMap((headers) =>
          [api, second].map(async (process) => {
            const response = await process.request('/api/v1/servers', { headers })
            return response.headers.get('ratelimit-policy')
          }),
        ),
      )
    const four = (policy: string) => Array.from({ length: 4 }, () => policy)
    expect(await limits()).toEqual(four('"free";q=10;w=60'))
    const { body } = await order(api, person, 'enterprise')
    const session = state.sessions[body.sessionId]
    await happens(() => session && actions.pay(session))
    expect(await limits()).toEqual(four('"enterprise";q=10000;w=60'))
    await happens(() => actions.changePrice(lastOf(state.subscriptions), 'price_sandbox_standard'))
    expect(await limits()).toEqual(four('"standard";q=100;w=60'))
    await happens(() => actions.cancelNow(lastOf(state.subscriptions)))
    expect(await limits()).toEqual(four('"free";q=10;w=60'))
  })

  it('is the best of several subscriptions', async () => {
    const { person, subscription } = await addSubscriber('standard')
    const second = structuredClone(subscription)
    second.id = `${subscription.id}2`
    state.subscriptions[second.id] = second
    await happens(() => actions.changePrice(second, 'price_sandbox_enterprise'))
    expect(await tierOf(pool, person.id)).toBe('enterprise')
    await happens(() => actions.cancelNow(second))
    expect(await tierOf(pool, person.id)).toBe('standard')
  })

  it('is the best of several that change at the same time', async () => {
    const { person, subscription } = await addSubscriber('standard')
    const second = structuredClone(subscription)
    second.id = `${subscription.id}2`
    state.subscriptions[second.id] = second
    for (let round = 0; round < 30; round++) {
      const [better, other] = round % 2 ? [subscription, second] : [second, subscription]
      const before = state.events.length
      actions.changePrice(other, 'price_sandbox_standard')
      actions.changePrice(better, 'price_sandbox_premium')
      const changes = state.events.slice(before).map(({ event }) => event)
      const events = changes.filter(({ type }) => type === 'customer.subscription.updated')
      for (const event of events) await deliver(api, event)
      await Promise.all(events.map(({ id }) => worker.handle({ eventId: id })))
      expect([round, await tierOf(pool, person.id)]).toEqual([round, 'premium'])
    }
  })

  it('that an administrator set stays until the subscription changes', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const { person, subscription } = await addSubscriber('standard')
    const granted = await api.request(`/api/admin/users/${person.id}`, {
      method: 'PATCH',
      headers: { ...json, cookie: admin.cookie },
      body: JSON.stringify({ tier: 'enterprise' }),
    })
    expect(granted.status).toBe(200)
    await happens(() => actions.renew(subscription))
    expect(await tierOf(pool, person.id)).toBe('enterprise')
    await happens(() => actions.changePrice(subscription, 'price_sandbox_premium'))
    expect(await tierOf(pool, person.id)).toBe('premium')
  })
})

/** As if a page had been opened, and stopped being payable, five days ago. */
const agePage = (sessionId: string) =>
  pool.query(
    `update payment_sessions set created_at = now() - interval '5 days', expires_at = now() - interval '5 days' where session_id = $1`,
    [sessionId],
  )

describe('the sweep', () => {
  it('reads each subscription once a day, so that one that ended without an event is noticed before its period is over', async () => {
    const { person, subscription } = await addSubscriber()
    actions.cancelNow(subscription)
    await worker.sweep()
    expect(await tierOf(pool, person.id)).toBe('premium') // it was read a moment ago
    await ageReads(pool, subscription.id)
    await worker.sweep()
    expect(await tierOf(pool, person.id)).toBe('free')
  })

  it('forgets the reads of objects that are not ours, and keeps those of ours', async () => {
    const { subscription } = await addSubscriber()
    const foreign = structuredClone({
      ...subscription,
      id: 'sub_of_another_shop',
      customer: 'cus_of_another_shop',
      metadata: {},
    })
    state.subscriptions[foreign.id] = foreign
    await happens(() => actions.changePrice(foreign, 'price_sandbox_enterprise'))
    const known = async () => {
      const ids = [subscription.id, foreign.id]
      const { rows } = await pool.query('select object_id as id from payment_reads where object_id = any($1)', [ids])
      return rows.map(({ id }) => id).sort()
    }
    await worker.sweep()
    expect(await known()).toEqual([subscription.id, foreign.id].sort()) // a read may still run
    await ageReads(pool, subscription.id, foreign.id)
    await worker.sweep()
    expect(await known()).toEqual([subscription.id])
  })

  it('finds a subscription that ended without an event once its period is over', async () => {
    const { person, subscription } = await addSubscriber()
    actions.cancelNow(subscription)
    await worker.sweep()
    expect(await tierOf(pool, person.id)).toBe('premium')
    await pool.query(`update subscriptions set current_period_end = now() where id = $1`, [subscription.id])
    await worker.sweep()
    expect(await tierOf(pool, person.id)).toBe('free')
  })

  it('finds a page that was paid without an event', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'premium')
    const session = state.sessions[body.sessionId]
    if (session) actions.pay(session)
    await pool.query(`update payment_sessions set created_at = now() - interval '1 hour' where session_id = $1`, [
      body.sessionId,
    ])
    await worker.sweep()
    expect(await tierOf(pool, person.id)).toBe('premium')
  })

  it('finds a page that was paid without an event before no worker ran for days', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'premium')
    const session = state.sessions[body.sessionId]
    if (session) actions.pay(session)
    await agePage(body.sessionId)
    const cutOff = { ...api.deps.settings, STRIPE_API_BASE: 'http://127.0.0.1:1' }
    await createBillingWorker({ ...api.deps, settings: cutOff }).sweep()
    await worker.sweep()
    expect(await tierOf(pool, person.id)).toBe('premium')
  })

  it('expires a page that the provider does not have, once a day’s reads have failed', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'premium')
    delete state.sessions[body.sessionId]
    await agePage(body.sessionId)
    const statusAfter = async (reads: number) => {
      for (let read = 0; read < reads; read++) await worker.sweep()
      const { rows } = await pool.query('select status from payment_sessions where session_id = $1', [body.sessionId])
      return rows[0]?.status
    }
    expect([await statusAfter(23), await statusAfter(1)]).toEqual(['open', 'expired'])
  })

  it('enqueues a job for an event whose job was lost', async () => {
    const { person, subscription } = await addSubscriber()
    const before = state.events.length
    actions.cancelNow(subscription)
    const event = state.events.slice(before)[0]?.event
    await deliver(api, event ?? {})
    await pool.query(`delete from pgboss.job where name = 'billing-event' and data->>'eventId' = $1`, [event?.id])
    await pool.query(`update payment_events set received_at = now() - interval '1 hour' where id = $1`, [event?.id])
    await worker.sweep()
    await worker.sweep()
    const { rows } = await pool.query(`select from pgboss.job where name = 'billing-event' and data->>'eventId' = $1`, [
      event?.id,
    ])
    expect(rows).toHaveLength(1)
    await applyEvents(api.deps)
    expect(await tierOf(pool, person.id)).toBe('free')
  })

  it('ends a subscription that the provider has not had for a week, so that another can be ordered', async () => {
    const { person, subscription } = await addSubscriber()
    delete state.subscriptions[subscription.id]
    const tierAfter = async (reads: number) => {
      for (let read = 0; read < reads; read++) {
        await ageReads(pool, subscription.id)
        await worker.sweep()
      }
      return tierOf(pool, person.id)
    }
    expect(await tierAfter(24)).toBe('premium') // it was read a moment ago
    await pool.query(`update subscriptions set updated_at = now() - interval '8 days' where id = $1`, [subscription.id])
    await pool.query('update payment_reads set started = written + 22 where object_id = $1', [subscription.id])
    expect([await tierAfter(1), await tierAfter(1)]).toEqual(['premium', 'free'])
    const { response, body } = await order(api, person, 'premium')
    expect([response.status, body.url]).toEqual([200, state.sessions[body.sessionId]?.url])
  })

  it('reads the subscriptions of deleted accounts first, however many others are due', async () => {
    const { person, subscription } = await addSubscriber()
    const { subscription: unread } = await addSubscriber()
    await pool.query('delete from payment_reads where object_id = $1', [unread.id])
    await pool.query('delete from users where id = $1', [person.id])
    expect(await findSubscriptionsToRead(pool, ['canceled'], 1)).toEqual([subscription.id])
    await worker.sweep()
  })

  it('cancels the subscription of a deleted account', async () => {
    const { person, subscription } = await addSubscriber()
    await pool.query('delete from users where id = $1', [person.id])
    await worker.sweep()
    expect(subscription.status).toBe('canceled')
    const { rows } = await pool.query('select status, user_id from subscriptions where id = $1', [subscription.id])
    expect(rows).toEqual([{ status: 'canceled', user_id: null }])
  })
})

describe('a subscription that is paid after its account was deleted', () => {
  const remove = ({ id }: Person) => pool.query('delete from users where id = $1', [id])

  it('is canceled and refunded once, however often it is reported', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'premium')
    const session = state.sessions[body.sessionId]
    await remove(person)
    const before = state.events.length
    await happens(() => session && actions.pay(session))
    const subscription = lastOf(state.subscriptions)
    expect(subscription.status).toBe('canceled')
    for (let round = 0; round < 3; round++) {
      for (const { event } of state.events.slice(before)) await deliver(api, { ...event, id: `${event.id}${round}` })
      await applyEvents(api.deps)
      await resolveDuplicates(api.deps)
    }
    await worker.sweep()
    expect(refundsOf(state, subscription.id)).toEqual([1_500])
  })

  it('is refunded by the sweep when the job was lost', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'premium')
    const session = state.sessions[body.sessionId]
    await remove(person)
    await happens(() => session && actions.pay(session))
    const { id } = lastOf(state.subscriptions)
    await pool.query(`delete from pgboss.job where name = 'duplicate-subscriptions'`)
    await pool.query(
      `update duplicate_subscriptions set found_at = now() - interval '1 hour' where subscription_id = $1`,
      [id],
    )
    await worker.sweep()
    expect(refundsOf(state, id)).toEqual([1_500])
  })

  it('is refunded a renewal that came before the sweep, and not the period before, which was used', async () => {
    const { person, subscription } = await addSubscriber()
    const [item, first] = [subscription.items.data[0], lastOf(state.invoices)]
    if (!item) throw new Error('nothing was sold')
    const monthSeconds = item.current_period_end - item.current_period_start
    first.created -= monthSeconds
    item.current_period_start -= monthSeconds
    item.current_period_end -= monthSeconds
    await remove(person)
    actions.renew(subscription)
    await pool.query('update subscriptions set current_period_end = now() where id = $1', [subscription.id])
    await worker.sweep()
    await resolveDuplicates(api.deps)
    expect(subscription.status).toBe('canceled')
    expect(refundsOf(state, subscription.id)).toEqual([1_500])
  })

  it('is refunded a bank debit that clears after it was canceled', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'premium')
    const session = state.sessions[body.sessionId]
    await remove(person)
    await happens(() => session && actions.pay(session))
    await resolveDuplicates(api.deps)
    const subscription = lastOf(state.subscriptions)
    await happens(() => addPaidInvoice(provider, subscription))
    await resolveDuplicates(api.deps)
    expect(refundsOf(state, subscription.id)).toEqual([1_500, 1_500])
    const { rows } = await pool.query('select refunded_cents from duplicate_subscriptions where subscription_id = $1', [
      subscription.id,
    ])
    expect(rows).toEqual([{ refunded_cents: 3_000 }])
  })
})
