// Auctions under faults: concurrent bidders until the end, and what must be stored then.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { newsOf, offersOf } from '../../features/auctions/support.ts'
import type { Person } from '../../support/people.ts'
import { APIS, ask, askUntilAnswered, Unanswered } from './load.ts'
import type { Members } from './members.ts'

const STARTING_BID = 100
const INCREMENT = 5

export interface Bidder extends Person {
  /** The server that they bid for. */
  serverId?: string
}

interface Try {
  bidder: string
  amount: number
  /** Undefined when no answer came. */
  bidId: string | undefined
}

export interface Bidding {
  auctionId: string
  tries: Try[]
  unanswered: number
}

export async function createAuction(
  members: Members,
  admin: Person,
  slotId: string,
  runsForMs: number,
): Promise<string> {
  for (;;) {
    const endsAt = Date.now() + runsForMs
    const { status, body } = await askUntilAnswered(members, '/api/admin/auctions', {
      method: 'POST',
      cookie: admin.cookie,
      body: {
        slotId,
        title: 'A week at the top',
        endsAt: new Date(endsAt).toISOString(),
        startingBid: STARTING_BID,
        minimumIncrement: INCREMENT,
      },
    })
    if (status === 400 && Date.now() >= endsAt) continue // an outage took longer than the auction
    expect(status).toBe(201)
    return body.id as string
  }
}

/**
 * All bid against each other until the auction is closed.
 * @param pauseMs of the highest bidder, and of one without an answer
 */
export async function bidUntilTheEnd(
  members: Members,
  auctionId: string,
  bidders: Bidder[],
  pauseMs: number,
): Promise<Bidding> {
  const bidding: Bidding = { auctionId, tries: [], unanswered: 0 }
  const bid = async ({ id, cookie, serverId }: Bidder, lane: number) => {
    let least = STARTING_BID
    for (let turn = lane; ; turn++) {
      const bidAmount = least + (turn % 4) * 3
      const attempt: Try = { bidder: id, amount: bidAmount, bidId: undefined }
      bidding.tries.push(attempt)
      const api = APIS[turn % 2] ?? ''
      const url = `${members.url(api)}/api/auctions/${auctionId}/bid`
      try {
        const answer = await ask(url, { method: 'POST', cookie, body: { bidAmount, serverId } })
        const body = answer.body as unknown as BidAnswer
        if (answer.status === 201) {
          attempt.bidId = body.bid.id
          expect(body.bid.bidAmount).toBe(bidAmount)
        } else expect(answer.status, members.lastError(api)).toBe(400)
        if (body.error === 'auction_closed') return
        if (body.error === 'bid_too_low') {
          expect(body.minimumBid).toBeGreaterThan(bidAmount)
          least = body.minimumBid
        } else {
          if (answer.status === 400) expect(body.error).toBe('own_lead')
          else least = bidAmount + INCREMENT
          await sleep(pauseMs) // the highest bidder waits for another's bid
        }
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        bidding.unanswered++
        await sleep(pauseMs)
      }
    }
  }
  await Promise.all(bidders.map(bid))
  return bidding
}

interface BidAnswer {
  bid: { id: string; bidAmount: number }
  error: string
  minimumBid: number
}

export interface StoredBid {
  id: string
  bidder: string
  amount: number
}

/**
 * Waits until the auction is closed.
 * @returns its bids, and what was lost of them, by name
 */
export async function readBids(
  pool: Pool,
  members: Members,
  { auctionId, tries, unanswered }: Bidding,
): Promise<{ bids: StoredBid[]; losses: Record<string, readonly unknown[]> }> {
  const statusOf = async () =>
    (await pool.query<{ status: string }>('select status from auctions where id = $1', [auctionId])).rows[0]?.status
  await expect.poll(statusOf, { timeout: 90_000, interval: 200 }).toBe('completed')
  const { rows: bids } = await pool.query<StoredBid & { inTime: boolean }>(
    `select bids.id, user_id as bidder, amount, placed_at >= starts_at and placed_at < ends_at as "inTime"
     from bids join auctions on auctions.id = auction_id where auction_id = $1 order by placed_at, amount`,
    [auctionId],
  )
  const offers = await offersOf(pool, auctionId)
  const news = ((await newsOf(pool, auctionId)) as { event: string; userId: string }[])
    .filter(({ event }) => ['auctionOutbid', 'auctionWon'].includes(event))
    .map(({ event, userId }) => `${event} ${userId}`)
  const accepted = tries.filter(({ bidId }) => bidId !== undefined)
  expect(bids.length - accepted.length).toBeLessThanOrEqual(unanswered)
  const highest = bids.at(-1)
  const amounts = bids.map(({ amount }) => amount)
  const history = new Map(bids.map((bid) => [bid.id, `${bid.bidder} ${bid.amount}`]))
  const tried = new Set(tries.map(({ bidder, amount }) => `${bidder} ${amount}`))
  // The transaction of a bid also notifies the outbid bidder, and closing it the winner.
  const outbid = bids.slice(0, -1).map(({ bidder }) => `auctionOutbid ${bidder}`)
  const due = highest ? [...outbid, `auctionWon ${highest.bidder}`] : []
  const auction = (await ask(`${members.url(APIS[0])}/api/auctions/${auctionId}`)).body as unknown as Auction
  expect(auction).toMatchObject({ status: 'completed', currentBid: highest?.amount ?? null, bidCount: bids.length })
  expect(auction.bids.map(({ bidAmount }) => bidAmount)).toEqual(amounts.toReversed().slice(0, auction.bids.length))
  return {
    bids,
    losses: {
      'accepted bids': accepted.filter(
        ({ bidId, bidder, amount }) => history.get(bidId ?? '') !== `${bidder} ${amount}`,
      ),
      'bids that were never sent': [...history.values()].filter((bid) => !tried.has(bid)),
      'bids out of time': bids.filter(({ inTime }) => !inTime),
      'bids that do not rise': bids.filter(
        ({ amount }, n) => amount < (amounts[n - 1] ?? STARTING_BID - INCREMENT) + INCREMENT,
      ),
      'bids over one’s own': bids.filter(({ bidder }, n) => bidder === bids[n - 1]?.bidder),
      'winners that are not the highest': offers.filter(
        ({ userId, amount }) => userId !== highest?.bidder || amount !== highest.amount,
      ),
      winners: highest && offers.length === 0 ? [highest] : [],
      'second winners': offers.slice(1),
      'notices of bids': missing(due, news),
      'notices of no bid': missing(news, due),
    },
  }
}

interface Auction {
  bids: { bidAmount: number }[]
}

/** What `found` has less often than `due`. */
function missing(due: string[], found: string[]): string[] {
  const left = [...found]
  return due.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
