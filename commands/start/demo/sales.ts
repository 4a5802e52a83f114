// A featured server that has paid for its place, and auctions that run while someone looks.
import { v7 as uuidv7 } from 'uuid'
import { contracts } from '../../../src/contracts.ts'
import type { Deps } from '../../../src/deps.ts'
import { updatePlacements } from '../../../src/features/placements/index.ts'
import { type Db, inTransaction } from '../../../src/platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../../src/platform/durations.ts'
import type { DemoServer } from './listings.ts'

const VIEW_DAYS = 15
const PLACE = { location: 'home-top', tier: 'premium', name: 'Top of the front page' }
const SIZE = { width: 970, height: 250 }
const TERMS = { startingBid: 2_000, minimumIncrement: 100, softCloseSeconds: 300, placementDays: 7 }
/** Cents. */
const BIDS = [2_000, 2_400, 3_100, 3_300, 4_150]
const WINNING_BIDS = [2_000, 2_600, 3_700]

interface Bidder {
  userId: string
  serverId: string
}

interface Sale {
  title: string
  status: 'active' | 'completed'
  startsAt: Date
  endsAt: Date
}

/** @returns the id of the slot that the demo sells */
async function prepareSlot({ prisma }: Db): Promise<string> {
  await prisma.adSlot.createMany({ data: { id: uuidv7(), ...PLACE, ...SIZE }, skipDuplicates: true })
  const slot = await prisma.adSlot.findFirstOrThrow({ where: PLACE, select: { id: true } })
  return slot.id
}

/**
 * Writes an auction with its bids, spread over the time that it has run.
 * @returns its id and that of the highest bid
 */
async function writeAuction(
  { prisma }: Db,
  sale: Sale,
  { slotId, bidders, amounts }: { slotId: string; bidders: readonly Bidder[]; amounts: readonly number[] },
) {
  const { location, tier } = PLACE
  const until = Math.min(sale.endsAt.getTime(), Date.now())
  const bids = amounts.map((amount, n) => ({
    id: uuidv7(),
    ...(bidders[n % bidders.length] as Bidder),
    amount,
    placedAt: new Date(until - ((until - sale.startsAt.getTime()) * (amounts.length - n)) / (amounts.length + 1)),
  }))
  const highest = bids.at(-1)
  const auctionId = uuidv7()
  await prisma.auction.create({
    data: {
      id: auctionId,
      slotId,
      tier,
      location,
      ...TERMS,
      ...sale,
      currentBid: highest?.amount ?? null,
      bidCount: bids.length,
      leadingBidId: highest?.id ?? null,
    },
  })
  await prisma.bid.createMany({ data: bids.map((bid) => ({ ...bid, auctionId })) })
  return { auctionId, highest }
}

const toBidders = (servers: readonly { id: string; owner: string | null }[]): Bidder[] => {
  const byOwner = new Map(servers.flatMap(({ id, owner }) => (owner === null ? [] : [[owner, id] as const])))
  return [...byOwner].map(([userId, serverId]) => ({ userId, serverId }))
}

/** The auction of the week before is paid, and its placement runs. An administrator features another server. */
export async function pretendPlacement(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  servers: readonly DemoServer[],
): Promise<void> {
  const bidders = toBidders(servers.slice(0, 12))
  if (!bidders.length) return
  const endsAt = new Date(Date.now() - 3 * DAY_MS)
  const sale = {
    title: `${PLACE.name}, last week`,
    status: 'completed',
    startsAt: new Date(endsAt.getTime() - 7 * DAY_MS),
    endsAt,
  } as const
  await inTransaction(pool, async (tx) => {
    const slotId = await prepareSlot(tx)
    const { auctionId, highest } = await writeAuction(tx, sale, { slotId, bidders, amounts: WINNING_BIDS })
    if (!highest) return
    const { id: bidId, userId, serverId, amount } = highest
    const offerId = uuidv7()
    const paid = { status: 'paid', offeredAt: endsAt, paidAt: new Date(endsAt.getTime() + HOUR_MS) }
    const expiresAt = new Date(endsAt.getTime() + 2 * DAY_MS)
    await tx.prisma.auctionOffer.create({
      data: { id: offerId, auctionId, bidId, userId, serverId, amount, expiresAt, ...paid },
    })
    const runs = { startsAt: paid.paidAt, endsAt: new Date(paid.paidAt.getTime() + 7 * DAY_MS) }
    await tx.prisma.placement.create({ data: { id: uuidv7(), slotId, offerId, serverId, ...runs } })
    await pretendViews(tx, servers, { serverId, since: runs.startsAt })
    const chosen = servers.find(({ game, id }) => game === 'minecraft' && id !== serverId)
    if (chosen)
      await tx.prisma.server.update({ where: { id: chosen.id }, data: { featuredByAdmin: true, isFeatured: true } })
  })
  await updatePlacements({ pool, log })
}

/** Two weeks of visitors. The placement brings its server four times as many. */
async function pretendViews(
  { prisma }: Db,
  servers: readonly DemoServer[],
  placed: { serverId: string; since: Date },
): Promise<void> {
  const data = servers.flatMap(({ id }, n) =>
    Array.from({ length: VIEW_DAYS }, (_, daysAgo) => {
      const day = new Date(Date.now() - daysAgo * DAY_MS)
      const views = (12 + ((n * 7 + daysAgo * 13) % 31)) * (id === placed.serverId && day >= placed.since ? 4 : 1)
      return { serverId: id, day, views, copies: Math.round(views / 5), joins: Math.round(views / 8) }
    }),
  )
  await prisma.serverActivity.createMany({ data, skipDuplicates: true })
}

/** One that ends within the hour, with bids, and one that begins then; unless those of an earlier start do. */
export async function offerAuctions({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<void> {
  const now = Date.now()
  const inAnHour = new Date(now + HOUR_MS)
  const running = {
    title: `${PLACE.name}, this week`,
    status: 'active',
    startsAt: new Date(now - 6 * DAY_MS),
    endsAt: inAnHour,
  } as const
  const next = {
    title: `${PLACE.name}, next week`,
    status: 'active',
    startsAt: inAnHour,
    endsAt: new Date(now + 7 * DAY_MS),
  } as const
  await inTransaction(pool, async (tx) => {
    const slotId = await prepareSlot(tx)
    const open = await tx.prisma.auction.findMany({ where: { slotId, endsAt: { gt: new Date(now) } } })
    const bidders = toBidders(await findOwned(tx)).slice(4, 8)
    const write = async (sale: Sale, amounts: readonly number[]) => {
      const { auctionId } = await writeAuction(tx, sale, { slotId, bidders, amounts })
      await jobs.enqueue(tx, contracts.auctionClose, [{ auctionId }], { startAfter: sale.endsAt })
    }
    if (bidders.length && !open.some(({ endsAt }) => endsAt <= inAnHour)) await write(running, BIDS)
    if (!open.some(({ endsAt }) => endsAt > inAnHour)) await write(next, [])
  })
}

async function findOwned({ prisma }: Db): Promise<{ id: string; owner: string | null }[]> {
  const owned = await prisma.server.findMany({
    where: { ownerId: { not: null }, deletedAt: null, tags: { has: 'demo' } },
    orderBy: { id: 'asc' },
    select: { id: true, ownerId: true },
  })
  return owned.map(({ id, ownerId }) => ({ id, owner: ownerId }))
}
