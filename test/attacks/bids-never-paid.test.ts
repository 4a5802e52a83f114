// Attack: bids without the intent to pay, to keep others from bidding and give the slot to an accomplice cheaply.
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../support/product-client.ts'
import {
  openDatabaseOf,
  type Person,
  type Product,
  registerAt,
  startProduct,
  WAIT_OPTIONS,
} from '../support/started-product.ts'

const ADMIN = 'admin@example.com'
let product: Product
let pool: Awaited<ReturnType<typeof openDatabaseOf>>
let admin: Person

beforeAll(async () => {
  product = await startProduct({
    RATE_LIMIT_IP_PER_MINUTE: '0',
    ADMIN_EMAILS: ADMIN,
    BIDS_REQUIRE_VERIFIED_EMAIL: 'true',
  })
  pool = await openDatabaseOf(product)
  admin = await registerAt(product, ADMIN)
})

interface Auction {
  id: string
  currentBid: number | null
  bidCount: number
  leadingBidder: string | null
  offers: { userId: string; amount: number; status: string; refund: { status: string; attempts: number } | null }[]
}

/** An account with a verified address. */
async function bidder(): Promise<Person> {
  const person = await registerAt(product)
  await pool.query('update users set email_verified_at = now() where id = $1', [person.id])
  return person
}

async function sellWeek(): Promise<string> {
  const slot = await admin.client.post<{ id: string }>('/api/admin/ad-slots', {
    location: `place-${Math.random().toString(36).slice(2)}`,
    tier: 'premium',
    name: 'A slot',
    width: 300,
    height: 250,
  })
  const { status, body } = await admin.client.post<Auction>('/api/admin/auctions', {
    slotId: slot.body.id,
    title: 'A week at the top',
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    startingBid: 500,
    minimumIncrement: 100,
  })
  expect(status).toBe(201)
  return body.id
}

const bid = (who: Pick<Person, 'client'>, auctionId: string, bidAmount: number) =>
  who.client.post<{ bid: { id: string }; error?: string }>(`/api/auctions/${auctionId}/bid`, { bidAmount })
const read = async (auctionId: string) => (await admin.client.get<Auction>(`/api/auctions/${auctionId}`)).body
const adminView = async (auctionId: string) =>
  (await admin.client.get<{ auctions: Auction[] }>('/api/admin/auctions?limit=100')).body.auctions.find(
    ({ id }) => id === auctionId,
  )

describe('an account that will not pay', () => {
  it('can’t bid before its e-mail address is verified', async () => {
    const auctionId = await sellWeek()
    expect(await bid(await registerAt(product), auctionId, 500)).toMatchObject({
      status: 403,
      body: { error: 'email_not_verified' },
    })
    expect(await read(auctionId)).toMatchObject({ currentBid: null, bidCount: 0 })
  })

  it('can’t end the bidding with an amount that no bidder can exceed', async () => {
    const auctionId = await sellWeek()
    const [honest, attacker] = [await bidder(), await bidder()]
    expect((await bid(honest, auctionId, 500)).status).toBe(201)
    expect(await bid(attacker, auctionId, 10_000_000)).toMatchObject({
      status: 400,
      body: { error: 'bid_too_high', currentBid: 500, maximumBid: 6_000 },
    })
    expect((await bid(await bidder(), auctionId, 600)).status).toBe(201)
  })

  it('no longer leads once it is banned, deleted, or its bid is voided; the bidder before leads again and is notified', async () => {
    const auctionId = await sellWeek()
    const honest = await bidder()
    await bid(honest, auctionId, 500)
    const leads = { currentBid: 500, bidCount: 1, leadingBidder: 'P***' }

    const banned = await bidder()
    const key = await banned.client.post<{ key: string; secret: string }>('/api/user/api-keys', { name: 'bids' })
    expect((await bid(banned, auctionId, 6_000)).status).toBe(201)
    await admin.client.patch(`/api/admin/users/${banned.id}`, { banned: true })
    expect(await read(auctionId)).toMatchObject(leads)
    const authorization = `Bearer ${key.body.key}.${key.body.secret}`
    const withKey = { client: createClient(product, { authorization }) }
    expect([401, 403]).toContain((await bid(withKey, auctionId, 6_000)).status)

    const deleted = await bidder()
    expect((await bid(deleted, auctionId, 6_000)).status).toBe(201)
    await admin.client.delete(`/api/admin/users/${deleted.id}`)
    expect(await read(auctionId)).toMatchObject(leads)

    const voided = await bid(await bidder(), auctionId, 6_000)
    const path = `/api/admin/auctions/${auctionId}/bids/${voided.body.bid.id}/void`
    expect((await honest.client.post(path, {})).status).toBe(403)
    expect((await admin.client.post(path, { reason: 'never meant' })).status).toBe(200)
    expect(await read(auctionId)).toMatchObject(leads)
    const { rows } = await pool.query(`select details from audit_log where action = 'auction.void-bid'`)
    expect(rows).toMatchObject([{ details: { bidId: voided.body.bid.id, amount: 6_000, reason: 'never meant' } }])

    await expect
      .poll(async () => JSON.stringify((await honest.client.get('/api/user/notifications')).body), WAIT_OPTIONS)
      .toContain('You lead with 5.00')
    expect((await bid(await bidder(), auctionId, 600)).status).toBe(201)
  })

  it('defaults: the next bidder pays their own bid, a late payment is refunded once, and it can’t bid again', async () => {
    const auctionId = await sellWeek()
    const [honest, attacker] = [await bidder(), await bidder()]
    const [, serverId] = [await addServer(honest), await addServer(attacker)]
    await bid(honest, auctionId, 500)
    await bid(attacker, auctionId, 6_000)
    await pool.query(
      `update auctions set starts_at = now() - interval '1 hour', ends_at = now() - interval '1 second' where id = $1`,
      [auctionId],
    )
    const page = await attacker.client.post<{ url: string }>(`/api/auctions/${auctionId}/checkout`, { serverId })
    expect(page.status).toBe(200)
    await pool.query(`update auction_offers set expires_at = now() - interval '1 hour' where auction_id = $1`, [
      auctionId,
    ])
    await pool.query(`insert into pgboss.job (name, data) values ('auction-sweep', '{}')`)
    await expect
      .poll(async () => (await adminView(auctionId))?.offers, WAIT_OPTIONS)
      .toMatchObject([
        { userId: attacker.id, status: 'expired' },
        { userId: honest.id, amount: 500, status: 'open' },
      ])
    expect(await read(auctionId)).toMatchObject({ currentBid: 500, bidCount: 1 })

    await fetch(page.body.url, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' })
    await expect
      .poll(async () => (await adminView(auctionId))?.offers, WAIT_OPTIONS)
      .toMatchObject([
        { userId: attacker.id, status: 'refunded', refund: { status: 'succeeded' } },
        { userId: honest.id, status: 'open', refund: null },
      ])
    expect(await bid(attacker, await sellWeek(), 500)).toMatchObject({
      status: 403,
      body: { error: 'bidding_barred', barredUntil: expect.any(String) },
    })
  })
})

async function addServer({ client }: Person): Promise<string> {
  const { status, body } = await client.post<{ server: { id: string } }>('/api/servers', {
    name: 'An island',
    ipAddress: '127.0.0.1',
    gamePort: 20_000 + Math.floor(Math.random() * 20_000),
    game: 'protocol-valve',
  })
  expect(status).toBe(201)
  return body.server.id
}
