// At most one payable page per account: parallel orders, slow answers, lost processes, and a payment at the
// moment of the expiry.
import { describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import {
  customersOf,
  isPageCreation,
  isPageExpiry,
  lastOf,
  type Ordered,
  order,
  startBilling,
  startEntrance,
  tierOf,
} from './support.ts'

const { provider, state, actions, api, pool } = await startBilling()
const TIERS = ['standard', 'premium', 'enterprise']

const startApi = (settings: Record<string, string>) => startTestApi({ database: api.database, settings })
const second = await startApi(provider.settings)

const pagesOf = ({ id }: Person) =>
  Object.values(state.sessions).filter(({ client_reference_id: userId }) => userId === id)
const payablePagesOf = (person: Person) => pagesOf(person).filter(({ status }) => status === 'open')
const activeOf = (person: Person) =>
  Object.values(state.subscriptions).filter(
    ({ status, metadata }) =>
      status === 'active' &&
      pagesOf(person).some((page) => page.metadata.paymentSessionId === metadata.paymentSessionId),
  )

const outcomeOf = ({ response, body }: Ordered) => (response.status === 200 ? 'page' : body.error)

describe('orders of different tiers at the same time', () => {
  it.each([2, 3, 12])('%i of them leave exactly one payable page, in each of 10 rounds', async (orders) => {
    for (let round = 0; round < 10; round++) {
      const person = await addPerson(pool)
      const answers = await Promise.all(
        Array.from({ length: orders }, (_, n) => order(n % 2 ? second : api, person, TIERS[n % 3] ?? '')),
      )
      const payable = payablePagesOf(person)
      expect([round, payable.length]).toEqual([round, 1])
      // One of the orders was answered with the payable page.
      expect(answers.map(({ body }) => body.sessionId)).toContain(payable[0]?.id)
      expect(['page', 'checkout_replaced', 'unavailable']).toEqual(expect.arrayContaining(answers.map(outcomeOf)))
      const { rows } = await pool.query(
        `select session_id from payment_sessions where user_id = $1 and status = 'open'`,
        [person.id],
      )
      expect(rows).toEqual([{ session_id: payable[0]?.id }])
    }
  })

  it('are refused a second open page by the database itself', async () => {
    const person = await addPerson(pool)
    await order(api, person, 'standard')
    const insert = pool.query(
      `insert into payment_sessions (id, user_id, kind, price_id, idempotency_key, expires_at, exclusive)
       values (gen_random_uuid(), $1, 'subscription', 'price_x', gen_random_uuid()::text, now(), true)`,
      [person.id],
    )
    await expect(insert).rejects.toThrow('payment_sessions_user_id_exclusive_key')
  })
})

/** Orders another tier while the first order's page is being created. */
async function replaceWhileOpening(slow: { answered: boolean }) {
  const entrance = await startEntrance(provider, { ...slow, chosen: isPageCreation })
  const slowApi = await startApi(entrance.settings)
  const person = await addPerson(pool)
  const release = entrance.hold()
  const first = order(slowApi, person, 'standard')
  await expect.poll(() => entrance.held()).toBe(1)
  const other = await order(api, person, 'premium')
  return { person, first, other, release }
}

describe('an order that is replaced while the provider is slow', () => {
  it.each([
    ['to answer', { answered: true }],
    ['to receive it', { answered: false }],
  ])('%s has no payable page, and is reported as replaced', async (_what, slow) => {
    const { person, first, other, release } = await replaceWhileOpening(slow)
    expect(other.response.status).toBe(200)
    expect(payablePagesOf(person)).toMatchObject([{ id: other.body.sessionId }])
    release()
    const { response, body } = await first
    expect([response.status, body.error]).toEqual([400, 'checkout_replaced'])
    expect(payablePagesOf(person)).toMatchObject([{ id: other.body.sessionId }])
  })

  it('holds no database connection in the meantime', async () => {
    const { first, release } = await replaceWhileOpening({ answered: true })
    const findIdle = async () =>
      (
        await pool.query(
          `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
        )
      ).rows
    await expect.poll(findIdle).toEqual([]) // the directory's feed is in a transaction for a moment now and then
    release()
    await first
  })
})

describe('a process that was killed', () => {
  it('between its reservation and the provider’s answer leaves a page that the next order closes', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'standard')
    // As a process leaves it that was killed before it wrote the answer.
    await pool.query('update payment_sessions set session_id = null, url = null where session_id = $1', [
      body.sessionId,
    ])
    const other = await order(api, person, 'premium')
    expect(payablePagesOf(person)).toMatchObject([{ id: other.body.sessionId }])
    expect(state.sessions[body.sessionId]?.status).toBe('expired')
  })

  it('the same under settings that have changed since', async () => {
    const person = await addPerson(pool)
    const { body } = await order(api, person, 'standard')
    await pool.query('update payment_sessions set session_id = null, url = null where session_id = $1', [
      body.sessionId,
    ])
    const changed = await startApi({ ...provider.settings, BILLING_RETURN_URL: 'http://localhost/elsewhere' })
    const other = await order(changed, person, 'premium')
    expect(payablePagesOf(person)).toMatchObject([{ id: other.body.sessionId }])
    expect(state.sessions[body.sessionId]?.status).toBe('expired')
  })

  it('before it asked the provider leaves a reservation that does not block orders', async () => {
    const person = await addPerson(pool)
    await pool.query(
      `insert into payment_sessions (id, user_id, kind, price_id, idempotency_key, expires_at, exclusive)
       values (gen_random_uuid(), $1, 'subscription', 'price_gone', gen_random_uuid()::text, now() + interval '20 hours', true)`,
      [person.id],
    )
    const { response, body } = await order(api, person, 'premium')
    expect(response.status).toBe(200)
    expect(payablePagesOf(person)).toMatchObject([{ id: body.sessionId }])
  })
})

describe('a page that is paid at the moment of its expiry', () => {
  async function payWhileExpiring(tier: string): Promise<{ person: Person; answer: Ordered }> {
    const entrance = await startEntrance(provider, { answered: false, chosen: isPageExpiry })
    const slowApi = await startApi(entrance.settings)
    const person = await addPerson(pool)
    const { body } = await order(slowApi, person, 'standard')
    const release = entrance.hold()
    const other = order(slowApi, person, tier)
    await expect.poll(() => entrance.held()).toBe(1)
    const page = state.sessions[body.sessionId]
    if (page) actions.pay(page)
    release()
    return { person, answer: await other }
  }

  it('is not followed by another page: the subscription is changed instead', async () => {
    const { person, answer } = await payWhileExpiring('premium')
    expect(answer.response.status).toBe(200)
    expect(state.portals[answer.body.sessionId]?.change?.subscription).toBe(lastOf(state.subscriptions).id)
    expect(payablePagesOf(person)).toEqual([])
    expect(activeOf(person)).toHaveLength(1)
    expect(await tierOf(pool, person.id)).toBe('standard')
  })
})

describe('the provider', () => {
  it('that answers an expiry with an error leaves the first page as the only one', async () => {
    const person = await addPerson(pool)
    const first = await order(api, person, 'standard')
    const cut = await startFailing(isPageExpiry)
    const { response } = await order(cut, person, 'premium')
    expect(response.status).toBe(503)
    expect(payablePagesOf(person)).toMatchObject([{ id: first.body.sessionId }])
    const again = await order(api, person, 'premium')
    expect(payablePagesOf(person)).toMatchObject([{ id: again.body.sessionId }])
  })

  it('gets one customer of an account that orders in parallel for the first time', async () => {
    const person = await addPerson(pool)
    await Promise.all(Array.from({ length: 12 }, (_, n) => order(n % 2 ? second : api, person, TIERS[n % 3] ?? '')))
    expect(customersOf(state, person.id)).toHaveLength(1)
  })

  it('that no longer knows a price gets no second customer', async () => {
    const renamed = await startApi({ ...provider.settings, STRIPE_PRICE_PREMIUM: 'price_unknown' })
    const person = await addPerson(pool)
    expect((await order(renamed, person, 'premium')).response.status).toBe(503)
    expect(customersOf(state, person.id)).toHaveLength(1)
  })
})

/** An API whose provider answers 500 to the chosen requests. */
async function startFailing(chosen: (method: string, path: string) => boolean): Promise<TestApi> {
  const entrance = await startEntrance(provider, { answered: false, chosen, failing: true })
  entrance.hold()
  return startApi(entrance.settings)
}
