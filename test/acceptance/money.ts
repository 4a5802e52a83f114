// Creates ad slots and auctions as administrators do, and uses the payment sandbox's page as people do.
import { expect } from 'vitest'
import { elsewhere, type ListedServer, newListing, newVisitor, operator, type Person, WAIT_OPTIONS } from './product.ts'
import { onceNeeded } from './section.ts'

export interface Auction extends Record<string, unknown> {
  id: string
  status: string
  location: string
  tier: string
  startsAt: string
  endsAt: string
}

export interface Placement extends Record<string, unknown> {
  location: string
  serverId: string
}

export interface Slot extends Record<string, unknown> {
  id: string
  location: string
  tier: string
}

let slots = 0

/** Adds an ad slot at its own location. */
export async function newSlot(fields: Record<string, unknown> = {}): Promise<Slot> {
  slots++
  const { status, body } = await elsewhere(operator).post<Slot>('/api/admin/ad-slots', {
    location: `corner-${slots}`,
    tier: 'premium',
    name: `Corner ${slots}`,
    width: 300,
    height: 250,
    ...fields,
  })
  expect(status).toBe(201)
  return body
}

/** Adds an auction in its own slot: starts at 5.00 in steps of 1.00 and runs for an hour. */
export async function newAuction(
  terms: Record<string, unknown> = {},
  { slot, seconds = 3_600 }: { slot?: Slot; seconds?: number } = {},
): Promise<Auction> {
  const { status, body } = await elsewhere(operator).post<Auction>('/api/admin/auctions', {
    slotId: (slot ?? (await newSlot())).id,
    title: 'A week in the corner',
    endsAt: new Date(Date.now() + seconds * 1_000).toISOString(),
    startingBid: 500,
    minimumIncrement: 100,
    ...terms,
  })
  expect(status).toBe(201)
  return body
}

/** Reads the auction without a session. */
export async function auctionOf(id: string): Promise<Auction> {
  const { status, body } = await newVisitor().get<Auction>(`/api/auctions/${id}`)
  expect(status).toBe(200)
  return body
}

export const untilCompleted = (id: string) =>
  expect.poll(async () => (await auctionOf(id)).status, WAIT_OPTIONS).toBe('completed')

export const bid = ({ client }: Person, auctionId: string, bidAmount: unknown, serverId?: string) =>
  client.post(`/api/auctions/${auctionId}/bid`, { bidAmount, ...(serverId === undefined ? {} : { serverId }) })

/** The text of the payment page, without tags. */
export async function readPayPage(url: string): Promise<string> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return (await response.text()).replace(/<style>[\s\S]*<\/style>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

/** Presses a button of the payment page. @returns the redirect's target */
export async function press(url: string, button: 'pay' | 'fail' | 'cancel'): Promise<string | null> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: button }), redirect: 'manual' })
  expect(response.status).toBe(button === 'fail' ? 200 : 303)
  return response.headers.get('location')
}

export interface CheckoutSession extends Record<string, unknown> {
  sessionId: string
  url: string
}

export async function order({ client }: Person, tier: string): Promise<CheckoutSession> {
  const { status, body } = await client.post<CheckoutSession>('/api/billing/checkout', { tier })
  expect(status).toBe(200)
  return body
}

export async function subscriptionOf({ client }: Person): Promise<Record<string, unknown>> {
  const { status, body } = await client.get('/api/user/subscription')
  expect(status).toBe(200)
  return body
}

/** Buys a tier and waits until it is active. */
export async function subscribe(person: Person, tier: string): Promise<void> {
  await press((await order(person, tier)).url, 'pay')
  await expect.poll(async () => (await subscriptionOf(person)).tier, WAIT_OPTIONS).toBe(tier)
}

/** Adds a server whose owner won and paid for an auction. */
export const theAdvertised = onceNeeded(
  async (): Promise<Omit<ListedServer, 'game'> & { slot: Slot; paidBetween: [number, number] }> => {
    const [server, slot] = [await newListing({ name: 'The advertised isle' }), await newSlot({ tier: 'enterprise' })]
    const { id } = await newAuction({ placementDays: 3 }, { slot, seconds: 3 })
    expect((await bid(server.owner, id, 900, server.id)).status).toBe(201)
    await untilCompleted(id)
    const { body } = await server.owner.client.post<CheckoutSession>(`/api/auctions/${id}/checkout`)
    const before = Date.now()
    await press(body.url, 'pay')
    await expect.poll(() => placementsAt(slot.location), WAIT_OPTIONS).toHaveLength(1)
    return { ...server, slot, paidBetween: [before, Date.now()] }
  },
)

export async function placementsAt(location: string): Promise<Placement[]> {
  const { status, body } = await newVisitor().get<{ placements: Placement[] }>(`/api/ad-placements/${location}`)
  expect(status).toBe(200)
  return body.placements
}
