// 64 bidders at once over two API processes that are killed under them, until the auction's end; the worker is killed at the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { addSlot } from '../support/auctions.ts'
import { createTestDatabase } from '../support/database.ts'
import { addPerson, type Person } from '../support/people.ts'
import { type RunningProcess, startProcess } from '../support/processes.ts'

const BIDDERS = 64
const RUNS_FOR_MS = 16_000
/** Which API process is killed, and how long after the one before. */
const KILLS = ['api 0', 'api 1', 'api 0'] as const
const KILL_EVERY_MS = 3_500
const STARTING_BID = 100
const INCREMENT = 5

const { pool, url: databaseUrl } = await createTestDatabase()

interface Try {
  bidder: string
  amount: number
  /** Undefined when the process died before it answered. */
  bidId: string | undefined
}

describe('64 bidders over two API processes that are killed', { timeout: 120_000 }, () => {
  it('get strictly rising bids, none lost, none after the end, and one winner: the highest', async () => {
    const processes = new Map<string, Promise<RunningProcess>>()
    const start = (name: string) => {
      const started = startProcess(name === 'worker' ? 'workers/main.ts' : 'src/main.ts', databaseUrl)
      started.catch(() => undefined) // whoever asks for it next is told
      processes.set(name, started)
      return started
    }
    const [api] = await Promise.all(['api 0', 'api 1', 'worker'].map(start))
    const auctionId = await createAuction(api?.url ?? '', await addPerson(pool, { isAdmin: true }))
    const people = await Promise.all(Array.from({ length: BIDDERS }, () => addPerson(pool)))

    const tries: Try[] = []
    let unanswered = 0
    const bidUntilTheEnd = async (person: Person, lane: number) => {
      let least = STARTING_BID
      for (let turn = lane; ; turn++) {
        const amount = least + (turn % 4) * 3
        const attempt: Try = { bidder: person.id, amount, bidId: undefined }
        tries.push(attempt)
        try {
          const target = await processes.get(`api ${turn % 2}`)
          const response = await fetch(`${target?.url}/api/auctions/${auctionId}/bid`, {
            method: 'POST',
            headers: { cookie: person.cookie, 'content-type': 'application/json' },
            body: JSON.stringify({ bidAmount: amount }),
            signal: AbortSignal.timeout(15_000),
          })
          const body = (await response.json()) as BidAnswer
          if (response.status === 201) {
            attempt.bidId = body.bid.id
            expect(body.bid.bidAmount).toBe(amount)
          } else expect(response.status).toBe(400)
          if (body.error === 'auction_closed') return
          if (body.error === 'bid_too_low') {
            expect(body.minimumBid).toBeGreaterThan(amount)
            least = body.minimumBid
          } else {
            if (response.status === 400) expect(body.error).toBe('own_lead')
            least = amount + INCREMENT
            await sleep(20) // it leads: somebody else's turn
          }
        } catch (error) {
          if (!(error instanceof TypeError || (error as Error).name === 'TimeoutError')) throw error
          unanswered++
        }
      }
    }
    const bidding = Promise.all(people.map(bidUntilTheEnd))
    const killing = (async () => {
      for (const name of KILLS) {
        await sleep(KILL_EVERY_MS)
        const victim = await processes.get(name)
        victim?.child.kill('SIGKILL')
        void start(name)
      }
    })()
    await Promise.all([bidding, killing])
    const worker = await processes.get('worker')
    worker?.child.kill('SIGKILL') // it may be closing the auction right now
    await start('worker')

    const { rows: bids } = await pool.query<{ id: string; bidder: string; amount: number; inTime: boolean }>(
      `select bids.id, user_id as bidder, amount, placed_at >= starts_at and placed_at < ends_at as "inTime"
       from bids join auctions on auctions.id = auction_id order by placed_at, amount`,
    )
    const amounts = bids.map(({ amount }) => amount)
    expect(bids.length).toBeGreaterThan(BIDDERS / 4)
    expect(unanswered).toBeGreaterThan(0)
    for (const [place, bid] of bids.entries()) {
      const before = bids[place - 1]
      expect(bid.inTime).toBe(true)
      expect(bid.amount).toBeGreaterThanOrEqual(before ? before.amount + INCREMENT : STARTING_BID)
      expect(bid.bidder).not.toBe(before?.bidder)
    }
    // Every 201 is in the history, and nothing that nobody tried.
    const history = new Map(bids.map((bid) => [bid.id, `${bid.bidder} ${bid.amount}`]))
    const accepted = tries.filter(({ bidId }) => bidId !== undefined)
    for (const { bidId, bidder, amount } of accepted) expect(history.get(bidId ?? '')).toBe(`${bidder} ${amount}`)
    const tried = new Set(tries.map(({ bidder, amount }) => `${bidder} ${amount}`))
    expect([...history.values()].filter((bid) => !tried.has(bid))).toEqual([])
    expect(bids.length - accepted.length).toBeLessThanOrEqual(unanswered)

    // One winner: the maximum.
    const readAuction = async () =>
      (await (await fetch(`${(await processes.get('api 0'))?.url}/api/auctions/${auctionId}`)).json()) as Auction
    const offersOf = async () =>
      (
        await pool.query('select user_id as bidder, amount, status from auction_offers where auction_id = $1', [
          auctionId,
        ])
      ).rows
    await expect.poll(offersOf, { timeout: 30_000, interval: 200 }).toHaveLength(1)
    const winner = bids.at(-1)
    expect(await offersOf()).toEqual([{ bidder: winner?.bidder, amount: Math.max(...amounts), status: 'open' }])
    const auction = await readAuction()
    expect(auction).toMatchObject({ status: 'completed', currentBid: Math.max(...amounts), bidCount: bids.length })
    expect(auction.bids.map(({ bidAmount }) => bidAmount)).toEqual(amounts.toReversed().slice(0, auction.bids.length))
    // Each bid but the last was outbid, and its bidder told of it in the same transaction; the winner was told once.
    const { rows: told } = await pool.query(
      `select data->>'event' as event, count(*) from pgboss.job where name = 'notify' group by 1 order by 1`,
    )
    expect(told).toEqual([
      { event: 'auctionOutbid', count: bids.length - 1 },
      { event: 'auctionWon', count: 1 },
    ])
  })
})

interface BidAnswer {
  bid: { id: string; bidAmount: number }
  error: string
  minimumBid: number
}

interface Auction {
  bids: { bidAmount: number }[]
}

async function createAuction(url: string, { cookie }: Person): Promise<string> {
  const { id: slotId } = await addSlot(pool)
  const response = await fetch(`${url}/api/admin/auctions`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({
      slotId,
      title: 'A week at the top',
      endsAt: new Date(Date.now() + RUNS_FOR_MS).toISOString(),
      startingBid: STARTING_BID,
      minimumIncrement: INCREMENT,
    }),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}
