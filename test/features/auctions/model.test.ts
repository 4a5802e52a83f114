// Thousands of commands against auctions, compared with a model in memory: bids, bans, voids, ends, defaults, payments,
// refunds, placements, slots, servers.
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Deps } from '../../../src/deps.ts'
import { changeUser } from '../../../src/features/admin/users.service.ts'
import { lockUserForModeration } from '../../../src/features/admin/users.sql.ts'
import { changeAuction, voidBid } from '../../../src/features/auctions/administration.service.ts'
import { type LockedAuction, lockAuction } from '../../../src/features/auctions/auctions.store.ts'
import { placeBid } from '../../../src/features/auctions/bids.service.ts'
import { offerToNextBidder } from '../../../src/features/auctions/closing.service.ts'
import { applyPayment, closeAuction } from '../../../src/features/auctions/index.ts'
import { createBillingWorker, createWorkerPayments, type Payments } from '../../../src/features/billing/index.ts'
import { createProvider } from '../../../src/features/billing/provider.ts'
import { createProviderSync } from '../../../src/features/billing/provider-sync.service.ts'
import { updatePlacements } from '../../../src/features/placements/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { type Db, inTransaction } from '../../../src/platform/db/pool.ts'
import { openJobs } from '../../../src/platform/queue/jobs.ts'
import { TEST_SECRET } from '../../support/api.ts'
import { addAuction, addSlot, endAuction, endOffer } from '../../support/auctions.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { startProvider } from '../billing/support.ts'
import { addServer } from '../votes/support.ts'
import {
  type Bidder,
  best,
  expected,
  isSold,
  lapse,
  live,
  type Model,
  type ModelOffer,
  placementState,
  type Real,
  recount,
  settle,
  stateOf,
} from './model.ts'

const RUNS = 150
const STARTING_BID = 500
const INCREMENT = 100

const database = await createTestDatabase()
const { pool } = database
const provider = await startProvider()
let deps: Deps
let payments: Payments
let bidders: Bidder[]

beforeAll(async () => {
  const settings = requireProcessSettings(
    readSettings({ DATABASE_URL: database.url, APP_SECRET: TEST_SECRET, ...provider.settings }),
  )
  const jobs = await openJobs({ url: database.url, log: testLog, applicationName: 'test' })
  deps = { settings, log: testLog, pool, jobs, clock: Date.now }
  payments = createWorkerPayments(deps)
  bidders = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { id: userId } = await addPerson(pool)
      return { userId, serverId: await addServer(pool, { ownerId: userId }) }
    }),
  )
  return () => jobs.stop()
})

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )

/** As the operations of administrators do: with the auction locked. */
const administer = (auctionId: string, work: (tx: Db, auction: LockedAuction) => Promise<unknown>) =>
  inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (!auction) throw new Error('the auction is gone')
    await work(tx, auction)
  })

type Step = (model: Model, real: Real) => Promise<void>
class Command implements fc.AsyncCommand<Model, Real> {
  readonly name: string
  readonly step: Step
  constructor(name: string, step: Step) {
    this.name = name
    this.step = step
  }
  check = () => true
  async run(model: Model, real: Real) {
    await this.step(model, real)
    expect(await stateOf(pool, bidders, real)).toEqual(expected(model))
  }
  toString = () => this.name
}

const bid = (bidder: number, over: number) =>
  new Command(`bidder ${bidder} bids ${over} over the least`, async (model, { auctionId }) => {
    const leader = best(model)
    const least = leader ? leader.amount + INCREMENT : model.startingBid
    const amount = Math.max(1, least + over)
    const who = bidders[bidder]
    if (!who) throw new Error('there is no such bidder')
    const code = await codeOf(
      inTransaction(pool, (tx) =>
        placeBid(tx, deps, { userId: who.userId, auctionId, bidAmount: amount, serverId: who.serverId }),
      ),
    )
    if (model.banned.has(bidder)) expect(code).toBe('forbidden')
    else if (model.offers.some((offer) => offer.bidder === bidder && offer.isDefaulted))
      expect(code).toBe('bidding_barred')
    else if (model.status !== 'active' || model.isPast) expect(code).toBe('auction_closed')
    else if (!model.isSlotActive) expect(code).toBe('slot_inactive')
    else if (leader?.bidder === bidder) expect(code).toBe('own_lead')
    else if (amount < least) expect(code).toBe('bid_too_low')
    else if (amount > least * 10) expect(code).toBe('bid_too_high')
    else if (model.unlisted.has(bidder)) expect(code).toBe('validation_failed')
    else {
      expect(code).toBe('done')
      model.bids.push({ bidder, amount, isValid: true })
    }
  })

const edit = (startingBid: number) =>
  new Command(`the first bid must be ${startingBid}`, async (model, { auctionId }) => {
    const code = await codeOf(
      administer(auctionId, (tx, auction) => changeAuction(tx, deps.jobs, auction, { startingBid })),
    )
    if (model.status !== 'active' || model.isPast) expect(code).toBe('auction_closed')
    else if (model.bids.length > 0) expect(code).toBe('has_bids')
    else {
      expect(code).toBe('done')
      model.startingBid = startingBid
    }
  })

const cancel = new Command('it is canceled', async (model, { auctionId }) => {
  const code = await codeOf(
    administer(auctionId, (tx, auction) => changeAuction(tx, deps.jobs, auction, { status: 'canceled' })),
  )
  const isOver = model.status !== 'active' || model.isPast
  expect(code).toBe(isOver ? 'auction_closed' : 'done')
  if (!isOver) model.status = 'canceled'
})

const timePasses = new Command('its time passes', async (model, { auctionId }) => {
  await endAuction(pool, auctionId)
  model.isPast = true
})

const close = new Command('the close job runs', async (model, { auctionId }) => {
  await closeAuction(deps, auctionId)
  if (model.status !== 'active' || !model.isPast) return
  model.status = 'completed'
  recount(model)
})

/** What became of offers whose time was over. */
const lapses = new Set<string>()

const offerLapses = (isBillingOn: boolean) =>
  new Command(`the 48 hours pass, payments are ${isBillingOn ? 'on' : 'off'}`, async (model, { auctionId }) => {
    await endOffer(pool, auctionId)
    await offerToNextBidder({ ...deps, payments: { ...payments, isOn: isBillingOn } }, auctionId)
    lapses.add(lapse(model, isBillingOn))
  })

const slotIs = (isActive: boolean) =>
  new Command(`the slot is ${isActive ? 'active' : 'inactive'}`, async (model, { slotId }) => {
    await pool.query('update ad_slots set is_active = $2 where id = $1', [slotId, isActive])
    await updatePlacements(deps)
    model.isSlotActive = isActive
    const offer = live(model)
    if (offer && !isActive) offer.wasBlocked.slot = true
  })

const CHANGES = { deleted: 'deleted_at = now()', hidden: 'hidden_at = now()', 'handed over': 'owner_id = null' }

const changeServer = (bidder: number, change: keyof typeof CHANGES) =>
  new Command(`the server of bidder ${bidder} is ${change}`, async (model) => {
    await pool.query(`update servers set ${CHANGES[change]} where id = $1`, [bidders[bidder]?.serverId])
    model.unlisted.add(bidder)
  })

const restoreServer = ({ userId, serverId }: Bidder) =>
  pool.query('update servers set deleted_at = null, hidden_at = null, owner_id = $2 where id = $1', [serverId, userId])

const restore = (bidder: number) =>
  new Command(`the server of bidder ${bidder} is listed again`, async (model) => {
    const who = bidders[bidder]
    if (who) await restoreServer(who)
    model.unlisted.delete(bidder)
  })

const userOf = (bidder: number) => bidders[bidder]?.userId ?? ''

const ban = (bidder: number, banned: boolean) =>
  new Command(`bidder ${bidder} is ${banned ? 'banned' : 'allowed again'}`, async (model) => {
    await inTransaction(pool, async (tx) => {
      const id = userOf(bidder)
      const { user } = await lockUserForModeration(tx, deps.settings, { id, actorId: id })
      if (!user) throw new Error('a bidder is missing')
      await changeUser(tx, deps, { id, before: user.before }, { banned })
    })
    if (model.banned.has(bidder) === banned) return
    if (!banned) {
      model.banned.delete(bidder)
      return
    }
    model.banned.add(bidder)
    if (model.bids.some((bid) => bid.bidder === bidder)) recount(model)
  })

const voidOne = (place: number) =>
  new Command(`bid ${place} from the top is voided`, async (model, { auctionId }) => {
    const bid = model.bids.at(-1 - (place % Math.max(1, model.bids.length)))
    if (!bid) return
    const { rows } = await pool.query<{ id: string }>(
      'select id from bids where auction_id = $1 order by id desc offset $2 limit 1',
      [auctionId, model.bids.length - 1 - model.bids.indexOf(bid)],
    )
    const code = await codeOf(
      administer(auctionId, (tx, auction) => voidBid(tx, deps.jobs, auction, rows[0]?.id ?? '')),
    )
    if (model.status === 'canceled' || isSold(model)) expect(code).toBe('auction_closed')
    else if (!bid.isValid) expect(code).toBe('bid_not_valid')
    else {
      expect(code).toBe('done')
      bid.isValid = false
      recount(model)
    }
  })

/** One of the provider's pages of an offer, created when it is first needed. */
async function pageOf({ auctionId }: Real, place: number, { amount }: ModelOffer, which: 'first' | 'second' = 'first') {
  const { rows } = await pool.query<{ id: string }>(
    'select id from auction_offers where auction_id = $1 order by id offset $2 limit 1',
    [auctionId, place],
  )
  const reference = rows[0]?.id ?? ''
  const sessionId = `cs_${which}_${reference}`
  const id = uuidv7()
  const { rowCount } = await pool.query(
    `insert into payment_sessions (id, kind, reference, idempotency_key, amount_cents, currency, session_id, expires_at)
     values ($4, 'payment', $1, $3, $2, 'usd', $3, now() + interval '1 day') on conflict do nothing`,
    [reference, amount, sessionId, id],
  )
  if (rowCount)
    provider.state.sessions[sessionId] = {
      id: sessionId,
      object: 'checkout.session',
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      customer: null,
      client_reference_id: null,
      amount_total: amount,
      currency: 'usd',
      subscription: null,
      payment_intent: null,
      success_url: 'http://localhost/',
      cancel_url: 'http://localhost/',
      url: null,
      metadata: { paymentSessionId: id },
      created: 0,
      expires_at: Number.MAX_SAFE_INTEGER,
      sold: { name: 'A week', priceId: null, metadata: {} },
    }
  const session = provider.state.sessions[sessionId]
  if (!session) throw new Error('there is no such page')
  return { reference, session, charge: () => chargeOf(session.payment_intent) }
}

function chargeOf(paymentId: string | null) {
  const charge = provider.state.charges[provider.state.payments[paymentId ?? '']?.latest_charge ?? '']
  if (!charge) throw new Error('nothing was charged')
  return charge
}

const refundsOf = (paymentId: string | null) =>
  Object.values(provider.state.refunds).filter((of) => of.payment_intent === paymentId && of.status === 'succeeded')

const read = (sessionId: string) => {
  const at = createProvider(deps)
  if (!at) throw new Error('billing is off')
  return createProviderSync(deps, at).apply({ kind: 'session', id: sessionId })
}

/** The refund jobs run, twice at the same time. Every payment that is due is refunded, once. */
const refund = new Command('the refund jobs run', async (model, real) => {
  const { rows } = await pool.query<{ id: string; reference: string; sessionId: string }>(
    `select refund.id, reference, session_id as "sessionId"
     from payment_refunds as refund join payment_sessions on payment_sessions.id = payment_session_id
     where reference in (select id::text from auction_offers where auction_id = $1)`,
    [real.auctionId],
  )
  const requested = model.offers.filter(({ isRefundRequested }) => isRefundRequested)
  const paidTwice = model.offers.filter(({ isPaidTwice }) => isPaidTwice)
  expect(rows).toHaveLength(requested.length + paidTwice.length)
  const billing = createBillingWorker(deps)
  for (const { id: refundId, reference, sessionId } of rows) {
    await Promise.all([billing.refund({ refundId }), billing.refund({ refundId })])
    const paymentId = provider.state.sessions[sessionId]?.payment_intent ?? null
    await applyPayment(deps, { reference, status: 'refunded', paymentId, sessionId })
  }
  for (const [place, offer] of model.offers.entries()) {
    if (offer.isPaidTwice) {
      const { session, charge } = await pageOf(real, place, offer, 'second')
      expect(charge().amount_refunded).toBe(offer.amount)
      expect(refundsOf(session.payment_intent)).toHaveLength(1)
    }
    if (!offer.isRefundRequested) continue
    const { session, charge } = await pageOf(real, place, offer)
    if (offer.payment === 'paid') settle(model, offer, 'refunded')
    expect(charge().amount_refunded).toBe(offer.payment === 'refunded' ? offer.amount : 0)
    expect(refundsOf(session.payment_intent)).toHaveLength(offer.payment === 'refunded' ? 1 : 0)
  }
})

const sweptTooEarly = new Command('the sweep finds an offer that can still be paid', async (model, { auctionId }) => {
  await offerToNextBidder({ ...deps, payments }, auctionId)
  // It extends an offer whose obstacle has ended, as any look does.
  const offer = live(model)
  if (offer?.status === 'open') offer.wasBlocked = { slot: !model.isSlotActive, billing: false }
})

/** A change of the payment of one of the offers made so far; `late` repeats an older report after it. */
const pay = (place: number, news: 'paid' | 'disputed' | 'refunded', often: number, late: boolean) =>
  new Command(
    `offer ${place} is ${news}, reported ${often} times${late ? ', then late that it was paid' : ''}`,
    async (model, real) => {
      const offer = model.offers[place % Math.max(1, model.offers.length)]
      if (!offer) return
      // A payment is paid before it is anything else, and one that was given back stays so.
      if (offer.payment === 'refunded' || (offer.payment === 'none' && news !== 'paid')) return
      if (news === 'disputed' && offer.wasDisputed) return // a payment is disputed once
      if (news === 'refunded' && offer.payment === 'disputed') return // the provider refuses that
      const { reference, session, charge } = await pageOf(real, model.offers.indexOf(offer), offer)
      if (news === 'paid' && offer.payment === 'none') provider.actions.pay(session)
      else if (news === 'paid') provider.actions.closeDispute(charge(), 'won')
      else if (news === 'disputed') provider.actions.dispute(charge())
      else provider.actions.refund(charge())
      offer.wasDisputed ||= news === 'disputed'
      await read(session.id)
      const tell = (status: typeof news) =>
        applyPayment(deps, { reference, status, paymentId: session.payment_intent, sessionId: session.id })
      for (let time = 0; time < often; time++) await tell(news)
      if (late) await tell('paid')
      settle(model, offer, news)
    },
  )

/** A refund by hand that seemed to succeed fails at the provider. */
const refundFails = (place: number) =>
  new Command(`the refund of offer ${place} fails`, async (model, real) => {
    const offer = model.offers[place % Math.max(1, model.offers.length)]
    if (offer?.payment !== 'refunded' || offer.isRefundRequested) return
    const { reference, session } = await pageOf(real, model.offers.indexOf(offer), offer)
    for (const of of refundsOf(session.payment_intent)) provider.actions.failRefund(of)
    await read(session.id)
    await applyPayment(deps, { reference, status: 'paid', paymentId: session.payment_intent, sessionId: session.id })
    settle(model, offer, 'paid')
  })

/** A second page of an offer that was paid is paid, too. */
const payTwice = (place: number, often: number) =>
  new Command(`offer ${place} is paid on a second page, reported ${often} times`, async (model, real) => {
    const offer = model.offers[place % Math.max(1, model.offers.length)]
    if (!offer || offer.payment === 'none' || offer.isPaidTwice) return
    const { reference, session } = await pageOf(real, model.offers.indexOf(offer), offer, 'second')
    provider.actions.pay(session)
    await read(session.id)
    for (let time = 0; time < often; time++)
      await applyPayment(deps, { reference, status: 'paid', paymentId: session.payment_intent, sessionId: session.id })
    offer.isPaidTwice = true
  })

/** What the provider keeps is what was shown for it: everything else was given back. */
async function expectNothingKeptForNothing(model: Model, real: Real): Promise<void> {
  for (const [place, offer] of model.offers.entries()) {
    if (offer.payment !== 'paid') continue
    const { charge } = await pageOf(real, place, offer)
    expect([charge().refunded, offer.status, model.placement?.offer === offer]).toEqual([false, 'paid', true])
  }
}

const placementEnds = new Command('the paid days pass', async (model, { slotId }) => {
  await pool.query(
    `update placements set starts_at = now() - interval '8 days', ends_at = now() - interval '1 second',
       ended_at = case when ended_at < ends_at then now() - interval '8 days' else ended_at end
     where slot_id = $1`,
    [slotId],
  )
  await updatePlacements(deps)
  if (model.placement) model.placement.isOver = true
})

/** Users, servers and the provider are shared by all runs: removes what a run leaves behind. */
async function forget({ auctionId, slotId }: Real): Promise<void> {
  await pool.query('update auction_offers set defaulted_at = null where auction_id = $1', [auctionId])
  await pool.query('update users set banned_at = null where id = any($1)', [bidders.map(({ userId }) => userId)])
  for (const bidder of bidders) await restoreServer(bidder)
  await pool.query('delete from placements where slot_id = $1', [slotId])
  await updatePlacements(deps)
  for (const kind of ['sessions', 'payments', 'charges', 'refunds', 'disputes'] as const) provider.state[kind] = {}
  provider.state.events.length = 0
}

const times = fc.constantFrom(1, 1, 3)
const bidding = fc.tuple(fc.nat(2), fc.constantFrom(-1, 0, 0, 250, 40_000)).map(([bidder, over]) => bid(bidder, over))
const paying = fc
  .tuple(
    fc.nat(2),
    fc.constantFrom('paid' as const, 'paid' as const, 'disputed' as const, 'refunded' as const),
    times,
    fc.boolean(),
  )
  .map((news) => pay(...news))
const commands = fc.commands(
  [
    bidding,
    bidding,
    fc.constantFrom(400, 600).map(edit),
    fc.constant(cancel),
    fc.constant(timePasses),
    fc.constant(close),
    fc.constant(sweptTooEarly),
    fc.boolean().map(offerLapses),
    fc.constant(offerLapses(true)),
    fc.boolean().map(slotIs),
    fc.constant(slotIs(true)),
    paying,
    paying,
    fc.nat(2).map((bidder) => ban(bidder, true)),
    fc.nat(2).map((bidder) => ban(bidder, false)),
    fc.nat(4).map(voidOne),
    fc.nat(1).map(voidOne),
    fc.constant(refund),
    fc.constant(placementEnds),
    fc
      .tuple(fc.nat(2), fc.constantFrom('deleted' as const, 'hidden' as const, 'handed over' as const))
      .map((change) => changeServer(...change)),
    fc.nat(2).map(restore),
    fc.nat(2).map(refundFails),
    fc.tuple(fc.nat(2), times).map((payment) => payTwice(...payment)),
  ],
  { maxCommands: 10, size: 'max' },
)
/**
 * Most random sequences reach neither a payment nor a cancellation, so most runs begin after one of
 * them or after the end.
 */
const contested = () => [bid(0, 0), bid(1, 0), bid(2, 250), bid(0, 0), timePasses, close]
const beginnings = fc.constantFrom<() => Command[]>(
  () => [],
  contested,
  () => [bid(0, 0), cancel],
  () => [...contested(), offerLapses(true), pay(1, 'paid', 1, false)],
  () => [...contested(), slotIs(false), pay(0, 'paid', 1, true), slotIs(true)],
  () => [...contested(), slotIs(false), offerLapses(true), slotIs(true), offerLapses(true)],
  () => [...contested(), pay(0, 'paid', 1, false), pay(0, 'refunded', 1, true), refundFails(0)],
)
/** Few random sequences end so. */
const disputed = () => [...contested(), pay(0, 'paid', 1, false), pay(0, 'disputed', 1, true)]

describe('auctions, command by command', () => {
  it('always match the model', { timeout: 600_000 }, async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(beginnings, commands, async (beginning, rest) => {
        const { id: slotId } = await addSlot(pool, { location: `model-${uuidv7()}` })
        const auctionId = await addAuction(pool, {
          slotId,
          startingBid: STARTING_BID,
          minimumIncrement: INCREMENT,
        })
        const model: Model = {
          status: 'active',
          isPast: false,
          isSlotActive: true,
          startingBid: STARTING_BID,
          bids: [],
          offers: [],
          banned: new Set(),
          unlisted: new Set(),
          placement: undefined,
        }
        const real = { auctionId, slotId }
        try {
          for (const command of beginning()) await command.run(model, real)
          await fc.asyncModelRun(() => ({ model, real }), rest)
          await refund.run(model, real)
          await expectNothingKeptForNothing(model, real)
          for (const offer of model.offers) {
            expect(offer.amount).toBeLessThanOrEqual(offer.bid.amount)
            seen.add(offer.status)
            if (offer.isRefundRequested) seen.add('refund requested')
          }
          seen.add(model.status).add(placementState(model))
        } finally {
          await forget(real)
        }
      }),
      { numRuns: RUNS, examples: [[disputed, []]] },
    )
    expect([...lapses].sort()).toEqual(['expired', 'extended', 'none', 'obstructed'])
    expect([...seen].sort()).toEqual([
      'active',
      'canceled',
      'completed',
      'disputed',
      'expired',
      'none',
      'open',
      'over',
      'paid',
      'refund requested',
      'refunded',
      'running',
      'withdrawn',
    ])
  })
})
