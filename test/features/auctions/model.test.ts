// Thousands of commands against auctions, held against a model in memory: bids, calls-off, ends, offers, payments, placements.
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Deps } from '../../../src/deps.ts'
import { createAuctionsAdmin } from '../../../src/features/auctions/admin.service.ts'
import { createBidsService } from '../../../src/features/auctions/bids.service.ts'
import { passOn } from '../../../src/features/auctions/closing.service.ts'
import { applyPayment, closeAuction } from '../../../src/features/auctions/index.ts'
import { turnPlacements } from '../../../src/features/placements/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import type { Actor } from '../../../src/platform/http/actor.ts'
import { openJobs } from '../../../src/platform/queue/jobs.ts'
import { TEST_SECRET } from '../../support/api.ts'
import { addAuction, addSlot, endAuction, endOffer } from '../../support/auctions.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { addServer } from '../votes/support.ts'
import {
  type Bidder,
  best,
  expected,
  live,
  type Model,
  offerNext,
  placementState,
  type Real,
  settle,
  stateOf,
} from './model.ts'

const RUNS = 1000
const STARTING_BID = 500
const INCREMENT = 100

const database = await createTestDatabase()
const { pool } = database
let deps: Deps
let bidders: Bidder[]
let administrator: string

beforeAll(async () => {
  const settings = requireProcessSettings(readSettings({ DATABASE_URL: database.url, APP_SECRET: TEST_SECRET }))
  const jobs = await openJobs({ url: database.url, log: testLog, applicationName: 'test' })
  deps = { settings, log: testLog, pool, jobs, clock: Date.now }
  administrator = (await addPerson(pool, { isAdmin: true })).id
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
    const least = model.bids.length ? (best(model)?.amount ?? 0) + INCREMENT : model.startingBid
    const amount = Math.max(1, least + over)
    const who = bidders[bidder]
    if (!who) throw new Error('there is no such bidder')
    const code = await codeOf(
      createBidsService(deps).place({ userId: who.userId, isAdmin: false } as Actor, auctionId, {
        bidAmount: amount,
        serverId: who.serverId,
      }),
    )
    if (model.status !== 'active' || model.isPast) expect(code).toBe('auction_closed')
    else if (best(model)?.bidder === bidder) expect(code).toBe('own_lead')
    else if (amount < least) expect(code).toBe('bid_too_low')
    else {
      expect(code).toBe('done')
      model.bids.push({ bidder, amount })
    }
  })

const edit = (startingBid: number) =>
  new Command(`the first bid must be ${startingBid}`, async (model, { auctionId }) => {
    const code = await codeOf(createAuctionsAdmin(deps).change(administrator, auctionId, { startingBid }))
    if (model.status !== 'active' || model.isPast) expect(code).toBe('auction_closed')
    else if (model.bids.length) expect(code).toBe('has_bids')
    else {
      expect(code).toBe('done')
      model.startingBid = startingBid
    }
  })

const cancel = new Command('it is called off', async (model, { auctionId }) => {
  const code = await codeOf(createAuctionsAdmin(deps).change(administrator, auctionId, { status: 'canceled' }))
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
  offerNext(model)
})

const offerLapses = new Command('the 48 hours pass', async (model, { auctionId }) => {
  await endOffer(pool, auctionId)
  await passOn(deps, auctionId)
  const offer = live(model)
  if (offer?.status !== 'open') return
  offer.status = 'expired'
  offerNext(model)
})

const sweptTooEarly = new Command('the sweep looks at an offer that can be paid', async (_, { auctionId }) =>
  passOn(deps, auctionId),
)

/** News of the payment of one of the offers made so far; `late` has an old one come after it once more. */
const pay = (place: number, news: 'paid' | 'disputed' | 'refunded', often: number, late: boolean) =>
  new Command(
    `offer ${place} is ${news}, told ${often} times${late ? ', and late that it was paid' : ''}`,
    async (model, { auctionId }) => {
      const offer = model.offers[place % Math.max(1, model.offers.length)]
      if (!offer) return
      // A payment is paid before it is anything else, and one that was given back stays so.
      if (offer.payment === 'refunded' || (offer.payment === 'none' && news !== 'paid')) return
      const { rows } = await pool.query<{ id: string }>(
        'select id from auction_offers where auction_id = $1 and user_id = $2',
        [auctionId, bidders[offer.bidder]?.userId],
      )
      const reference = rows[0]?.id ?? ''
      const sessionId = `cs_${reference}`
      await pool.query(
        `insert into payment_sessions (id, kind, reference, idempotency_key, amount_cents, currency, session_id, status, expires_at)
       values (gen_random_uuid(), 'payment', $1, $1, $2, 'usd', $3, $4, now() + interval '1 day')
       on conflict (session_id) do update set status = excluded.status`,
        [reference, offer.amount, sessionId, news],
      )
      const tell = (status: typeof news) => applyPayment(deps, { reference, status, paymentId: 'pi_1', sessionId })
      for (let time = 0; time < often; time++) await tell(news)
      if (late) await tell('paid')
      settle(model, offer, news)
    },
  )

const placementEnds = new Command('the paid days pass', async (model, { slotId }) => {
  await pool.query(
    `update placements set starts_at = now() - interval '8 days', ends_at = now() - interval '1 second' where slot_id = $1`,
    [slotId],
  )
  await turnPlacements(deps)
  if (model.placement) model.placement.isOver = true
})

const times = fc.constantFrom(1, 1, 3)
const bidding = fc.tuple(fc.nat(2), fc.constantFrom(-1, 0, 0, 250)).map(([bidder, over]) => bid(bidder, over))
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
    fc.constant(offerLapses),
    paying,
    paying,
    fc.constant(placementEnds),
  ],
  { maxCommands: 10, size: 'max' },
)
/** Most sequences of pure chance never get to a payment: two thirds of the runs begin behind the end. */
const contested = () => [bid(0, 0), bid(1, 0), bid(2, 250), bid(0, 0), timePasses, close]
const beginnings = fc.constantFrom<() => Command[]>(
  () => [],
  contested,
  () => [...contested(), offerLapses, pay(1, 'paid', 1, false)],
)

describe('auctions, command by command', () => {
  it('are always as the model says', { timeout: 240_000 }, async () => {
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
          startingBid: STARTING_BID,
          bids: [],
          offers: [],
          placement: undefined,
        }
        const real = { auctionId, slotId }
        for (const command of beginning()) await command.run(model, real)
        await fc.asyncModelRun(() => ({ model, real }), rest)
        for (const { status } of model.offers) seen.add(status)
        seen.add(model.status).add(placementState(model))
        // The servers are the same in every run: none begins with one that is featured still.
        await pool.query('delete from placements where slot_id = $1', [slotId])
        if (placementState(model) === 'running') await turnPlacements(deps)
      }),
      { numRuns: RUNS },
    )
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
      'refund_due',
      'refunded',
      'running',
    ])
  })
})
