// The rules of a bid, through the API: amounts, times, servers, who leads, who is notified, and the soft close.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { closeAuction } from '../../../src/features/auctions/index.ts'
import { handleNotice, type Notice, notify, writeDigest } from '../../../src/features/notifications/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, addSlot, addWonAuction, endAuction } from '../../support/auctions.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { addServer } from '../votes/support.ts'
import { bidOnce, call, closesAt, newsOf } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const anna = await addPerson(pool)
const bert = await addPerson(pool)
const bid = (auctionId: string, body: unknown, who = anna) => call(api, who, 'POST', `/auctions/${auctionId}/bid`, body)

const endsAtOf = async (id: string) =>
  (await pool.query<{ endsAt: Date }>('select ends_at as "endsAt" from auctions where id = $1', [id])).rows[0]?.endsAt

describe('a bid', () => {
  it('of the minimum amount leads; bidders are masked', async () => {
    const id = await addAuction(pool, { startingBid: 500 })
    const answer = await bid(id, { bidAmount: 500 })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        bid: { auctionId: id, bidAmount: 500, serverId: null },
        auction: { id, status: 'active', currentBid: 500, bidCount: 1, leadingBidder: 'S***', winnerServerId: null },
      },
    })
    const detail = await call(api, undefined, 'GET', `/auctions/${id}`)
    expect(detail.body.bids).toEqual([
      { id: answer.body.bid.id, bidAmount: 500, bidder: 'S***', placedAt: answer.body.bid.placedAt },
    ])
  })

  it('below the starting bid or the increment is refused with the minimum', async () => {
    const id = await addAuction(pool, { startingBid: 500, minimumIncrement: 100 })
    expect(await bid(id, { bidAmount: 499 })).toMatchObject({
      status: 400,
      body: { error: 'bid_too_low', currentBid: null, minimumBid: 500 },
    })
    await bidOnce(api, anna, id, 700)
    for (const bidAmount of [1, 700, 799])
      expect(await bid(id, { bidAmount }, bert)).toMatchObject({
        status: 400,
        body: { error: 'bid_too_low', currentBid: 700, minimumBid: 800 },
      })
    expect(await bid(id, { bidAmount: 800 }, bert)).toMatchObject({ status: 201 })
  })

  it.each([0, -1, 500.5, '600', null, 1e9, Number.MAX_SAFE_INTEGER + 1])(
    'of %j is not a valid amount',
    async (bidAmount) => {
      const id = await addAuction(pool)
      const answer = await bid(id, { bidAmount })
      expect(answer).toMatchObject({ status: 400, body: { error: 'validation_failed' } })
      expect(answer.body.details[0]).toMatchObject({ path: 'body.bidAmount' })
    },
  )

  it('is never above the bound: the highest possible bid can be paid and not be outbid', async () => {
    const id = await addAuction(pool, { startingBid: 1_000_000 })
    await bidOnce(api, anna, id, 10_000_000)
    expect(await bid(id, { bidAmount: 10_000_000 }, bert)).toMatchObject({
      status: 400,
      body: { error: 'bid_too_low' },
    })
    expect(await bid(id, { bidAmount: 10_000_001 }, bert)).toMatchObject({
      status: 400,
      body: { error: 'validation_failed' },
    })
  })

  it('over one’s own leading bid is refused', async () => {
    const id = await addAuction(pool)
    await bidOnce(api, anna, id, 500)
    expect(await bid(id, { bidAmount: 9000 })).toMatchObject({ status: 400, body: { error: 'own_lead' } })
    await bidOnce(api, bert, id, 600)
    await bidOnce(api, anna, id, 700)
  })

  it('needs a user and an existing auction', async () => {
    const id = await addAuction(pool)
    expect(await call(api, undefined, 'POST', `/auctions/${id}/bid`, { bidAmount: 500 })).toMatchObject({ status: 401 })
    for (const unknown of ['019a0000-0000-7000-8000-000000000000', 'nothing']) {
      expect(await bid(unknown, { bidAmount: 500 })).toMatchObject({ status: 404, body: { error: 'not_found' } })
      expect(await call(api, undefined, 'GET', `/auctions/${unknown}`)).toMatchObject({ status: 404 })
    }
  })

  it('names a listed server of the bidder, or none', async () => {
    const id = await addAuction(pool)
    const own = await addServer(pool, { ownerId: anna.id })
    const removed = await addServer(pool, { ownerId: anna.id })
    await pool.query('update servers set deleted_at = now() where id = $1', [removed])
    const others = await addServer(pool, { ownerId: bert.id })
    for (const serverId of [others, removed, 'nothing']) {
      const answer = await bid(id, { bidAmount: 500, serverId })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.serverId' }] } })
    }
    expect((await bidOnce(api, anna, id, 500, own.toUpperCase())).bid.serverId).toBe(own)
  })

  it('in an inactive slot is refused', async () => {
    const { id: slotId } = await addSlot(pool, { isActive: false })
    const id = await addAuction(pool, { slotId })
    expect(await bid(id, { bidAmount: 500 })).toMatchObject({ status: 400, body: { error: 'slot_inactive' } })
  })

  it('notifies the user who led, and no other', async () => {
    const id = await addAuction(pool)
    await bidOnce(api, anna, id, 500)
    expect(await newsOf(pool, id)).toEqual([])
    await bidOnce(api, bert, id, 650)
    await bid(id, { bidAmount: 651 })
    expect(await newsOf(pool, id)).toEqual([
      {
        event: 'auctionOutbid',
        at: expect.any(String),
        userId: anna.id,
        data: { auctionId: id, title: 'A week at the top', currentBid: 650, currency: 'USD' },
      },
    ])
  })

  it('that is voided notifies the user who leads again, as news of its own', async () => {
    const [before, admin] = [await addPerson(pool), await addPerson(pool, { isAdmin: true })]
    await call(api, before, 'PATCH', '/user/notification-preferences', { events: { auctionOutbid: false } })
    const id = await addAuction(pool)
    await bidOnce(api, before, id, 500)
    const { bid: higher } = await bidOnce(api, anna, id, 650)
    const path = `/admin/auctions/${id}/bids/${higher.id}/void`
    expect((await call(api, admin, 'POST', path, { reason: 'never meant' })).status).toBe(200)
    const [outbid, regained] = (await newsOf(pool, id)) as Notice[]
    expect([outbid, regained]).toMatchObject([
      { event: 'auctionOutbid', userId: before.id },
      {
        event: 'auctionLeadRegained',
        userId: before.id,
        data: { auctionId: id, title: 'A week at the top', currentBid: 500, currency: 'USD' },
      },
    ])
    for (const notice of [outbid, regained]) await handleNotice(api.deps, notify.payload.parse(notice), randomUUID())
    expect((await call(api, before, 'GET', '/user/notifications')).body.notifications).toMatchObject([
      {
        event: 'auctionLeadRegained',
        title: 'You lead an auction again',
        message: 'A higher bid on A week at the top no longer counts. You lead with 5.00 USD.',
        count: 1,
      },
    ])
  })

  it('of a user who was outbid leaves nothing to report, and neither does a payment of a user who won', async () => {
    const person = await addPerson(pool)
    const waits = async () => (await writeDigest(api.deps, { userId: person.id }))?.text.split('\n\n')[0]
    const handle = async (auctionId: string) => {
      for (const notice of await newsOf(pool, auctionId))
        await handleNotice(api.deps, notify.payload.parse(notice), randomUUID())
    }
    const id = await addAuction(pool)
    await bidOnce(api, person, id, 500)
    await bidOnce(api, anna, id, 650)
    await handle(id)
    expect(await waits()).toBe('You were outbid on A week at the top. The highest bid is now 6.50 USD.')
    await bidOnce(api, person, id, 800)
    expect(await waits()).toBe(undefined)

    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    await handle(id)
    expect(await waits()).toMatch(/^You won A week at the top for 8\.00 USD\. Pay by [^\n]+$/)
    await pool.query(`update auction_offers set status = 'paid' where auction_id = $1`, [id])
    expect(await waits()).toBe(undefined)
  })

  it('that waited for another bid knows who leads now', async () => {
    const id = await addAuction(pool)
    await bidOnce(api, bert, id, 500)
    const first = await pool.connect()
    await first.query('begin')
    await first.query('select from auctions where id = $1 for update', [id])
    const waiting = bid(id, { bidAmount: 5000 })
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    // Meanwhile the same bidder bids through another connection.
    await first.query(
      `with bid as (insert into bids (id, auction_id, user_id, amount, placed_at) values (gen_random_uuid(), $1, $2, 700, now()) returning id)
       update auctions set current_bid = 700, bid_count = 2, leading_bid_id = (select id from bid) where id = $1`,
      [id, anna.id],
    )
    await first.query('commit')
    first.release()
    expect(await waiting).toMatchObject({ status: 400, body: { error: 'own_lead' } })
  })
})

describe('when it may be placed', () => {
  it('is not before the start, not from the end on, and not after a cancellation', async () => {
    const early = await addAuction(pool, { startsIn: 60 })
    const late = await addAuction(pool, { startsIn: -120, endsIn: -0.01 })
    const off = await addAuction(pool)
    await pool.query(`update auctions set status = 'canceled' where id = $1`, [off])
    expect(await bid(early, { bidAmount: 500 })).toMatchObject({ status: 400, body: { error: 'auction_not_started' } })
    expect(await bid(late, { bidAmount: 500 })).toMatchObject({ status: 400, body: { error: 'auction_closed' } })
    expect(await bid(off, { bidAmount: 500 })).toMatchObject({ status: 400, body: { error: 'auction_closed' } })
  })

  it('is decided by the database’s clock once the lock is held: a bid that waits past the end is too late', async () => {
    const id = await addAuction(pool, { endsIn: 1.5 })
    const first = await pool.connect()
    await first.query('begin')
    await first.query('select from auctions where id = $1 for update', [id])
    const waiting = bid(id, { bidAmount: 500 })
    await expect
      .poll(
        async () =>
          (await pool.query('select clock_timestamp() >= ends_at as over from auctions where id = $1', [id])).rows[0]
            .over,
      )
      .toBe(true)
    await first.query('commit')
    first.release()
    expect(await waiting).toMatchObject({ status: 400, body: { error: 'auction_closed' } })
  })

  it('lasts until the end: of many bids in the last second, exactly those before it are accepted', async () => {
    const id = await addAuction(pool, { endsIn: 1, minimumIncrement: 1 })
    const endsAt = await endsAtOf(id)
    const answers = await Promise.all(
      [anna, bert].map(async (who, lane) => {
        const statuses: string[] = []
        for (let amount = 500 + lane; statuses.at(-1) !== 'auction_closed'; amount += 2) {
          const { status, body } = await bid(id, { bidAmount: amount }, who)
          statuses.push(status === 201 ? 'accepted' : body.error)
        }
        return statuses
      }),
    )
    const { rows } = await pool.query<{ placedAt: Date }>(
      'select placed_at as "placedAt" from bids where auction_id = $1',
      [id],
    )
    expect(rows).toHaveLength(answers.flat().filter((answer) => answer === 'accepted').length)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ placedAt }) => endsAt && placedAt < endsAt)).toBe(true)
    expect(await call(api, undefined, 'GET', `/auctions/${id}`)).toMatchObject({ body: { status: 'completed' } })
  })
})

describe('the soft close', () => {
  it('is off by default: a bid at the end moves nothing', async () => {
    const id = await addAuction(pool, { endsIn: 20 })
    const before = await endsAtOf(id)
    await bidOnce(api, anna, id, 500)
    expect(await endsAtOf(id)).toEqual(before)
    expect(await closesAt(pool, id)).toEqual([])
  })

  it('moves the end and the close job after a bid in the last seconds, not after an earlier one', async () => {
    const id = await addAuction(pool, { endsIn: 3600, softCloseSeconds: 120 })
    const before = await endsAtOf(id)
    await bidOnce(api, anna, id, 500)
    expect(await endsAtOf(id)).toEqual(before)
    await pool.query(`update auctions set ends_at = clock_timestamp() + interval '30 seconds' where id = $1`, [id])
    const { bid: placed, auction } = await bidOnce(api, bert, id, 600)
    expect(Date.parse(auction.endsAt) - Date.parse(placed.placedAt)).toBe(120_000)
    expect(await closesAt(pool, id)).toEqual([auction.endsAt])
  })
})

describe('64 concurrent bids', () => {
  it('rise strictly, and each that was answered with 201 is in the history', async () => {
    const id = await addAuction(pool, { startingBid: 100, minimumIncrement: 1 })
    const people = await Promise.all(Array.from({ length: 64 }, () => addPerson(pool)))
    const answers = await Promise.all(people.map((who, place) => bid(id, { bidAmount: 100 + (place % 16) }, who)))
    const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => body.bid.bidAmount as number)
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => body.error)
    expect([...new Set(refused)]).toEqual(['bid_too_low'])
    const { body } = await call(api, undefined, 'GET', `/auctions/${id}`)
    const history = (body.bids as { bidAmount: number; placedAt: string }[]).toReversed()
    expect(history.map(({ bidAmount }) => bidAmount)).toEqual([...new Set(accepted)].sort((a, b) => a - b))
    expect(history.map(({ placedAt }) => placedAt)).toEqual(history.map(({ placedAt }) => placedAt).sort())
    expect(body).toMatchObject({ currentBid: 115, bidCount: accepted.length })
  })
})

describe('the auctions that a user bid on', () => {
  const own = async (who: Person, query = '') => (await call(api, who, 'GET', `/user/auctions${query}`)).body
  const newcomer = () => addPerson(pool)

  it('have the own highest bid, whether it leads, and no others', async () => {
    const [who, other] = [await newcomer(), await newcomer()]
    const [first, second] = [await addAuction(pool), await addAuction(pool, { endsIn: 7200 })]
    await bidOnce(api, who, first, 500)
    await bidOnce(api, other, first, 600)
    await bidOnce(api, who, second, 500)
    const { auctions, pagination } = await own(who)
    expect(auctions).toMatchObject([
      { id: first, ownBid: 500, currentBid: 600, isLeading: false, offer: null, currency: 'USD', placementDays: 7 },
      { id: second, ownBid: 500, isLeading: true, offer: null },
    ])
    expect(pagination.total).toBe(2)
    expect((await own(who, `?auctionId=${second}`)).auctions).toMatchObject([{ id: second }])
    expect((await own(other, `?auctionId=${second}`)).auctions).toEqual([])
    await pool.query(
      `update bids set invalid_at = now(), invalid_reason = 'voided' where auction_id = $1 and user_id = $2`,
      [first, who.id],
    )
    expect((await own(who, `?auctionId=${first}`)).auctions).toMatchObject([{ ownBid: null, isLeading: false }])
    await pool.query(`update auctions set status = 'canceled' where id = $1`, [second])
    expect((await own(who, `?auctionId=${second}`)).auctions).toMatchObject([{ ownBid: 500, isLeading: false }])
  })

  it('have the user’s own offer to pay only', async () => {
    const [who, other] = [await newcomer(), await newcomer()]
    const serverId = await addServer(pool, { ownerId: who.id })
    const id = await addWonAuction(pool, who.id, serverId, 1200)
    expect((await own(who)).auctions).toMatchObject([
      { id, isLeading: true, offer: { amount: 1200, serverId, status: 'open', expiresAt: expect.any(String) } },
    ])
    expect((await own(other)).auctions).toEqual([])
  })
})
