// Checkout, auctions and placements.
import { expect } from 'vitest'
import {
  type Auction,
  auctionOf,
  bid,
  newAuction,
  newSlot,
  order,
  type Placement,
  placementsAt,
  press,
  readPayPage,
  subscribe,
  subscriptionOf,
  theAdvertised,
  untilCompleted,
} from '../money.ts'
import { createServer, detailOf, elsewhere, newVisitor, operator, register, WAIT_OPTIONS } from '../product.ts'
import { ROWS } from '../rows.ts'
import { expectFields, onceNeeded, section } from '../section.ts'

section('checkout session', {
  sessionId: [
    'is the session at the payment provider: the same for the same order, and different for other users',
    async () => {
      const [person, other] = [await register(), await register()]
      const { sessionId, url } = await order(person, 'standard')
      expect(new URL(url).pathname).toBe(`/pay/${sessionId}`)
      expect(await order(person, 'standard')).toEqual({ sessionId, url })
      expect((await order(other, 'standard')).sessionId).not.toBe(sessionId)
      expect((await order(person, 'premium')).sessionId).not.toBe(sessionId)
      expect(await readPayPage(url)).toContain('This page has expired') // so that it can't be paid as well
    },
  ],
  url: [
    'is the payment page: a declined card changes nothing, a charged one gives the tier',
    async () => {
      const person = await register()
      const { url } = await order(person, 'premium')
      expect(await readPayPage(url)).toMatch(/15\.00 USD a month/)
      await press(url, 'fail')
      expect(await subscriptionOf(person)).toMatchObject({ tier: 'free', status: 'none' })
      expect(await press(url, 'pay')).toMatch(/\/payment\?checkout=success&session_id=cs_test_\w+$/)
      await expect
        .poll(() => subscriptionOf(person), WAIT_OPTIONS)
        .toMatchObject({ tier: 'premium', status: 'active', cancelAtPeriodEnd: false })
      expect(await readPayPage(url)).toContain('This is paid')
    },
  ],
})

const idsOf = async (query: string) => {
  const { status, body } = await newVisitor().get<{ auctions: Auction[] }>(`/api/auctions${query}`)
  expect(status).toBe(200)
  return body.auctions.map(({ id }) => id)
}

/** One auction of each status, with a bid. */
const theAuctions = onceNeeded(async () => {
  const person = await register()
  const [active, canceled] = [await newAuction(), await newAuction()]
  const completed = await newAuction({}, { seconds: 3 })
  for (const { id } of [completed, active, canceled]) expect((await bid(person, id, 500)).status).toBe(201)
  const change = await elsewhere(operator).patch(`/api/admin/auctions/${canceled.id}`, { status: 'canceled' })
  expect(change.status).toBe(200)
  await untilCompleted(completed.id)
  return { person, active, completed, canceled }
})

section('auction status', {
  active: [
    'lasts until its end: bids are accepted',
    async () => {
      const auction = await newAuction()
      expect(await auctionOf(auction.id)).toMatchObject({ status: 'active', currentBid: null, bidCount: 0 })
      expect((await bid(await register(), auction.id, 500)).status).toBe(201)
      expect(await auctionOf(auction.id)).toMatchObject({ status: 'active', currentBid: 500, bidCount: 1 })
    },
  ],
  completed: [
    'begins at its end, without a request: bids are refused, and the highest bidder may pay',
    async () => {
      const { completed, person } = await theAuctions()
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(completed.endsAt))
      expect(await auctionOf(completed.id)).toMatchObject({ status: 'completed', endsAt: completed.endsAt })
      const late = await bid(await register(), completed.id, 9_000)
      expect(late).toMatchObject({ status: 400, body: { error: 'auction_closed' } })
      expect(await auctionOf(completed.id)).toMatchObject({ currentBid: 500, bidCount: 1 })
      const serverId = (await createServer(person)).server.id
      const paying = await person.client.post(`/api/auctions/${completed.id}/checkout`, { serverId })
      expect(paying).toMatchObject({ status: 200, body: { url: expect.any(String) } })
    },
  ],
  canceled: [
    'is set by an administrator: bids are refused, no bidder pays, and it is final',
    async () => {
      const { canceled, person } = await theAuctions()
      expect(await auctionOf(canceled.id)).toMatchObject({ status: 'canceled', winnerServerId: null })
      const late = await bid(await register(), canceled.id, 9_000)
      expect(late).toMatchObject({ status: 400, body: { error: 'auction_closed' } })
      const serverId = (await createServer(person)).server.id
      const paying = await person.client.post(`/api/auctions/${canceled.id}/checkout`, { serverId })
      expect(paying).toMatchObject({ status: 400, body: { error: 'not_the_winner' } })
      const again = await elsewhere(operator).patch(`/api/admin/auctions/${canceled.id}`, { status: 'canceled' })
      expect(again).toMatchObject({ status: 400, body: { error: 'auction_closed' } })
    },
  ],
})

section('billing and auctions', {
  'POST /api/billing/checkout': [
    'answers a checkout session for standard, premium or enterprise; once paid, all keys have the tier’s limit',
    async () => {
      const person = await register()
      for (const tier of ['standard', 'premium', 'enterprise'])
        expectFields(await order(person, tier), ROWS['checkout session'])
      for (const tier of ['free', 'gold', undefined])
        expect((await person.client.post('/api/billing/checkout', { tier })).status).toBe(400)
      expect((await newVisitor().post('/api/billing/checkout', { tier: 'premium' })).status).toBe(401)

      const created = await person.client.post('/api/user/api-keys', { name: 'Panel' })
      expect(created.body).toMatchObject({ tier: 'free', rateLimit: 10 })
      await subscribe(person, 'enterprise')
      const { body } = await person.client.get('/api/user/api-keys')
      expect(body).toMatchObject({ apiKeys: [{ id: created.body.id, tier: 'enterprise', rateLimit: 10_000 }] })
    },
  ],
  'GET /api/auctions status': [
    'lists auctions of that status, of all by default, and refuses any other value',
    async () => {
      const { active, completed, canceled } = await theAuctions()
      const all = [active.id, completed.id, canceled.id]
      for (const { id, status } of [active, { ...completed, status: 'completed' }, { ...canceled, status: 'canceled' }])
        expect((await idsOf(`?status=${status}`)).filter((one) => all.includes(one))).toEqual([id])
      expect(await idsOf('')).toEqual(expect.arrayContaining(all))
      expect((await newVisitor().get('/api/auctions?status=cancelled')).status).toBe(400)
    },
  ],
  'GET /api/auctions tier': [
    'lists auctions of slots of that tier, also combined with a status, and refuses any other value',
    async () => {
      const auctions: Record<string, string> = {}
      for (const tier of ['standard', 'premium', 'enterprise'])
        auctions[tier] = (await newAuction({}, { slot: await newSlot({ tier }) })).id
      const all = Object.values(auctions)
      for (const [tier, id] of Object.entries(auctions)) {
        expect((await idsOf(`?tier=${tier}`)).filter((one) => all.includes(one))).toEqual([id])
        expect((await idsOf(`?tier=${tier}&status=active`)).filter((one) => all.includes(one))).toEqual([id])
        expect(await idsOf(`?tier=${tier}&status=canceled`)).not.toContain(id)
      }
      expect((await newVisitor().get('/api/auctions?tier=free')).status).toBe(400)
    },
  ],
  'POST /api/auctions/:id/bid': [
    'takes a whole number of cents above the highest bid, from any logged-in user',
    async () => {
      const [{ id }, first, second] = [await newAuction(), await register(), await register()]
      const placed = await bid(first, id, 500)
      expect(placed).toMatchObject({
        status: 201,
        body: { bid: { auctionId: id, bidAmount: 500 }, auction: { id, currentBid: 500, bidCount: 1 } },
      })
      expect(await bid(second, id, 500)).toMatchObject({
        status: 400,
        body: { error: 'bid_too_low', currentBid: 500, minimumBid: 600 },
      })
      expect(await bid(first, id, 700)).toMatchObject({ status: 400, body: { error: 'own_lead' } })
      for (const amount of [600.5, '600', -600, undefined])
        expect(await bid(second, id, amount)).toMatchObject({ status: 400, body: { error: 'validation_failed' } })
      expect((await bid(second, id, 600)).status).toBe(201)
      const bids = [{ bidAmount: 600 }, { bidAmount: 500 }]
      expect(await auctionOf(id)).toMatchObject({ currentBid: 600, bidCount: 2, bids })
      expect((await newVisitor().post(`/api/auctions/${id}/bid`, { bidAmount: 900 })).status).toBe(401)
    },
  ],
  'GET /api/billing/checkout/:sessionId': [
    'answers the state of one’s own checkout session',
    async () => {
      const [person, other] = [await register(), await register()]
      const { sessionId, url } = await order(person, 'standard')
      const path = `/api/billing/checkout/${sessionId}`
      expect(await person.client.get(path)).toMatchObject({ status: 200, body: { status: 'open' } })
      await press(url, 'pay')
      await expect
        .poll(async () => (await person.client.get(path)).body, WAIT_OPTIONS)
        .toEqual({ status: 'paid', isProcessing: false })
      expect((await other.client.get(path)).status).toBe(404)
      expect((await newVisitor().get(path)).status).toBe(401)
    },
  ],
  'GET /api/user/auctions': [
    'lists auctions the user bid on, with the own bid, whether it leads, and the offer to pay',
    async () => {
      const { completed, person } = await theAuctions()
      const [{ id }, rival] = [await newAuction(), await register()]
      expect((await bid(person, id, 500)).status).toBe(201)
      expect((await bid(rival, id, 600)).status).toBe(201)
      const own = async (query: string) => (await person.client.get(`/api/user/auctions?auctionId=${query}`)).body
      expect(await own(id)).toMatchObject({ auctions: [{ id, ownBid: 500, isLeading: false, offer: null }] })
      await expect
        .poll(() => own(completed.id), WAIT_OPTIONS)
        .toMatchObject({
          auctions: [{ ownBid: 500, isLeading: true, offer: { amount: 500, status: 'open' }, currency: 'USD' }],
          pagination: { total: 1 },
        })
      expect((await newVisitor().get('/api/user/auctions')).status).toBe(401)
    },
  ],
  'bids are voided': [
    'by an administrator: the highest bid that remains valid leads',
    async () => {
      const [{ id }, first, second] = [await newAuction(), await register(), await register()]
      expect((await bid(first, id, 500)).status).toBe(201)
      const { body } = await second.client.post<{ bid: { id: string } }>(`/api/auctions/${id}/bid`, { bidAmount: 900 })
      const path = `/api/admin/auctions/${id}/bids/${body.bid.id}/void`
      expect((await second.client.post(path)).status).toBe(403)
      const reason = { reason: 'The bidder asked for it.' }
      expect((await elsewhere(operator).post(path, reason)).status).toBe(200)
      expect((await elsewhere(operator).get(`/api/admin/auctions/${id}`)).body).toMatchObject({ currentBid: 500 })
      expect(await auctionOf(id)).toMatchObject({ currentBid: 500 })
    },
  ],
})

const DAY_MS = 86_400_000
const PLACEMENT = ['id', 'location', 'tier', 'serverId', 'title', 'imageUrl', 'linkUrl', 'startsAt', 'endsAt']

section('ad placements', {
  'GET /api/ad-placements': [
    'shows what was won and paid for, until it ends, with the server’s name, banner and website',
    async () => {
      const { id, owner, slot, paidBetween } = await theAdvertised()
      const { status, body } = await newVisitor().get<{ placements: Placement[] }>('/api/ad-placements')
      expect(status).toBe(200)
      const placement = body.placements.find(({ location }) => location === slot.location)
      expectFields(placement, PLACEMENT)
      expect(placement).toMatchObject({ tier: 'enterprise', serverId: id, title: 'The advertised isle', imageUrl: '' })
      expect(new URL(String(placement?.linkUrl)).pathname).toMatch(new RegExp(`/servers/${id}$`))
      const [startsAt, endsAt] = [placement?.startsAt, placement?.endsAt].map((at) => Date.parse(String(at)))
      expect(startsAt).toBeGreaterThanOrEqual(paidBetween[0])
      expect(startsAt).toBeLessThanOrEqual(paidBetween[1])
      expect((endsAt ?? 0) - (startsAt ?? 0)).toBe(3 * DAY_MS)

      const look = { bannerUrl: 'https://example.com/isle.png', website: 'https://isle.example.com/' }
      await owner.client.patch(`/api/servers/${id}`, look)
      expect(await placementsAt(slot.location)).toMatchObject([{ imageUrl: look.bannerUrl, linkUrl: look.website }])
      expect((await detailOf(id)).website).toBe(look.website)
    },
  ],
  'GET /api/ad-placements/:location': [
    'shows the placements at one location, none at an unsold one, and 404 for an unknown one',
    async () => {
      const { id, slot } = await theAdvertised()
      const [placement, ...more] = await placementsAt(slot.location)
      expect(more).toEqual([])
      expect(placement).toMatchObject({ location: slot.location, serverId: id })
      expect(await placementsAt((await newSlot()).location)).toEqual([])
      expect((await newVisitor().get('/api/ad-placements/nowhere')).status).toBe(404)
      const off = await elsewhere(operator).patch(`/api/admin/ad-slots/${slot.id}`, { isActive: false })
      expect(off.status).toBe(200)
      expect(await placementsAt(slot.location)).toEqual([])
      await elsewhere(operator).patch(`/api/admin/ad-slots/${slot.id}`, { isActive: true })
      expect(await placementsAt(slot.location)).toHaveLength(1)
    },
  ],
})
