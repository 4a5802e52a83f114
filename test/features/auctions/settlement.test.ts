// From the win to the placement and its end, through the payment provider's pages and events.
import { describe, expect, it } from 'vitest'
import type { Session } from '../../../dev/sandbox/state.ts'
import { deleteAccount } from '../../../src/features/account-deletion/index.ts'
import { applyPayment, closeAuction, sweepAuctions } from '../../../src/features/auctions/index.ts'
import { findUnsettledPayments } from '../../../src/features/auctions/sweep.sql.ts'
import { createBillingWorker, type PaymentSettled } from '../../../src/features/billing/index.ts'
import { findPaymentsToRead } from '../../../src/features/billing/payments.store.ts'
import { updatePlacements } from '../../../src/features/placements/index.ts'
import { type Db, inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, addSlot, addWonAuction, endAMonthAgo, endAuction, endOffer } from '../../support/auctions.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { applyEvents, deliver, lastOf, startProvider } from '../billing/support.ts'
import { addServer } from '../votes/support.ts'
import { bidOnce, call, newsOf, offersOf } from './support.ts'

const provider = await startProvider()
const { actions, state } = provider
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database

const checkout = (who: Person, auctionId: string, body: object = {}) =>
  call(api, who, 'POST', `/auctions/${auctionId}/checkout`, body)

async function pageOf(who: Person, auctionId: string, body: object = {}) {
  const answer = await checkout(who, auctionId, body)
  expect(answer).toMatchObject({ status: 200 })
  const session = state.sessions[answer.body.sessionId]
  if (!session) throw new Error('there is no such page')
  expect(session.url).toBe(answer.body.url)
  return session
}

/** Does something at the provider, delivers its events, and runs the jobs that follow, all earlier ones included. */
async function happens(work: () => unknown): Promise<void> {
  const before = state.events.length
  await work()
  for (const { event } of state.events.slice(before)) await deliver(api, event)
  await applyEvents(api.deps)
  const { rows } = await pool.query<{ data: PaymentSettled }>(
    `select data from pgboss.job where name = 'payment-settled' order by random()`,
  )
  for (const { data } of rows) await applyPayment(api.deps, data)
}

const chargeOf = (session: { payment_intent: string | null }) => {
  const charge = state.charges[state.payments[session.payment_intent ?? '']?.latest_charge ?? '']
  if (!charge) throw new Error('nothing was charged')
  return charge
}

const addLowerBid = (auctionId: string, userId: string) =>
  pool.query(
    `insert into bids (id, auction_id, user_id, amount, placed_at) values (gen_random_uuid(), $1, $2, 1000, now())`,
    [auctionId, userId],
  )

const placementsOf = async (auctionId: string) =>
  (
    await pool.query(
      `select placements.server_id as "serverId", ended_at is not null as "isEnded", end_reason as reason,
         extract(epoch from placements.ends_at - placements.starts_at)::int / 86400 as days
       from placements join auction_offers on auction_offers.id = offer_id where auction_id = $1`,
      [auctionId],
    )
  ).rows

const featured = async (serverId: string) => (await call(api, undefined, 'GET', `/servers/${serverId}/featured`)).body
/** As the directory in memory has it. */
const listedAsFeatured = async (serverId: string) =>
  (await call(api, undefined, 'GET', `/servers/${serverId}`)).body.isFeatured

async function winner(terms: { slotId?: string } = {}) {
  const who = await addPerson(pool)
  const serverId = await addServer(pool, { ownerId: who.id })
  const slot = terms.slotId ? undefined : await addSlot(pool)
  const auctionId = await addAuction(pool, { slotId: terms.slotId ?? slot?.id ?? '', placementDays: 3 })
  await bidOnce(api, who, auctionId, 1234, serverId)
  await endAuction(pool, auctionId)
  await closeAuction(api.deps, auctionId)
  return { who, serverId, auctionId, location: slot?.location ?? '' }
}

describe('the winner', () => {
  it('pays exactly the bid; then the server is featured for the days that were sold', async () => {
    const { who, serverId, auctionId, location } = await winner()
    const session = await pageOf(who, auctionId)
    expect(session).toMatchObject({ mode: 'payment', amount_total: 1234, currency: 'usd' })
    expect(await featured(serverId)).toEqual({ isFeatured: false, placement: null })
    await happens(() => actions.pay(session))

    expect(await placementsOf(auctionId)).toEqual([{ serverId, isEnded: false, reason: null, days: 3 }])
    const { placements } = (await call(api, undefined, 'GET', `/ad-placements/${location}`)).body
    expect(placements).toMatchObject([{ location, tier: 'premium', serverId, title: 'A server', imageUrl: '' }])
    expect(await featured(serverId)).toEqual({ isFeatured: true, placement: placements[0] })
    const ids = (await call(api, undefined, 'GET', '/servers/featured')).body.servers.map(
      ({ id }: { id: string }) => id,
    )
    expect(ids).toContain(serverId)
    await expect.poll(() => listedAsFeatured(serverId)).toBe(true)
    expect(await call(api, undefined, 'GET', `/auctions/${auctionId}`)).toMatchObject({
      body: { winnerServerId: serverId },
    })
    expect(await checkout(who, auctionId)).toMatchObject({ status: 400, body: { error: 'already_paid' } })

    await pool.query(
      `update placements set starts_at = now() - interval '4 days', ends_at = now() - interval '1 second' where server_id = $1`,
      [serverId],
    )
    expect((await call(api, undefined, 'GET', `/ad-placements/${location}`)).body).toEqual({ placements: [] })
    await Promise.all([updatePlacements(api.deps), updatePlacements(api.deps)])
    expect(await featured(serverId)).toEqual({ isFeatured: false, placement: null })
    await expect.poll(() => listedAsFeatured(serverId)).toBe(false)
  })

  it('need not wait for the close job: the page opens from the end on, and the win is notified once', async () => {
    const [who, loser] = [await addPerson(pool), await addPerson(pool)]
    const serverId = await addServer(pool, { ownerId: who.id })
    const auctionId = await addAuction(pool)
    await bidOnce(api, loser, auctionId, 500)
    await bidOnce(api, who, auctionId, 1234, serverId)
    await endAuction(pool, auctionId)
    expect(await checkout(loser, auctionId)).toMatchObject({ status: 400, body: { error: 'not_the_winner' } })
    await Promise.all([pageOf(who, auctionId), closeAuction(api.deps, auctionId)])
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'open' }])
    expect(await newsOf(pool, auctionId)).toMatchObject([{ event: 'auctionOutbid' }, { event: 'auctionWon' }])
  })

  it('gets one page, however often it is requested, and can change the server until it is paid', async () => {
    const { who, auctionId } = await winner()
    const answers = await Promise.all(Array.from({ length: 10 }, () => checkout(who, auctionId)))
    const ids = new Set(answers.map(({ body }) => body.sessionId))
    expect(ids.size).toBe(1)
    const other = await addServer(pool, { ownerId: who.id })
    const session = await pageOf(who, auctionId, { serverId: other })
    expect(ids).toContain(session.id)
    await happens(() => actions.pay(session))
    expect(await placementsOf(auctionId)).toMatchObject([{ serverId: other }])
  })

  it.each([
    ['en', 1, 'A week at the top, 1 day'],
    ['en', 3, 'A week at the top, 3 days'],
    ['de', 1, 'A week at the top, 1 Tag'],
    ['de', 3, 'A week at the top, 3 Tage'],
  ])('reads on the page in %s that %i days are bought', async (language, days, words) => {
    const { who, auctionId } = await winner()
    await pool.query('update auctions set placement_days = $2 where id = $1', [auctionId, days])
    const { sold } = await pageOf(who, auctionId, { language })
    expect(sold.name).toBe(words)
  })

  it('must name a server of their own, at the latest when paying', async () => {
    const who = await addPerson(pool)
    const auctionId = await addAuction(pool)
    await bidOnce(api, who, auctionId, 500)
    await endAuction(pool, auctionId)
    await closeAuction(api.deps, auctionId)
    const others = await addServer(pool, { ownerId: (await addPerson(pool)).id })
    for (const body of [{}, { serverId: others }, { serverId: 'nothing' }])
      expect(await checkout(who, auctionId, body)).toMatchObject({
        status: 400,
        body: { details: [{ path: 'body.serverId' }] },
      })
    const serverId = await addServer(pool, { ownerId: who.id })
    const session = await pageOf(who, auctionId, { serverId })
    await happens(() => actions.pay(session))
    expect(await placementsOf(auctionId)).toMatchObject([{ serverId }])
  })

  it('has one placement, though the payment is reported a hundred times at once', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    await happens(() => actions.pay(session))
    const [offer] = await offersOf(pool, auctionId)
    const news = {
      reference: offer?.id ?? '',
      status: 'paid',
      paymentId: session.payment_intent,
      sessionId: session.id,
    } as const
    await Promise.all(Array.from({ length: 100 }, () => applyPayment(api.deps, news)))
    expect(await placementsOf(auctionId)).toHaveLength(1)
  })
})

describe('paying is not possible', () => {
  it('before the end, for others, twice, after 48 hours, or for an inactive slot', async () => {
    const { id: slotId } = await addSlot(pool)
    const { who, auctionId } = await winner({ slotId })
    const stranger = await addPerson(pool)
    const running = await addAuction(pool)
    expect(await checkout(who, running)).toMatchObject({ status: 400, body: { error: 'auction_not_over' } })
    expect(await checkout(stranger, auctionId)).toMatchObject({ status: 400, body: { error: 'not_the_winner' } })
    expect(await checkout(who, 'nothing')).toMatchObject({ status: 404 })
    expect(await call(api, undefined, 'POST', `/auctions/${auctionId}/checkout`, {})).toMatchObject({ status: 401 })
    await pool.query('update ad_slots set is_active = false where id = $1', [slotId])
    expect(await checkout(who, auctionId)).toMatchObject({ status: 400, body: { error: 'slot_inactive' } })
    const late = await winner()
    await pool.query(`update auction_offers set expires_at = now() where auction_id = $1`, [late.auctionId])
    expect(await checkout(late.who, late.auctionId)).toMatchObject({ status: 400, body: { error: 'not_the_winner' } })
  })

  it('while billing is off, and the attempt changes nothing', async () => {
    const off = await startTestApi({ database: api.database })
    const { who, auctionId } = await winner()
    const answer = await call(off, who, 'POST', `/auctions/${auctionId}/checkout`, {})
    expect(answer).toMatchObject({ status: 503, body: { error: 'billing_unavailable' } })
    await pageOf(who, auctionId)
  })
})

describe('when the winner does not pay', () => {
  it('the next bidder gets the offer, then the one after; the third pays', async () => {
    const people = await Promise.all([1, 2, 3].map(() => addPerson(pool)))
    const auctionId = await addAuction(pool)
    for (const [place, who] of people.entries())
      await bidOnce(api, who, auctionId, 500 + 100 * place, await addServer(pool, { ownerId: who.id }))
    await endAuction(pool, auctionId)
    await closeAuction(api.deps, auctionId)
    for (const [place, who] of people.toReversed().entries()) {
      for (const other of people)
        if (other !== who) expect(await checkout(other, auctionId)).toMatchObject({ body: { error: 'not_the_winner' } })
      const session = await pageOf(who, auctionId)
      expect(session.amount_total).toBe(700 - 100 * place)
      if (place === 2) await happens(() => actions.pay(session))
      await endOffer(pool, auctionId)
      await sweepAuctions(api.deps)
    }
    expect((await offersOf(pool, auctionId)).map(({ status }) => status)).toEqual(['expired', 'expired', 'paid'])
    expect(await placementsOf(auctionId)).toHaveLength(1)
  })

  it('and pays too late, the payment is marked for a refund, and the next bidder’s payment counts', async () => {
    const [late, next] = await Promise.all([addPerson(pool), addPerson(pool)])
    const auctionId = await addAuction(pool)
    const nextServer = await addServer(pool, { ownerId: next.id })
    await bidOnce(api, next, auctionId, 500, nextServer)
    await bidOnce(api, late, auctionId, 600, await addServer(pool, { ownerId: late.id }))
    await endAuction(pool, auctionId)
    await closeAuction(api.deps, auctionId)
    const page = await pageOf(late, auctionId)
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    await happens(() => actions.pay(page))
    expect((await offersOf(pool, auctionId)).map(({ status }) => status)).toEqual(['refund_due', 'open'])
    expect(await placementsOf(auctionId)).toEqual([])
    const nextPage = await pageOf(next, auctionId)
    await happens(() => actions.pay(nextPage))
    await happens(() => actions.refund(chargeOf(page)))
    expect((await offersOf(pool, auctionId)).map(({ status }) => status)).toEqual(['refunded', 'paid'])
    expect(await placementsOf(auctionId)).toMatchObject([{ serverId: nextServer, isEnded: false }])
  })

  it('and pays late while there is no other bidder, the payment counts', async () => {
    const { who, auctionId } = await winner()
    const page = await pageOf(who, auctionId)
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'expired' }])
    await happens(() => actions.pay(page))
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'paid' }])
    expect(await placementsOf(auctionId)).toHaveLength(1)
  })

  it('and pays late after being banned, the payment is marked for a refund', async () => {
    const { who, auctionId } = await winner()
    const page = await pageOf(who, auctionId)
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    await pool.query('update users set banned_at = now() where id = $1', [who.id])
    await happens(() => actions.pay(page))
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'refund_due' }])
    expect(await placementsOf(auctionId)).toEqual([])
  })
})

describe('a refund or a dispute', () => {
  it('ends the placement: a refund for good', async () => {
    const { who, serverId, auctionId, location } = await winner()
    const session = await pageOf(who, auctionId)
    await happens(() => actions.pay(session))
    await happens(() => actions.refund(chargeOf(session)))
    expect(await placementsOf(auctionId)).toMatchObject([{ isEnded: true, reason: 'refunded' }])
    expect(await featured(serverId)).toEqual({ isFeatured: false, placement: null })
    expect((await call(api, undefined, 'GET', `/ad-placements/${location}`)).body).toEqual({ placements: [] })
    await expect.poll(() => listedAsFeatured(serverId)).toBe(false)
    await updatePlacements(api.deps)
    expect(await featured(serverId)).toMatchObject({ isFeatured: false })
  })

  it('ends the placement: a dispute until it is won', async () => {
    const { who, serverId, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    await happens(() => actions.pay(session))
    await happens(() => actions.dispute(chargeOf(session)))
    expect(await placementsOf(auctionId)).toMatchObject([{ isEnded: true, reason: 'disputed' }])
    expect(await featured(serverId)).toMatchObject({ isFeatured: false })
    await happens(() => actions.closeDispute(chargeOf(session), 'won'))
    expect(await placementsOf(auctionId)).toMatchObject([{ isEnded: false, reason: null }])
    expect(await featured(serverId)).toMatchObject({ isFeatured: true })
  })

  it('before the payment was reported starts no placement', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    await happens(() => {
      actions.pay(session)
      actions.refund(chargeOf(session))
    })
    expect(await placementsOf(auctionId)).toEqual([])
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'refunded' }])
  })
})

describe('a payment that buys nothing is refunded', () => {
  const refund = async () => {
    const billing = createBillingWorker(api.deps)
    const { rows } = await pool.query<{ id: string }>(`select id from payment_refunds where status = 'due'`)
    for (const { id } of rows) await happens(() => billing.refund({ refundId: id }))
  }

  it.each([
    [
      'its slot became inactive',
      'update ad_slots set is_active = false where id = (select slot_id from auctions where id = $1)',
    ],
    [
      'its server was deleted',
      'update servers set deleted_at = now() from auction_offers where server_id = servers.id and auction_id = $1',
    ],
    [
      'its server was hidden',
      'update servers set hidden_at = now() from auction_offers where server_id = servers.id and auction_id = $1',
    ],
    [
      'its server was handed over',
      'update servers set owner_id = null from auction_offers where server_id = servers.id and auction_id = $1',
    ],
  ])('when %s before it was paid', async (_, change) => {
    const { who, serverId, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    await pool.query(change, [auctionId])
    await happens(() => actions.pay(session))
    expect(await placementsOf(auctionId)).toEqual([])
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'refund_due' }])
    await refund()
    expect(chargeOf(session)).toMatchObject({ refunded: true, amount_refunded: 1234 })
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'refunded' }])
    expect(await featured(serverId).catch(() => undefined)).not.toMatchObject({ isFeatured: true })
  })

  it('when its slot was inactive for all the days that were sold', async () => {
    const { id: slotId } = await addSlot(pool)
    const first = await winner({ slotId })
    const firstPage = await pageOf(first.who, first.auctionId)
    await happens(() => actions.pay(firstPage))
    const { who, auctionId } = await winner({ slotId })
    const session = await pageOf(who, auctionId)
    await happens(() => actions.pay(session)) // begins when the first ends
    await pool.query('update ad_slots set is_active = false where id = $1', [slotId])
    await pool.query(
      `update placements set starts_at = now() - interval '4 days', ends_at = now() - interval '1 second' where slot_id = $1`,
      [slotId],
    )
    await updatePlacements(api.deps)
    await sweepAuctions(api.deps)
    await refund()
    expect([chargeOf(firstPage).refunded, chargeOf(session).refunded]).toEqual([false, true])
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'refunded' }])
    expect(await offersOf(pool, first.auctionId)).toMatchObject([{ status: 'paid' }])
  })

  it('unless its payer has lost a dispute about a placement that was never shown', async () => {
    const { id: slotId } = await addSlot(pool)
    const first = await winner({ slotId })
    const firstPage = await pageOf(first.who, first.auctionId)
    await happens(() => actions.pay(firstPage))
    const { who, auctionId } = await winner({ slotId })
    const session = await pageOf(who, auctionId)
    await happens(() => actions.pay(session)) // begins when the first ends
    await happens(() => actions.dispute(chargeOf(session)))
    await pool.query(
      `update placements set starts_at = now() - interval '4 days', ends_at = now() - interval '1 second' where slot_id = $1`,
      [slotId],
    )
    await happens(() => actions.closeDispute(chargeOf(session), 'won'))
    await updatePlacements(api.deps)
    await sweepAuctions(api.deps)
    await refund()
    expect(chargeOf(session).refunded).toBe(false)
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'paid' }])
  })

  it('when its account is deleted before the server was shown', async () => {
    const { id: slotId } = await addSlot(pool)
    const [shown, waiting] = [await winner({ slotId }), await winner({ slotId })]
    const pages: Session[] = []
    for (const { who, auctionId } of [shown, waiting]) {
      const session = await pageOf(who, auctionId)
      await happens(() => actions.pay(session))
      pages.push(session)
    }
    for (const { who } of [shown, waiting]) await inTransaction(pool, (tx) => deleteAccount(tx, api.deps, who.id))
    await refund()
    expect(pages.map((page) => chargeOf(page).refunded)).toEqual([false, true])
  })

  it('when its account is deleted, however many placements were not shown', async () => {
    const { who, auctionId } = await winner()
    await happens(async () => actions.pay(await pageOf(who, auctionId)))
    // More of the same than a sweep refunds.
    const copy = (table: string, changes: string) =>
      pool.query(
        `insert into ${table}
         select (jsonb_populate_record(null::${table}, to_jsonb(original) || ${changes})).*
         from copies join ${table} as original on original.id = copies.${table}`,
      )
    await pool.query(
      `create table copies as
       select auction_offers.auction_id as auctions, bid_id as bids, auction_offers.id as auction_offers,
         placements.id as placements, page.id as payment_sessions, gen_random_uuid() as auction,
         gen_random_uuid() as bid, gen_random_uuid() as offer, 'pi_copy_' || n as payment
       from auction_offers join placements on offer_id = auction_offers.id
       join payment_sessions as page on reference = auction_offers.id::text
       cross join generate_series(1, 101) as n
       where auction_offers.auction_id = $1`,
      [auctionId],
    )
    await copy('auctions', `jsonb_build_object('id', auction, 'leading_bid_id', bid)`)
    await copy('bids', `jsonb_build_object('id', bid, 'auction_id', auction)`)
    await copy(
      'auction_offers',
      `jsonb_build_object('id', offer, 'auction_id', auction, 'bid_id', bid, 'payment_id', payment)`,
    )
    await copy('placements', `jsonb_build_object('id', gen_random_uuid(), 'offer_id', offer, 'unshown', true)`)
    await copy(
      'payment_sessions',
      `jsonb_build_object('id', gen_random_uuid(), 'reference', offer, 'payment_intent_id', payment,
         'session_id', 'cs_' || offer, 'idempotency_key', offer)`,
    )
    await inTransaction(pool, (tx) => deleteAccount(tx, api.deps, who.id))
    const { rowCount } = await pool.query(
      `delete from payment_refunds using payment_sessions
       where payment_sessions.id = payment_session_id and payment_intent_id like 'pi_copy_%'`,
    )
    expect(rowCount).toBe(101)
    await pool.query('drop table copies')
  })

  it('when the offer was paid on another page before, and leaves that one as it is', async () => {
    const { who, auctionId } = await winner()
    const first = await pageOf(who, auctionId)
    await pool.query(`update payment_sessions set status = 'expired' where session_id = $1`, [first.id])
    const second = await pageOf(who, auctionId)
    expect(second.id).not.toBe(first.id)
    await happens(() => actions.pay(second))
    await happens(() => actions.pay(first))
    await refund()
    expect([first, second].map((page) => chargeOf(page).refunded)).toEqual([true, false])
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'paid' }])
    expect(await placementsOf(auctionId)).toMatchObject([{ isEnded: false }])
  })
})

describe('a refund that could not be attempted', () => {
  it('says why: the provider can’t be reached, or what else went wrong', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    await pool.query('update ad_slots set is_active = false where id = (select slot_id from auctions where id = $1)', [
      auctionId,
    ])
    await happens(() => actions.pay(session))
    const { rows } = await pool.query<{ refundId: string }>(
      `select refund.id as "refundId" from payment_refunds as refund
       join payment_sessions on payment_sessions.id = payment_session_id where session_id = $1`,
      [session.id],
    )
    const [refund = { refundId: '' }] = rows
    const admin = await addPerson(pool, { isAdmin: true })
    const lastError = async () =>
      (await call(api, admin, 'GET', `/admin/auctions/${auctionId}`)).body.offers[0].refund.lastError
    const cutOff = { ...api.deps, settings: { ...api.deps.settings, STRIPE_API_BASE: 'http://127.0.0.1:1' } }
    await expect(createBillingWorker(cutOff).refund(refund)).rejects.toThrow()
    expect(await lastError()).toBe('the provider can’t be reached')
    session.payment_intent = null
    await expect(createBillingWorker(api.deps).refund(refund)).rejects.toThrow()
    expect(await lastError()).toBe(`nothing was charged in session ${session.id}`)
  })
})

describe('a refund that fails at the provider', () => {
  it('lets the placement go on, with the days that it was ended', async () => {
    const { who, serverId, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    await happens(() => actions.pay(session))
    await happens(() => actions.refund(chargeOf(session)))
    expect(await placementsOf(auctionId)).toMatchObject([{ isEnded: true, reason: 'refunded' }])
    await pool.query(
      `update placements set starts_at = starts_at - interval '3 days', ends_at = ends_at - interval '3 days',
         ended_at = ended_at - interval '2 days' where server_id = $1`,
      [serverId],
    )
    await happens(() => actions.failRefund(lastOf(state.refunds)))
    expect(await placementsOf(auctionId)).toEqual([{ serverId, isEnded: false, reason: null, days: 5 }])
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'paid' }])
    expect(await featured(serverId)).toMatchObject({ isFeatured: true })
  })
})

describe('a payment whose event is late', () => {
  it('is found at the provider before the offer goes to the next bidder', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    actions.pay(session) // no event is delivered
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, auctionId)).toMatchObject([{ userId: who.id, status: 'open' }])
    await happens(() => undefined)
    expect(await offersOf(pool, auctionId)).toMatchObject([{ userId: who.id, status: 'paid' }])
  })

  it('counts also if the auction is too old by then to be offered again', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    actions.pay(session)
    await endOffer(pool, auctionId)
    await endAMonthAgo(pool, auctionId)
    await sweepAuctions(api.deps) // reads the page
    await sweepAuctions(api.deps)
    await happens(() => undefined)
    expect(await offersOf(pool, auctionId)).toMatchObject([{ userId: who.id, status: 'paid' }])
  })
})

describe('an auction that is sold after a payment for it was refunded', () => {
  it('names the one who bought it, and that price', async () => {
    const [first, second] = [await addPerson(pool), await addPerson(pool)]
    await pool.query(`update users set username = case id when $1 then 'Ann' else 'Bob' end where id in ($1, $2)`, [
      first.id,
      second.id,
    ])
    const auctionId = await addAuction(pool)
    await bidOnce(api, second, auctionId, 500, await addServer(pool, { ownerId: second.id }))
    const hidden = await addServer(pool, { ownerId: first.id })
    await bidOnce(api, first, auctionId, 600, hidden)
    await endAuction(pool, auctionId)
    await closeAuction(api.deps, auctionId)
    const shown = async () => (await call(api, undefined, 'GET', `/auctions/${auctionId}`)).body
    expect(await shown()).toMatchObject({ leadingBidder: 'A***', winningBid: 600 })
    const page = await pageOf(first, auctionId)
    await pool.query('update servers set hidden_at = now() where id = $1', [hidden])
    await happens(() => actions.pay(page))
    await sweepAuctions(api.deps)
    const secondPage = await pageOf(second, auctionId)
    await happens(() => actions.pay(secondPage))
    expect(await shown()).toMatchObject({ currentBid: 600, leadingBidder: 'B***', winningBid: 500 })
  })
})

describe('a payment whose event was lost before no worker ran for days', () => {
  it('is found by the next sweeps, and starts the placement', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    actions.pay(session) // no event is delivered
    await pool.query(
      `update payment_sessions set created_at = now() - interval '5 days', expires_at = now() - interval '5 days' where session_id = $1`,
      [session.id],
    )
    await createBillingWorker(api.deps).sweep()
    await happens(() => undefined)
    expect(await placementsOf(auctionId)).toMatchObject([{ isEnded: false }])
  })
})

describe('placements of one slot', () => {
  /** @returns those of a slot, in their order */
  const spansOf = async (slotId: string) =>
    (
      await pool.query<{ serverId: string; startsAt: Date; endsAt: Date }>(
        `select server_id as "serverId", starts_at as "startsAt", ends_at as "endsAt" from placements
         where slot_id = $1 and ended_at is null order by starts_at`,
        [slotId],
      )
    ).rows

  it('do not overlap when a dispute is won after the slot was sold again', async () => {
    const { id: slotId } = await addSlot(pool)
    const first = await winner({ slotId })
    const page = await pageOf(first.who, first.auctionId)
    await happens(() => actions.pay(page))
    await happens(() => actions.dispute(chargeOf(page)))
    const second = await winner({ slotId })
    const secondPage = await pageOf(second.who, second.auctionId)
    await happens(() => actions.pay(secondPage))
    await happens(() => actions.closeDispute(chargeOf(page), 'won'))
    const [running, resumed] = await spansOf(slotId)
    expect([running?.serverId, resumed?.serverId]).toEqual([second.serverId, first.serverId])
    expect(resumed?.startsAt).toEqual(running?.endsAt)
  })

  it('do not overlap when a refund fails before the next one starts', async () => {
    const { id: slotId } = await addSlot(pool)
    const first = await winner({ slotId })
    const page = await pageOf(first.who, first.auctionId)
    await happens(() => actions.pay(page))
    const second = await winner({ slotId })
    const secondPage = await pageOf(second.who, second.auctionId)
    await happens(() => actions.pay(secondPage)) // starts when the first ends
    await happens(() => actions.refund(chargeOf(page)))
    await pool.query(
      `update placements set starts_at = starts_at - interval '2 days', ends_at = ends_at - interval '2 days',
         ended_at = ended_at - interval '1 day' where slot_id = $1`,
      [slotId],
    )
    await happens(() => actions.failRefund(lastOf(state.refunds)))
    const [next, resumed] = await spansOf(slotId)
    expect([next?.serverId, resumed?.serverId]).toEqual([second.serverId, first.serverId])
    expect(resumed?.startsAt).toEqual(next?.endsAt)
  })
})

describe('an account that is deleted after its placement was shown', () => {
  it('leaves the auction sold: no other bidder gets an offer', async () => {
    const { id: slotId } = await addSlot(pool)
    const other = await addPerson(pool)
    const { who, auctionId } = await winner({ slotId })
    await addLowerBid(auctionId, other.id)
    const page = await pageOf(who, auctionId)
    await happens(() => actions.pay(page))
    await inTransaction(pool, (tx) => deleteAccount(tx, api.deps, who.id))
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, auctionId)).toEqual([])
  })

  it('leaves no other bidder as the winner', async () => {
    const { id: slotId } = await addSlot(pool)
    const other = await addPerson(pool)
    const { who, auctionId } = await winner({ slotId })
    await addLowerBid(auctionId, other.id)
    const page = await pageOf(who, auctionId)
    await happens(() => actions.pay(page))
    const standing = async () => {
      const { body } = await call(api, other, 'GET', `/user/auctions?auctionId=${auctionId}`)
      return body.auctions[0]
    }
    expect(await standing()).toMatchObject({ isLeading: false, winningBid: 1234 })
    await inTransaction(pool, (tx) => deleteAccount(tx, api.deps, who.id))
    expect(await standing()).toMatchObject({ isLeading: false, leadingBidder: null, winningBid: null, ownBid: 1000 })
  })

  it.each(['before', 'after'])(
    'has no right to the money, also if a dispute that began %s the deletion is won',
    async (when) => {
      const { who, auctionId } = await winner()
      const page = await pageOf(who, auctionId)
      await happens(() => actions.pay(page))
      await updatePlacements(api.deps)
      const remove = () => inTransaction(pool, (tx) => deleteAccount(tx, api.deps, who.id))
      if (when === 'after') await remove()
      await happens(() => actions.dispute(chargeOf(page)))
      if (when === 'before') await remove()
      await happens(() => actions.closeDispute(chargeOf(page), 'won'))
      const { rows } = await pool.query(
        `select page.status, refund.id as "refundId" from payment_sessions as page
       left join payment_refunds as refund on payment_session_id = page.id where session_id = $1`,
        [page.id],
      )
      expect([chargeOf(page).refunded, rows]).toEqual([false, [{ status: 'paid', refundId: null }]])
    },
  )

  it('is refunded again if a refund of a placement that was never shown fails', async () => {
    const { id: slotId } = await addSlot(pool)
    const first = await winner({ slotId })
    const firstPage = await pageOf(first.who, first.auctionId)
    await happens(() => actions.pay(firstPage))
    const { who, auctionId } = await winner({ slotId })
    const page = await pageOf(who, auctionId)
    await happens(() => actions.pay(page)) // starts when the first ends
    await happens(() => actions.refund(chargeOf(page)))
    await inTransaction(pool, (tx) => deleteAccount(tx, api.deps, who.id))
    await happens(() => actions.failRefund(lastOf(state.refunds)))
    const { rows } = await pool.query(
      'select refund.status from payment_refunds as refund join payment_sessions as page on page.id = payment_session_id where session_id = $1',
      [page.id],
    )
    expect(rows).toEqual([{ status: 'due' }])
  })

  it('is refunded a second payment of the auction, which bought nothing', async () => {
    const { who, auctionId } = await winner()
    const second = await pageOf(who, auctionId)
    await pool.query(`update payment_sessions set status = 'expired' where session_id = $1`, [second.id])
    const page = await pageOf(who, auctionId)
    await happens(() => actions.pay(page))
    await inTransaction(pool, (tx) => deleteAccount(tx, api.deps, who.id))
    await happens(() => actions.pay(second))
    const { rows } = await pool.query<{ sessionId: string }>(
      `select session_id as "sessionId" from payment_refunds join payment_sessions as page on page.id = payment_session_id
       where session_id = any($1)`,
      [[page.id, second.id]],
    )
    expect(rows).toEqual([{ sessionId: second.id }])
  })

  it('leaves a placement to the server’s new owner, and takes along one of its own server', async () => {
    const { who, serverId, auctionId } = await winner()
    const page = await pageOf(who, auctionId)
    await happens(() => actions.pay(page))
    const own = await winner()
    const ownPage = await pageOf(own.who, own.auctionId)
    await happens(() => actions.pay(ownPage))
    await pool.query('update servers set owner_id = $2 where id = $1', [serverId, (await addPerson(pool)).id])
    for (const { id } of [who, own.who]) await inTransaction(pool, (tx) => deleteAccount(tx, api.deps, id))
    await updatePlacements(api.deps)
    expect(await featured(serverId)).toMatchObject({ isFeatured: true, placement: { serverId } })
    expect(await featured(own.serverId)).toEqual({ isFeatured: false, placement: null })
  })
})

describe('a payment whose job was lost', () => {
  it('ends the placement by the next sweep if it was refunded', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    await happens(() => actions.pay(session))
    await pool.query(
      `update payment_sessions set status = 'refunded', updated_at = now() - interval '11 minutes' where session_id = $1`,
      [session.id],
    )
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'refunded' }])
    expect(await placementsOf(auctionId)).toMatchObject([{ isEnded: true, reason: 'refunded' }])
  })

  it('starts the placement by the next sweep', async () => {
    const { who, auctionId } = await winner()
    const session = await pageOf(who, auctionId)
    const before = state.events.length
    actions.pay(session)
    for (const { event } of state.events.slice(before)) await deliver(api, event)
    await applyEvents(api.deps)
    await pool.query(`delete from pgboss.job where name = 'payment-settled'`)
    await sweepAuctions(api.deps)
    expect(await placementsOf(auctionId)).toEqual([])
    await pool.query(`update payment_sessions set updated_at = now() - interval '11 minutes' where session_id = $1`, [
      session.id,
    ])
    await sweepAuctions(api.deps)
    expect(await placementsOf(auctionId)).toHaveLength(1)
  })
})

describe('a bank debit', () => {
  it('that fails after days frees the offer for another page', async () => {
    const { who, auctionId } = await winner()
    const debited = await pageOf(who, auctionId)
    await happens(() => actions.payByDebit(debited))
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'open' }])
    expect(await checkout(who, auctionId)).toMatchObject({ status: 400, body: { error: 'already_paid' } })
    await happens(() => actions.failLate(debited))
    const next = await pageOf(who, auctionId)
    expect(next.id).not.toBe(debited.id)
    await happens(() => actions.pay(next))
    expect(await placementsOf(auctionId)).toHaveLength(1)
  })

  it('that succeeds after days pays for the offer, whose time was over meanwhile', async () => {
    const { id: slotId } = await addSlot(pool)
    const next = await addPerson(pool)
    const { who, auctionId } = await winner({ slotId })
    await addLowerBid(auctionId, next.id)
    const debited = await pageOf(who, auctionId)
    await happens(() => actions.payByDebit(debited))
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, auctionId)).toMatchObject([{ userId: who.id, status: 'open' }])
    await pool.query(`update payment_sessions set expires_at = now() - interval '4 days' where session_id = $1`, [
      debited.id,
    ])
    await createBillingWorker(api.deps).sweep()
    await sweepAuctions(api.deps)
    await happens(() => actions.payLate(debited))
    expect(await offersOf(pool, auctionId)).toMatchObject([{ userId: who.id, status: 'paid' }])
    expect(await placementsOf(auctionId)).toHaveLength(1)
  })
})

describe('a report of a payment', () => {
  it('of an unknown offer, or of an expired page, changes nothing', async () => {
    const who = await addPerson(pool)
    const auctionId = await addWonAuction(pool, who.id, await addServer(pool, { ownerId: who.id }))
    for (const reference of ['nothing', auctionId])
      await applyPayment(api.deps, { reference, status: 'paid', paymentId: 'pi_1', sessionId: 'cs_1' })
    const [offer] = await offersOf(pool, auctionId)
    await applyPayment(api.deps, { reference: offer?.id ?? '', status: 'expired', paymentId: null, sessionId: 'cs_1' })
    expect(await offersOf(pool, auctionId)).toMatchObject([{ status: 'open' }])
    expect(await placementsOf(auctionId)).toEqual([])
  })
})

it('payments that may have changed are found by an index', async () => {
  const statements: [text: string, values: unknown[]][] = []
  const recorder = {
    async query(text: string, values: unknown[]) {
      statements.push([text, values])
      return { rows: [] }
    },
  } as unknown as Db
  await findUnsettledPayments(recorder)
  await findPaymentsToRead(recorder, 1)
  expect(statements).toHaveLength(2)
  await inTransaction(pool, async (tx) => {
    await tx.query('set local enable_seqscan = off') // the tables are small
    for (const [text, values] of statements) {
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      expect(rows.map((line) => line['QUERY PLAN']).join('\n')).toContain('payment_sessions_settled_idx')
    }
  })
})
