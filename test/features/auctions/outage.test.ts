// An outage of the directory itself is no fault of a winner, who could not pay while it lasted.
import { beforeEach, describe, expect, it } from 'vitest'
import { closeAuction, sweepAuctions } from '../../../src/features/auctions/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, endAuction, endOffer } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { startProvider } from '../billing/support.ts'
import { addServer } from '../votes/support.ts'
import { bidOnce, newsOf, offersOf } from './support.ts'

const provider = await startProvider()
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database

let auctionId = ''
beforeEach(async () => {
  auctionId = await addAuction(pool)
  for (const bid of [500, 600]) {
    const bidder = await addPerson(pool)
    await bidOnce(api, bidder, auctionId, bid, await addServer(pool, { ownerId: bidder.id }))
  }
  await endAuction(pool, auctionId)
  await closeAuction(api.deps, auctionId)
  await sweepAuctions(api.deps)
})

/** As if no sweep had run for so long, in which the winner's time ended. */
async function beDown(minutes: number): Promise<void> {
  await endOffer(pool, auctionId)
  await pool.query('update auction_sweeps set swept_at = now() - make_interval(mins => $1)', [minutes])
}
const statuses = async () => (await offersOf(pool, auctionId)).map(({ status }) => status)
const wins = async () =>
  (await newsOf(pool, auctionId)).filter((news) => (news as { event: string }).event === 'auctionWon').length
async function hoursLeft(): Promise<number> {
  const { rows } = await pool.query<{ hours: number }>(
    `select extract(epoch from expires_at - now())::float / 3600 as hours from auction_offers where auction_id = $1`,
    [auctionId],
  )
  return rows[0]?.hours ?? 0
}

describe('an outage of the directory', () => {
  it('gives the winner 48 hours from its end, once, and says so', async () => {
    await beDown(61)
    await Promise.all([sweepAuctions(api.deps), sweepAuctions(api.deps)])
    expect(await hoursLeft()).toBeCloseTo(48, 1)
    expect([await statuses(), await wins()]).toEqual([['open'], 2])
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect(await statuses()).toEqual(['expired', 'open'])
  })

  it('asks no winner to pay whose payment is on its way', async () => {
    await beDown(61)
    await pool.query(
      `insert into payment_sessions (id, user_id, kind, reference, idempotency_key, amount_cents, currency, expires_at, is_processing)
       select gen_random_uuid(), user_id, 'payment', id, id, amount, 'usd', now(), true from auction_offers where auction_id = $1`,
      [auctionId],
    )
    await sweepAuctions(api.deps)
    expect([await statuses(), await wins()]).toEqual([['open'], 1])
  })

  it('of less than an hour extends nothing', async () => {
    await beDown(59)
    await sweepAuctions(api.deps)
    expect([await statuses(), await wins()]).toEqual([['expired', 'open'], 2])
  })
})
