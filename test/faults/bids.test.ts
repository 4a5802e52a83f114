// Concurrent bids over API processes that are killed and frozen until the auction's end, as is the worker that closes it.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { addSlot } from '../support/auctions.ts'
import { createTestDatabase } from '../support/database.ts'
import { addPerson, type Person } from '../support/people.ts'
import { createMembers } from './support/members.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const BIDDERS = 64
const KINDS = ['API process killed', 'API process frozen', 'API process killed, too', 'worker killed'] as const
const STARTING_BID = 100
const INCREMENT = 5

const { pool, url: databaseUrl } = await createTestDatabase()

interface Try {
  bidder: string
  amount: number
  /** Undefined when the process died before it answered. */
  bidId: string | undefined
}

it(
  'bids under kills: strictly rising, none lost, none after the end, and one winner: the highest',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const faults = run.deal(KINDS, 0.5)
    const members = createMembers(databaseUrl)
    const people = await Promise.all(Array.from({ length: BIDDERS }, () => addPerson(pool)))
    const admin = await addPerson(pool, { isAdmin: true })
    const begun = performance.now()
    await members.start('api 0', 'api 1', 'worker')
    // A killed process needs about as long to return, so the auction ends after the last fault on a busy machine, too.
    const runsForMs = 3_000 + faults.length * (1_500 + Math.min(6_000, performance.now() - begun))
    const auctionId = await createAuction(members.url('api 0'), admin, runsForMs)

    const tries: Try[] = []
    let unanswered = 0
    const bidUntilTheEnd = async (person: Person, lane: number) => {
      let least = STARTING_BID
      for (let turn = lane; ; turn++) {
        const amount = least + (turn % 4) * 3
        const attempt: Try = { bidder: person.id, amount, bidId: undefined }
        tries.push(attempt)
        try {
          const response = await fetch(`${members.url(`api ${turn % 2}`)}/api/auctions/${auctionId}/bid`, {
            method: 'POST',
            headers: { cookie: person.cookie, 'content-type': 'application/json' },
            body: JSON.stringify({ bidAmount: amount }),
            signal: AbortSignal.timeout(15_000),
          })
          const body = (await response.json()) as BidAnswer
          if (response.status === 503) throw new TypeError('the database did not answer') // like no answer
          if (response.status === 201) {
            attempt.bidId = body.bid.id
            expect(body.bid.bidAmount).toBe(amount)
          } else expect(response.status, members.lastError(`api ${turn % 2}`)).toBe(400)
          if (body.error === 'auction_closed') return
          if (body.error === 'bid_too_low') {
            expect(body.minimumBid).toBeGreaterThan(amount)
            least = body.minimumBid
          } else {
            if (response.status === 400) expect(body.error).toBe('own_lead')
            else least = amount + INCREMENT
            await sleep(20) // the highest bidder waits for another's bid
          }
        } catch (error) {
          if (!(error instanceof TypeError || (error as Error).name === 'TimeoutError')) throw error
          unanswered++
          await sleep(100)
        }
      }
    }
    const harm = async () => {
      for (const kind of faults) {
        await sleep(run.between(500, 1_500))
        const api = `api ${run.random() < 0.5 ? 0 : 1}`
        if (kind === 'worker killed') await members.kill('worker')
        else if (kind === 'API process frozen') await members.freeze(api, run.between(500, 2_500))
        else await members.kill(api)
        run.tried(kind.replace(', too', ''))
      }
    }
    await Promise.all([...people.map(bidUntilTheEnd), harm()])
    await members.kill('worker') // it may be closing the auction now
    run.tried('worker killed')

    const { rows: bids } = await pool.query<{ id: string; bidder: string; amount: number; inTime: boolean }>(
      `select bids.id, user_id as bidder, amount, placed_at >= starts_at and placed_at < ends_at as "inTime"
     from bids join auctions on auctions.id = auction_id order by placed_at, amount`,
    )
    const offersOf = async () =>
      (
        await pool.query('select user_id as bidder, amount, status from auction_offers where auction_id = $1', [
          auctionId,
        ])
      ).rows
    await expect.poll(offersOf, { timeout: 60_000, interval: 200 }).not.toEqual([])
    const offers = await offersOf()
    // The transaction of a bid also notifies the outbid bidder; the winner is notified once.
    const { rows: notified } = await pool.query(
      `select data->>'event' as event, count(*) from pgboss.job where name = 'notify' group by 1 order by 1`,
    )
    const amounts = bids.map(({ amount }) => amount)
    const highest = { bidder: bids.at(-1)?.bidder, amount: Math.max(...amounts), status: 'open' }
    const accepted = tries.filter(({ bidId }) => bidId !== undefined)
    const history = new Map(bids.map((bid) => [bid.id, `${bid.bidder} ${bid.amount}`]))
    const tried = new Set(tries.map(({ bidder, amount }) => `${bidder} ${amount}`))
    run.worked('tries', tries.length)
    run.worked('bids accepted', bids.length)
    run.worked('tries without an answer', unanswered)
    expect(bids.length).toBeGreaterThan(faults.length)
    expect(unanswered).toBeGreaterThan(0)
    expect(bids.length - accepted.length).toBeLessThanOrEqual(unanswered)
    run.expectNothingLost({
      'accepted bids': accepted.filter(
        ({ bidId, bidder, amount }) => history.get(bidId ?? '') !== `${bidder} ${amount}`,
      ),
      'bids that were never sent': [...history.values()].filter((bid) => !tried.has(bid)),
      'bids out of time': bids.filter(({ inTime }) => !inTime),
      'bids that do not rise': bids.filter(
        ({ amount }, n) => amount < (amounts[n - 1] ?? STARTING_BID - INCREMENT) + INCREMENT,
      ),
      'bids over one’s own': bids.filter(({ bidder }, n) => bidder === bids[n - 1]?.bidder),
      winners: offers.length ? [] : [highest],
      'second winners': offers.slice(1),
    })
    expect(offers).toEqual([highest])
    expect(notified).toEqual([
      { event: 'auctionOutbid', count: bids.length - 1 },
      { event: 'auctionWon', count: 1 },
    ])
    const auction = (await (await fetch(`${members.url('api 0')}/api/auctions/${auctionId}`)).json()) as Auction
    expect(auction).toMatchObject({ status: 'completed', currentBid: highest.amount, bidCount: bids.length })
    expect(auction.bids.map(({ bidAmount }) => bidAmount)).toEqual(amounts.toReversed().slice(0, auction.bids.length))
  },
  FAULT_RUN_TIMEOUT_MS,
)

interface BidAnswer {
  bid: { id: string; bidAmount: number }
  error: string
  minimumBid: number
}

interface Auction {
  bids: { bidAmount: number }[]
}

async function createAuction(url: string, { cookie }: Person, runsForMs: number): Promise<string> {
  const { id: slotId } = await addSlot(pool)
  const response = await fetch(`${url}/api/admin/auctions`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({
      slotId,
      title: 'A week at the top',
      endsAt: new Date(Date.now() + runsForMs).toISOString(),
      startingBid: STARTING_BID,
      minimumIncrement: INCREMENT,
    }),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}
