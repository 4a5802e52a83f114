// Concurrent bids over API processes that are killed and frozen until the auction's end, as is the
// worker that closes it.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { addSlot } from '../support/auctions.ts'
import { createTestDatabase } from '../support/database.ts'
import { addPerson } from '../support/people.ts'
import { bidUntilTheEnd, createAuction, readBids } from './support/bids.ts'
import { createMembers } from './support/members.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const BIDDERS = 64
const KINDS = ['API process killed', 'API process frozen', 'API process killed, too', 'worker killed'] as const
const PAUSE_MS = 20

const { pool, url: databaseUrl } = await createTestDatabase()

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
    const auctionId = await createAuction(members, admin, (await addSlot(pool)).id, runsForMs)

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
    const [bidding] = await Promise.all([bidUntilTheEnd(members, auctionId, people, PAUSE_MS), harm()])
    await members.kill('worker') // it may be closing the auction now
    run.tried('worker killed')

    const { bids, losses } = await readBids(pool, members, bidding)
    run.worked('tries', bidding.tries.length)
    run.worked('bids accepted', bids.length)
    run.worked('tries without an answer', bidding.unanswered)
    expect(bids.length).toBeGreaterThan(faults.length)
    // A frozen process answers later; a killed one never.
    if (faults.some((kind) => kind.startsWith('API process killed'))) expect(bidding.unanswered).toBeGreaterThan(0)
    run.expectNothingLost(losses)
  },
  FAULT_RUN_TIMEOUT_MS,
)
