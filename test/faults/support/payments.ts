// Payments under faults: subscriptions and auctions that were won, paid at the provider, whose events come until taken.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { sign } from '../../../dev/sandbox/delivery.ts'
import type { Session } from '../../../dev/sandbox/state.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { chargesOf, customersOf, type TestProvider, WEBHOOK_SECRET } from '../../features/billing/support.ts'
import { addServer } from '../../features/votes/support.ts'
import { addSlot } from '../../support/auctions.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { type Bidder, type Bidding, bidUntilTheEnd, createAuction, readBids } from './bids.ts'
import { askUntilAnswered, type Load } from './load.ts'
import type { Members } from './members.ts'
import type { FaultRun } from './run.ts'

/** More than are used in the longest run. */
const BUYERS = 400
const SLOTS = 60
const BIDDERS = 5
const AUCTION_MS = 6_000
const PAUSE_MS = 200
/** One event of this many is delivered again although it was taken. */
const REPEATED_ONE_IN = 3

/** Opens a payment page, and pays there. The provider delivers each event until it is taken. */
function createPayer(provider: TestProvider) {
  let deliveries = 0
  let unanswered = 0
  return {
    unanswered: () => unanswered,
    /** @returns undefined if the page is refused */
    async pay(members: Members, who: Person, path: string, body: object): Promise<Session | undefined> {
      const order = { method: 'POST', cookie: who.cookie, body }
      const answer = await askUntilAnswered(members, path, order)
      unanswered += answer.unanswered
      if (answer.status === 400) return undefined
      expect(answer.status).toBe(200)
      const session = provider.state.sessions[answer.body.sessionId as string]
      if (!session) throw new Error('there is no such page')
      for (const { event } of provider.actions.pay(session)) await deliver(members, event)
      return session
    },
  }

  async function deliver(members: Members, event: object): Promise<void> {
    const text = JSON.stringify(event)
    for (let times = ++deliveries % REPEATED_ONE_IN === 0 ? 2 : 1; times > 0; times--) {
      const headers = { 'stripe-signature': sign(text, WEBHOOK_SECRET, Math.floor(Date.now() / 1000)) }
      const request = { method: 'POST', body: text, headers }
      const answer = await askUntilAnswered(members, '/api/billing/webhook', request, deliveries)
      unanswered += answer.unanswered
      expect(answer.status).toBe(200)
    }
  }
}

/** People who subscribe to a tier one after the other. */
export async function createBuyers(pool: Pool, provider: TestProvider): Promise<Load> {
  const people = await Promise.all(Array.from({ length: BUYERS }, () => addPerson(pool)))
  const payer = createPayer(provider)
  const paid: Person[] = []
  return {
    settings: provider.settings,
    async run(members, isOver) {
      for (const person of people) {
        if (isOver()) return
        if (await payer.pay(members, person, '/api/billing/checkout', { tier: 'premium' })) paid.push(person)
        await sleep(PAUSE_MS)
      }
    },
    async losses(run: FaultRun) {
      const waiting = async () =>
        (await pool.query('select count(*) as events from payment_events where applied_at is null')).rows[0].events
      await expect.poll(waiting, { timeout: 90_000, interval: 500 }).toBe(0)
      const { rows: stored } = await pool.query<{ id: string }>('select id from payment_events')
      const { rows: repeated } = await pool.query(
        `select data ->> 'eventId' as "eventId" from pgboss.job where name = 'billing-event' group by 1 having count(*) > 1`,
      )
      const { rows: tiers } = await pool.query<{ id: string; tier: string; subscriptions: number }>(
        `select users.id, tier, (select count(*) from subscriptions where user_id = users.id) as subscriptions
         from users where id = any($1)`,
        [paid.map(({ id }) => id)],
      )
      const sent = new Set(provider.state.events.map(({ event }) => event.id))
      const known = new Set(stored.map(({ id }) => id))
      const { state } = provider
      run.worked('payment events', sent.size)
      run.worked('subscriptions', paid.length)
      run.worked('payment requests without an answer', payer.unanswered())
      return {
        'payment events': [...sent].filter((id) => !known.has(id)),
        'payment events that were never sent': [...known].filter((id) => !sent.has(id)),
        'payment events with two jobs': repeated,
        tiers: tiers.filter(({ tier }) => tier !== 'premium'),
        'subscriptions of one payment': tiers.filter(({ subscriptions }) => subscriptions !== 1),
        'subscriptions charged more or less than once': paid.filter(
          ({ id }) => customersOf(state, id).flatMap((customer) => chargesOfCustomer(customer.id)).length !== 1,
        ),
        refunds: Object.values(state.refunds),
      }

      function chargesOfCustomer(customerId: string) {
        const owned = Object.values(state.subscriptions).filter(({ customer }) => customer === customerId)
        return owned.flatMap(({ id }) => chargesOf(state, id))
      }
    },
  }
}

/** Auctions one after the other: bidders until the end, then the winner pays. */
export async function createAuctions(pool: Pool, provider: TestProvider): Promise<Load> {
  const admin = await addPerson(pool, { isAdmin: true })
  const bidders: Bidder[] = []
  for (let n = 0; n < BIDDERS; n++) {
    const person = await addPerson(pool)
    bidders.push({ ...person, serverId: await addServer(pool, { ownerId: person.id }) })
  }
  const slots = await Promise.all(Array.from({ length: SLOTS }, () => addSlot(pool)))
  const payer = createPayer(provider)
  const auctions: { bidding: Bidding; paidBy: string[] }[] = []
  let used: Members
  return {
    settings: provider.settings,
    async run(members, isOver) {
      used = members
      for (const { id: slotId } of slots) {
        if (isOver()) return
        const auctionId = await createAuction(members, admin, slotId, AUCTION_MS)
        const auction = { bidding: await bidUntilTheEnd(members, auctionId, bidders, PAUSE_MS), paidBy: [] as string[] }
        auctions.push(auction)
        for (const bidder of bidders)
          if (await payer.pay(members, bidder, `/api/auctions/${auctionId}/checkout`, {}))
            auction.paidBy.push(bidder.id)
      }
    },
    async losses(run: FaultRun) {
      const losses: Record<string, unknown[]> = { 'payers of auctions': [] }
      let accepted = 0
      for (const { bidding, paidBy } of auctions) {
        const { bids, losses: lost } = await readBids(pool, used, bidding)
        for (const [what, which] of Object.entries(lost)) losses[what] = [...(losses[what] ?? []), ...which]
        accepted += bids.length
        const winners = bids.length > 0 ? [bids.at(-1)?.bidder] : []
        if (paidBy.join() !== winners.join()) losses['payers of auctions']?.push({ paidBy, winners })
        const placed = async () => {
          const { rows } = await pool.query<{ status: string }>(
            `select status from placements join auction_offers on auction_offers.id = offer_id where auction_id = $1`,
            [bidding.auctionId],
          )
          return rows.map(({ status }) => status)
        }
        await expect.poll(placed, { timeout: 90_000, interval: 200 }).toEqual(winners.map(() => 'paid'))
      }
      run.worked('auctions', auctions.length)
      run.worked('bids accepted', accepted)
      run.worked(
        'bids without an answer',
        auctions.reduce((sum, { bidding }) => sum + bidding.unanswered, 0),
      )
      return losses
    },
  }
}
