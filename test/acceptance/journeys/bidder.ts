// A bidder is outbid, bids again, wins, pays and is featured; the loser is notified.
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { type LoopbackRequest, startLoopbackServer } from '../../support/loopback-server.ts'
import {
  auctionOf,
  bid,
  type CheckoutSession,
  newAuction,
  newSlot,
  type Placement,
  placementsAt,
  press,
  readPayPage,
  untilCompleted,
} from '../money.ts'
import { newListing, newsOf, newVisitor, type Person, WAIT_OPTIONS } from '../product.ts'

const DAY_MS = 86_400_000

async function isFeatured(serverId: string): Promise<{ own: boolean; listed: boolean; shown: unknown }> {
  const visitor = newVisitor()
  const own = await visitor.get<{ isFeatured: boolean }>(`/api/servers/${serverId}/featured`)
  const { body } = await visitor.get<{ servers: { id: string }[] }>('/api/servers/featured')
  const detail = await visitor.get(`/api/servers/${serverId}`)
  return {
    own: own.body.isFeatured,
    listed: body.servers.some(({ id }) => id === serverId),
    shown: detail.body.isFeatured,
  }
}

const auctionNewsOf = async ({ owner }: { owner: Person }) =>
  (await newsOf(owner)).filter(({ event }) => event.startsWith('auction'))

test('a bidder is outbid, bids more, wins, pays and is featured; the loser is not', async () => {
  const received: LoopbackRequest[] = []
  const { origin, close } = await startLoopbackServer((request, res) => {
    received.push(request)
    res.writeHead(204).end()
  })
  onTestFinished(close)
  const [ada, bob] = [await newListing({ name: 'Ada’s atoll' }), await newListing({ name: 'Bob’s bay' })]
  const { body: webhook } = await ada.owner.client.put<{ secret: string }>(`/api/servers/${ada.id}/webhook`, {
    url: `${origin}/auctions`,
    events: ['auction.won'],
  })

  const slot = await newSlot({ location: 'above-the-fold' })
  const terms = { title: 'A week above the fold', placementDays: 7 }
  const auction = await newAuction(terms, { slot, seconds: 5 })
  const checkout = (of: typeof ada) => of.owner.client.post<CheckoutSession>(`/api/auctions/${auction.id}/checkout`)
  expect((await bid(ada.owner, auction.id, 500, ada.id)).status).toBe(201)
  expect(await bid(bob.owner, auction.id, 550, bob.id)).toMatchObject({
    status: 400,
    body: { error: 'bid_too_low', currentBid: 500, minimumBid: 600 },
  })
  expect((await bid(bob.owner, auction.id, 600, bob.id)).status).toBe(201)
  expect((await bid(ada.owner, auction.id, 750, ada.id)).status).toBe(201)
  expect(await checkout(ada)).toMatchObject({ status: 400, body: { error: 'auction_not_over' } })
  expect(await auctionOf(auction.id)).toMatchObject({ status: 'active', currentBid: 750, bidCount: 3 })

  await untilCompleted(auction.id)
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(auction.endsAt))
  expect(await bid(bob.owner, auction.id, 9_000, bob.id)).toMatchObject({
    status: 400,
    body: { error: 'auction_closed' },
  })
  const bids = [{ bidAmount: 750 }, { bidAmount: 600 }, { bidAmount: 500 }]
  expect(await auctionOf(auction.id)).toMatchObject({ currentBid: 750, endsAt: auction.endsAt, bids })

  await expect
    .poll(() => auctionNewsOf(ada), WAIT_OPTIONS)
    .toMatchObject([
      {
        event: 'auctionWon',
        message: expect.stringMatching(/^You won A week above the fold for 7\.50 USD\. Pay by [-\d]+ [:\d]+ UTC\.$/),
      },
      { event: 'auctionOutbid', message: 'You were outbid on A week above the fold. The highest bid is now 6.00 USD.' },
    ])
  expect(await auctionNewsOf(bob)).toMatchObject([
    { event: 'auctionOutbid', message: 'You were outbid on A week above the fold. The highest bid is now 7.50 USD.' },
  ])
  await expect.poll(() => received.length, WAIT_OPTIONS).toBe(1)
  const [{ body, headers }] = received as [LoopbackRequest]
  expect(new Webhook(webhook.secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'auction.won',
    data: { auctionId: auction.id, serverId: ada.id, amountCents: 750, payWithinHours: 48 },
  })

  expect(await checkout(bob)).toMatchObject({ status: 400, body: { error: 'not_the_winner' } })
  const { url } = (await checkout(ada)).body
  expect(await readPayPage(url)).toMatch(/A week above the fold, 7 days 7\.50 USD/)
  await press(url, 'fail')
  expect(await placementsAt(slot.location)).toEqual([])
  expect(await isFeatured(ada.id)).toEqual({ own: false, listed: false, shown: false })

  const paidAt = Date.now()
  expect(new URL((await press(url, 'pay')) ?? '').pathname).toBe(`/auctions/${auction.id}`)
  await expect.poll(() => placementsAt(slot.location), WAIT_OPTIONS).toMatchObject([{ serverId: ada.id }])
  const everywhere = (await newVisitor().get<{ placements: Placement[] }>('/api/ad-placements')).body.placements
  const placement = everywhere.find(({ location }) => location === slot.location)
  expect(placement).toMatchObject({ serverId: ada.id, title: 'Ada’s atoll', tier: slot.tier })
  const days = (Date.parse(String(placement?.endsAt)) - paidAt) / DAY_MS
  expect(Math.round(days)).toBe(7)
  expect((await newVisitor().get(`/api/servers/${ada.id}/featured`)).body).toEqual({ isFeatured: true, placement })
  await expect.poll(() => isFeatured(ada.id), WAIT_OPTIONS).toEqual({ own: true, listed: true, shown: true })
  expect(await isFeatured(bob.id)).toEqual({ own: false, listed: false, shown: false })
  expect((await auctionOf(auction.id)).winnerServerId).toBe(ada.id)
  expect(await checkout(ada)).toMatchObject({ status: 400, body: { error: 'already_paid' } })
  expect(received).toHaveLength(1)
})
