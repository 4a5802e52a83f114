// Property-based: orders, payments, expiries, cancellations, sales by hand and events in any order, late, repeated and
// concurrent. The provider fails now and then, and keeps these answers. At any moment at most one page of an account
// can be paid; in the end at most one subscription is active, and each other was refunded exactly once. Of a deleted
// account none is active, and what was paid after the deletion was refunded.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ProviderEvent, Session } from '../../../dev/sandbox/state.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { rounds } from '../../support/rounds.ts'
import {
  applyEvents,
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
  tierOf,
} from './support.ts'

const { provider, state, actions, api, pool, worker } = await startBilling()

/** An API that loses the provider's answers when it opens a page, like a process that is killed at that moment. */
const losing = await startEntrance(provider, { answered: true, chosen: isPageCreation, failing: true })
losing.hold()
const losingApi = await startTestApi({ database: api.database, settings: losing.settings })
const second = await startTestApi({ database: api.database, settings: provider.settings })

/** The largest number of payable pages of one account, counted whenever the provider creates a page. */
let mostPayable = 0
const isOpen = ({ status, mode }: Session) => status === 'open' && mode === 'subscription'
state.sessions = new Proxy(state.sessions, {
  set(sessions, id: string, made: Session) {
    sessions[id] = made
    const beside = Object.values(sessions).filter((page) => page.client_reference_id === made.client_reference_id)
    if (made.client_reference_id) mostPayable = Math.max(mostPayable, beside.filter(isOpen).length)
    return true
  },
})

const apis = { api, second, losing: losingApi }

const tier = fc.constantFrom('standard', 'premium', 'enterprise')
const pick = fc.nat(20)
const Step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      tier,
      at: fc.constantFrom('api' as const, 'second' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('order' as const), tier, at: fc.constant('losing' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('provider fails' as const),
      takesEffect: fc.boolean(),
      customers: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('provider works' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sell by hand' as const), tier }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete the account' as const), isMeant: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resolve' as const) }) },
)
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never

let endFailure = () => {}

const at = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)]

async function run(person: Person, step: Step, firstEvent: number): Promise<void> {
  const customer = customersOf(state, person.id)[0]?.id
  const pages = Object.values(state.sessions).filter((page) => page.client_reference_id === person.id)
  const subscriptions = Object.values(state.subscriptions).filter((subscription) => subscription.customer === customer)
  const [page, subscription] = 'pick' in step ? [at(pages, step.pick), at(subscriptions, step.pick)] : []
  switch (step.do) {
    case 'order':
      await order(apis[step.at], person, step.tier)
      break
    case 'provider fails':
      endFailure()
      endFailure = provider.failCalls(step.customers ? isCustomerCreation : isPageCreation, step)
      break
    case 'provider works':
      endFailure()
      break
    case 'pay':
      if (page) actions.pay(page)
      break
    case 'expire':
      if (page) actions.expire(page)
      break
    case 'end':
      if (subscription) actions.cancelNow(subscription)
      break
    case 'cancel':
      await api.request('/api/user/subscription', { method: 'DELETE', headers: { cookie: person.cookie } })
      break
    case 'sell by hand':
      if (customer) sellByHand(provider, { customer, priceId: `price_sandbox_${step.tier}` })
      break
    case 'delete the account':
      if (step.isMeant === 0) await pool.query('delete from users where id = $1', [person.id])
      break
    case 'deliver': {
      const event = at(state.events.slice(firstEvent), step.pick)?.event
      if (event) await handle(event)
      break
    }
    case 'resolve':
      await worker.resolveDuplicates({ userId: person.id })
  }
}

async function handle(event: ProviderEvent): Promise<void> {
  await deliver(api, event)
  await worker.handle({ eventId: event.id })
}

/** Delivers all events in random order, some of them twice, until there are no new ones. */
async function deliverAll(firstEvent: number, roll: () => number): Promise<void> {
  let done = 0
  while (state.events.length - firstEvent > done) {
    const events = state.events.slice(firstEvent + done).map(({ event }) => event)
    done += events.length
    const twice = events.flatMap((event) => (roll() < 5 ? [event, event] : [event]))
    const shuffled = twice.map((event) => [roll(), event] as const).sort(([a], [b]) => a - b)
    await Promise.all(shuffled.map(([, event]) => handle(event)))
    await resolveDuplicates(api.deps)
    await applyEvents(api.deps)
  }
}

/** @param soldBefore ids of the subscriptions that there were when the account was deleted */
async function expectRefundedAfter(person: Person, soldBefore: string[]): Promise<void> {
  await worker.sweep()
  await resolveDuplicates(api.deps)
  const pages = Object.values(state.sessions).filter((page) => page.client_reference_id === person.id)
  const sold = pages.flatMap(({ subscription }) => (subscription ? [state.subscriptions[subscription]] : []))
  for (const subscription of sold) {
    expect(subscription?.status).toBe('canceled')
    if (!subscription || soldBefore.includes(subscription.id)) continue
    expect(refundsOf(state, subscription.id)).toEqual([subscription.items.data[0]?.price.unit_amount])
  }
}

it('one account has at most one payable page at any moment, and one subscription in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(Step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat(20)),
      async (turns, dice) => {
        const person = await addPerson(pool)
        const firstEvent = state.events.length
        mostPayable = 0
        let soldBefore: string[] | undefined
        for (const steps of turns) {
          await Promise.all(steps.map((step) => run(person, step, firstEvent)))
          if ((await tierOf(pool, person.id)) === undefined) soldBefore ??= Object.keys(state.subscriptions)
        }
        endFailure()
        if (!soldBefore) expect((await order(api, person, 'premium')).response.status).not.toBe(503)
        expect(mostPayable).toBeLessThanOrEqual(1)
        await deliverAll(firstEvent, () => dice.next().value as number)
        if (soldBefore) return expectRefundedAfter(person, soldBefore)

        const customers = customersOf(state, person.id)
        expect(customers.length).toBeLessThanOrEqual(1)
        const all = Object.values(state.subscriptions).filter(({ customer }) => customer === customers[0]?.id)
        const active = all.filter(({ status }) => status === 'active')
        expect(active.length).toBeLessThanOrEqual(1)
        const sold = active[0]?.items.data[0]?.price.id.replace('price_sandbox_', '') ?? 'free'
        expect(await tierOf(pool, person.id)).toBe(sold)

        const { rows: duplicates } = await pool.query<{ id: string; cents: number }>(
          `select subscription_id as id, refunded_cents as cents from duplicate_subscriptions
           where user_id = $1 and resolved_at is not null`,
          [person.id],
        )
        const refunded = all.flatMap(({ id }) => {
          const cents = refundsOf(state, id).reduce((sum, refund) => sum + refund, 0)
          return cents ? [{ id, cents }] : []
        })
        const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
        expect(refunded.sort(byId)).toEqual(duplicates.sort(byId))
        expect(duplicates.map(({ id }) => id)).not.toContain(active[0]?.id)
      },
    ),
    { numRuns: rounds(40) },
  )
}, 180_000)
