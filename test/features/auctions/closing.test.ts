// The end of an auction: one winner, however often, late or concurrently it is closed; and who is offered it next.
import { beforeEach, describe, expect, it } from 'vitest'
import { closeAuction, sweepAuctions } from '../../../src/features/auctions/index.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { retryDeadlocks } from '../../../src/platform/db/deadlock.ts'
import { type Db, inTransaction } from '../../../src/platform/db/pool.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { startWorker } from '../../../workers/worker.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { addAuction, addSlot, addWonAuction, endAuction, endOffer } from '../../support/auctions.ts'
import { countLockWaits, testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { newSecret } from '../../workers/webhooks/support.ts'
import { startProvider } from '../billing/support.ts'
import { addServer } from '../votes/support.ts'
import { bidOnce, call, newsOf, offersOf } from './support.ts'

const provider = await startProvider()
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database
/** New ones for each test: an account that did not pay an offer can't bid again. */
const addPeople = () => Promise.all([addPerson(pool), addPerson(pool), addPerson(pool)])
let people = await addPeople()
let [anna, bert, cleo] = people
beforeEach(async () => {
  people = await addPeople()
  ;[anna, bert, cleo] = people
})

/** An auction on which anna, bert and cleo have bid, in this order. */
async function contested(): Promise<string> {
  const id = await addAuction(pool)
  for (const [place, who] of people.entries()) await bidOnce(api, who, id, 500 + 100 * place)
  return id
}
const statusOf = async (id: string) =>
  (await pool.query('select status from auctions where id = $1', [id])).rows[0].status

describe('closing', () => {
  it('does nothing to an auction that is not over, or was canceled', async () => {
    const id = await contested()
    await closeAuction(api.deps, id)
    expect([await statusOf(id), await offersOf(pool, id)]).toEqual(['active', []])
    await pool.query(`update auctions set status = 'canceled' where id = $1`, [id])
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    expect([await statusOf(id), await offersOf(pool, id)]).toEqual(['canceled', []])
    expect((await newsOf(pool, id)).map((news) => (news as { event: string }).event)).not.toContain('auctionWon')
  })

  it.each([
    ['the close job', (id: string) => closeAuction(api.deps, id)],
    ['the winner’s checkout', (id: string) => call(api, cleo, 'POST', `/auctions/${id}/checkout`, {})],
  ])(
    'by %s runs again if it deadlocks with a deletion of the winner, which locks in the other order',
    async (_, closeBy) => {
      const id = await contested()
      await pool.query('update bids set server_id = $2 where auction_id = $1 and user_id = $3', [
        id,
        await addServer(pool, { ownerId: cleo.id }),
        cleo.id,
      ])
      await endAuction(pool, id)
      let closing: Promise<unknown> = Promise.resolve()
      const deleteWinner = async (tx: Db) => {
        await tx.query('select from users where id = $1 for update', [cleo.id])
        closing = closeBy(id)
        await expect.poll(() => countLockWaits(pool), { interval: 20 }).toBe(1)
        await tx.query('select from auctions where id = $1 for no key update', [id])
      }
      // On a busy machine the deletion may be the victim instead; like that of accounts, it then runs again.
      await retryDeadlocks(() => inTransaction(pool, deleteWinner))
      await closing
      expect(await offersOf(pool, id)).toMatchObject([{ userId: cleo.id, status: 'open' }])
    },
  )

  it('makes the highest bidder win, once, however many processes close it at the same time', async () => {
    const id = await contested()
    await endAuction(pool, id)
    await Promise.all(Array.from({ length: 8 }, () => closeAuction(api.deps, id)))
    await closeAuction(api.deps, id)
    expect(await statusOf(id)).toBe('completed')
    expect(await offersOf(pool, id)).toMatchObject([{ userId: cleo.id, amount: 700, status: 'open' }])
    const won = (await newsOf(pool, id)).filter((news) => (news as { event: string }).event === 'auctionWon')
    expect(won).toEqual([
      {
        event: 'auctionWon',
        at: expect.any(String),
        userId: cleo.id,
        data: {
          auctionId: id,
          title: 'A week at the top',
          ...{ amountCents: 700, currency: 'USD', expiresAt: expect.stringMatching(/Z$/) },
        },
      },
    ])
    const { rows } = await pool.query<{ hours: string }>(
      'select extract(epoch from expires_at - offered_at) / 3600 as hours from auction_offers where auction_id = $1',
      [id],
    )
    expect(Number(rows[0]?.hours)).toBe(48)
  })

  it('is done by the sweep if the job was lost, also days later', async () => {
    const [missed, late, without] = [await contested(), await contested(), await addAuction(pool)]
    for (const id of [missed, late, without]) await endAuction(pool, id)
    await pool.query(
      `update auctions set starts_at = now() - interval '9 days', ends_at = now() - interval '5 days' where id = $1`,
      [late],
    )
    await Promise.all([sweepAuctions(api.deps), sweepAuctions(api.deps)])
    for (const id of [missed, late]) expect(await offersOf(pool, id)).toMatchObject([{ userId: cleo.id }])
    expect([await statusOf(without), await offersOf(pool, without)]).toEqual(['completed', []])
  })

  it('races the last bids: what was accepted before the end counts, and nothing after it', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await addAuction(pool, { endsIn: 0.15 })
      await Promise.all([
        ...people.map((who, place) => call(api, who, 'POST', `/auctions/${id}/bid`, { bidAmount: 500 + 100 * place })),
        (async () => {
          while ((await statusOf(id)) === 'active') await closeAuction(api.deps, id)
        })(),
      ])
      const { rows } = await pool.query<{ most: number | null }>(
        'select max(amount) as most from bids where auction_id = $1',
        [id],
      )
      const most = rows[0]?.most ?? null
      expect((await offersOf(pool, id)).map(({ amount }) => amount)).toEqual(most === null ? [] : [most])
    }
  })

  it('passes over a bidder who was banned meanwhile', async () => {
    const banned = await addPerson(pool)
    const id = await contested()
    await bidOnce(api, banned, id, 2000)
    await pool.query('update users set banned_at = now() where id = $1', [banned.id])
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    expect(await offersOf(pool, id)).toMatchObject([{ userId: cleo.id, amount: 700 }])
  })

  it('ignores a server that no longer belongs to the bidder', async () => {
    const serverId = await addServer(pool, { ownerId: anna.id })
    const id = await addAuction(pool)
    await bidOnce(api, anna, id, 500, serverId)
    await pool.query('update servers set owner_id = $2 where id = $1', [serverId, bert.id])
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    const { rows } = await pool.query('select server_id as "serverId" from auction_offers where auction_id = $1', [id])
    expect(rows).toEqual([{ serverId: null }])
  })

  it('sends an event to the webhook of the server that won', async () => {
    const serverId = await addServer(pool, { ownerId: anna.id })
    const secret = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined }).encrypt(
      'webhook',
      newSecret(),
    )
    await pool.query(
      `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, 'https://owner.example/', '{auction.won}', $2)`,
      [serverId, secret],
    )
    const id = await addAuction(pool)
    await bidOnce(api, anna, id, 500, serverId)
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    const { rows } = await pool.query<{ body: string }>(`select body from endpoint_deliveries where endpoint_id = $1`, [
      serverId,
    ])
    expect(rows.map(({ body }) => JSON.parse(body))).toEqual([
      {
        type: 'auction.won',
        timestamp: expect.any(String),
        data: { auctionId: id, title: 'A week at the top', serverId, amountCents: 500, payWithinHours: 48 },
      },
    ])
  })

  it('is done by a worker at the second it is due, also after the end was moved', async () => {
    const jobs = await openWorkerJobs({ url: api.database.url, log: testLog, applicationName: 'test-worker' })
    const stop = await startWorker({ ...api.deps, jobs })
    try {
      const admin = await addPerson(pool, { isAdmin: true })
      const make = async (softCloseSeconds: number) => {
        const { body } = await call(api, admin, 'POST', '/admin/auctions', {
          slotId: (await addSlot(pool)).id,
          title: 'A week',
          endsAt: new Date(Date.now() + 5_000).toISOString(),
          startingBid: 500,
          minimumIncrement: 100,
          softCloseSeconds,
        })
        await bidOnce(api, anna, body.id, 500)
        return body.id as string
      }
      const [hard, soft] = [await make(0), await make(2)]
      for (const id of [hard, soft]) await expect.poll(() => offersOf(pool, id)).toHaveLength(1)
      const { rows } = await pool.query(
        `select ends_at >= placed_at + interval '2 seconds' as moved from auctions join bids on auction_id = auctions.id
         where auctions.id = $1`,
        [soft],
      )
      expect(rows).toEqual([{ moved: true }])
    } finally {
      await stop()
    }
  })
})

describe('an offer that is not paid', () => {
  it('goes from bidder to bidder, to each once', async () => {
    const id = await contested()
    await bidOnce(api, anna, id, 800) // she has bid twice, and is asked once
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    for (let turn = 0; turn < 4; turn++) {
      await endOffer(pool, id)
      await Promise.all([sweepAuctions(api.deps), sweepAuctions(api.deps)])
    }
    expect(await offersOf(pool, id)).toMatchObject([
      { userId: anna.id, amount: 800, status: 'expired' },
      { userId: cleo.id, amount: 700, status: 'expired' },
      { userId: bert.id, amount: 600, status: 'expired' },
    ])
    expect(await call(api, undefined, 'GET', `/auctions/${id}`)).toMatchObject({
      body: { status: 'completed', winnerServerId: null },
    })
  })

  it('goes to the next bidder only after its time and the 35 minutes of its last page', async () => {
    const id = await contested()
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    for (const minutes of [-1, 1, 34]) {
      await pool.query(
        `update auction_offers set expires_at = now() - make_interval(mins => $2) where auction_id = $1`,
        [id, minutes],
      )
      await sweepAuctions(api.deps)
      expect(await offersOf(pool, id)).toMatchObject([{ userId: cleo.id, status: 'open' }])
    }
    await pool.query(`update auction_offers set expires_at = now() - interval '36 minutes' where auction_id = $1`, [id])
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, id)).toMatchObject([{ status: 'expired' }, { userId: bert.id, status: 'open' }])
  })

  it('goes to the next bidder when the winner’s account is deleted', async () => {
    const admin = await addPerson(pool, { isAdmin: true })
    const leaving = await addPerson(pool)
    const id = await contested()
    await bidOnce(api, leaving, id, 900)
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    expect(await offersOf(pool, id)).toMatchObject([{ userId: leaving.id }])
    expect(await call(api, admin, 'DELETE', `/admin/users/${leaving.id}`)).toMatchObject({ status: 200 })
    await sweepAuctions(api.deps)
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, id)).toMatchObject([{ userId: cleo.id, amount: 700, status: 'open' }])
  })

  it('is not made while the slot is inactive, and is once it is active again', async () => {
    const { id: slotId } = await addSlot(pool)
    const id = await addAuction(pool, { slotId })
    await bidOnce(api, anna, id, 500)
    await pool.query('update ad_slots set is_active = false where id = $1', [slotId])
    await endAuction(pool, id)
    await closeAuction(api.deps, id)
    await sweepAuctions(api.deps)
    expect([await statusOf(id), await offersOf(pool, id)]).toEqual(['completed', []])
    await pool.query('update ad_slots set is_active = true where id = $1', [slotId])
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, id)).toMatchObject([{ userId: anna.id, status: 'open' }])
  })

  it('that was refunded ends the auction for good', async () => {
    const serverId = await addServer(pool, { ownerId: anna.id })
    const id = await addWonAuction(pool, anna.id, serverId)
    await pool.query(
      `insert into bids (id, auction_id, user_id, amount, placed_at) values (gen_random_uuid(), $1, $2, 900, now())`,
      [id, bert.id],
    )
    await pool.query(`update auction_offers set status = 'refunded' where auction_id = $1`, [id])
    await pool.query(
      `insert into placements (id, slot_id, offer_id, server_id, starts_at, ends_at, ended_at, end_reason)
       select gen_random_uuid(), slot_id, offer.id, server_id, now(), now() + interval '1 day', now(), 'refunded'
       from auction_offers as offer join auctions on auctions.id = auction_id where auction_id = $1`,
      [id],
    )
    await sweepAuctions(api.deps)
    expect(await offersOf(pool, id)).toHaveLength(1)
  })
})
