// A winner who can't pay is not barred: the offer waits for the obstacle to go, and then is open for 48 hours.
import { beforeEach, describe, expect, it } from 'vitest'
import { closeAuction, sweepAuctions } from '../../../src/features/auctions/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { addAuction, addSlot, endAMonthAgo, endAuction, endOffer } from '../../support/auctions.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { isPageCreation, startEntrance, startProvider } from '../billing/support.ts'
import { addServer } from '../votes/support.ts'
import { bidOnce, call, newsOf, offersOf } from './support.ts'

const provider = await startProvider()
const api = await startTestApi({ settings: provider.settings })
const { pool } = api.database
const settingsOf = (changes: Record<string, string>) =>
  requireProcessSettings(readSettings({ DATABASE_URL: api.database.url, APP_SECRET: TEST_SECRET, ...changes }))
/** Workers whose provider is out of reach, whose new pages arrive late, and without a provider. */
const cutOff = { ...api.deps, settings: settingsOf({ ...provider.settings, STRIPE_API_BASE: 'http://127.0.0.1:1' }) }
const entrance = await startEntrance(provider, { answered: true, chosen: isPageCreation })
const slow = { ...api.deps, settings: settingsOf(entrance.settings) }
const billingOff = { ...api.deps, settings: settingsOf({}) }

let [winner, next, slotId, auctionId] = [await addPerson(pool), await addPerson(pool), '', '']
beforeEach(async () => {
  ;[winner, next] = [await addPerson(pool), await addPerson(pool)]
  slotId = (await addSlot(pool)).id
  auctionId = await addAuction(pool, { slotId })
  await bidOnce(api, next, auctionId, 500, await addServer(pool, { ownerId: next.id }))
  await bidOnce(api, winner, auctionId, 600, await addServer(pool, { ownerId: winner.id }))
  await endAuction(pool, auctionId)
  await closeAuction(api.deps, auctionId)
})

const setActive = (isActive: boolean) =>
  pool.query('update ad_slots set is_active = $2 where id = $1', [slotId, isActive])
const checkout = (who: Person = winner) => call(api, who, 'POST', `/auctions/${auctionId}/checkout`, {})
const statuses = async () => (await offersOf(pool, auctionId)).map(({ status }) => status)
const shown = async () =>
  (await call(api, winner, 'GET', `/user/auctions?auctionId=${auctionId}`)).body.auctions[0].offer
const kinds = async () =>
  (await shown()).obstacles.map(({ kind, endedAt }: { kind: string; endedAt: string | null }) => [
    kind,
    endedAt !== null,
  ])

/** Whether the winner has 48 hours from about now. */
async function expectWholeTime() {
  const hours = (Date.parse((await shown()).expiresAt) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(47.9)
  expect(hours).toBeLessThanOrEqual(48)
}
const mayBid = async () =>
  (await call(api, winner, 'POST', `/auctions/${await addAuction(pool)}/bid`, { bidAmount: 500 })).status
const wins = async () =>
  (await newsOf(pool, auctionId)).filter((news) => (news as { event: string }).event === 'auctionWon').length

describe('a slot that is inactive', () => {
  it('keeps the offer open, and gives the winner 48 hours once it is active again', async () => {
    await setActive(false)
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect([await statuses(), await kinds()]).toEqual([['open'], [['slot_inactive', false]]])
    expect(await checkout()).toMatchObject({ status: 400, body: { error: 'slot_inactive' } })
    await setActive(true)
    await sweepAuctions(api.deps)
    expect([await statuses(), await kinds()]).toEqual([['open'], [['slot_inactive', true]]])
    await expectWholeTime()
    expect(await wins()).toBe(2) // the winner is notified again
    expect(await checkout()).toMatchObject({ status: 200 })
  })

  it('between two sweeps extends the offer too, and does so once', async () => {
    await setActive(false)
    await endOffer(pool, auctionId)
    await setActive(true)
    await Promise.all([sweepAuctions(api.deps), sweepAuctions(api.deps)])
    expect([await statuses(), await kinds()]).toEqual([['open'], [['slot_inactive', true]]])
    await expectWholeTime()
    expect(await mayBid()).toBe(201)
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect(await statuses()).toEqual(['expired', 'open'])
    expect(await mayBid()).toBe(403)
  })

  it('lets a winner pay who comes before the sweep', async () => {
    await setActive(false)
    await endOffer(pool, auctionId)
    await setActive(true)
    expect(await checkout()).toMatchObject({ status: 200 })
    await expectWholeTime()
  })

  it('before the offer was made is no obstacle', async () => {
    const other = await addAuction(pool, { slotId })
    await bidOnce(api, winner, other, 500)
    await endAuction(pool, other)
    await setActive(false)
    await closeAuction(api.deps, other)
    await setActive(true)
    await sweepAuctions(api.deps)
    const { rows } = await pool.query(
      `select kind from auction_offer_obstacles join auction_offers on id = offer_id where auction_id = $1`,
      [other],
    )
    expect([(await offersOf(pool, other)).length, rows]).toEqual([1, []])
  })

  it('for 30 days after the auction withdraws the offer, without barring the winner', async () => {
    await setActive(false)
    await endOffer(pool, auctionId)
    await endAMonthAgo(pool, auctionId)
    await sweepAuctions(api.deps)
    expect([await statuses(), await mayBid()]).toEqual([['withdrawn'], 201])
  })
})

describe('billing that is off', () => {
  it('keeps the offer open, and gives the winner 48 hours once it is on', async () => {
    await endOffer(pool, auctionId)
    await sweepAuctions(billingOff)
    await sweepAuctions(billingOff)
    expect([await statuses(), await kinds()]).toEqual([['open'], [['billing_off', false]]])
    await sweepAuctions(api.deps)
    expect([await statuses(), await kinds()]).toEqual([['open'], [['billing_off', true]]])
    await expectWholeTime()
    expect(await mayBid()).toBe(201)
  })

  it('is noted when the winner tries to pay', async () => {
    const off = await startTestApi({ database: api.database })
    expect(await call(off, winner, 'POST', `/auctions/${auctionId}/checkout`, {})).toMatchObject({ status: 503 })
    expect(await kinds()).toEqual([['billing_off', false]])
  })
})

describe('a provider that is out of reach', () => {
  /** The winner could not pay, and the provider is back. */
  async function beUnavailable() {
    const end = provider.failCalls(isPageCreation)
    expect((await checkout()).status).toBe(503)
    end()
    await endOffer(pool, auctionId)
    expect(await kinds()).toEqual([['provider_unavailable', false]])
  }

  it('when the winner tries to pay keeps the offer open until a page is opened, by the winner', async () => {
    const end = provider.failCalls(isPageCreation)
    expect((await checkout()).status).toBe(503)
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect([await statuses(), await kinds()]).toEqual([['open'], [['provider_unavailable', false]]])
    end()
    expect((await checkout()).status).toBe(200)
    expect(await kinds()).toEqual([['provider_unavailable', true]])
    await expectWholeTime()
    expect(await wins()).toBe(1)
  })

  it('only for one of two requests is none, since the other opens the page', async () => {
    const slowApi = await startTestApi({ database: api.database, settings: entrance.settings })
    const release = entrance.hold()
    const before = entrance.held()
    const lost = call(slowApi, winner, 'POST', `/auctions/${auctionId}/checkout`, {})
    await expect.poll(entrance.held).toBe(before + 1)
    expect(await checkout()).toMatchObject({ status: 200 })
    entrance.disconnect()
    await expect.poll(entrance.held).toBe(before + 2) // the SDK tries once more
    entrance.disconnect()
    expect((await lost).status).toBe(503)
    release()
    expect(await kinds()).toEqual([])
  })

  it('is tried again by the sweep, which tells the winner', async () => {
    const end = provider.failCalls(isPageCreation)
    await checkout()
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    end()
    await sweepAuctions(api.deps)
    expect([await statuses(), await kinds(), await wins()]).toEqual([['open'], [['provider_unavailable', true]], 2])
    await expectWholeTime()
  })

  it('is tried by two sweeps at once, of which one tells the winner', async () => {
    await beUnavailable()
    const open = entrance.hold()
    const before = entrance.held()
    const sweeps = [sweepAuctions(slow), sweepAuctions(slow)]
    await expect.poll(() => entrance.held()).toBe(before + 2)
    open()
    await Promise.all(sweeps)
    expect([await kinds(), await wins()]).toEqual([[['provider_unavailable', true]], 2])
    await expectWholeTime()
  })

  it('is tried by the sweep while the winner opens the page, who needs no notice then', async () => {
    await beUnavailable()
    const open = entrance.hold()
    const before = entrance.held()
    const sweep = sweepAuctions(slow)
    await expect.poll(() => entrance.held()).toBe(before + 1)
    expect((await checkout()).status).toBe(200)
    open()
    await sweep
    expect([await kinds(), await wins()]).toEqual([[['provider_unavailable', true]], 1])
    await expectWholeTime()
  })

  it('at the end of the 48 hours keeps the offer open, if no page was opened before', async () => {
    await endOffer(pool, auctionId)
    await sweepAuctions(cutOff)
    expect([await statuses(), await kinds()]).toEqual([['open'], [['provider_unavailable', false]]])
    await sweepAuctions(api.deps)
    await expectWholeTime()
    expect(await mayBid()).toBe(201)
  })

  it('is no excuse for a winner who had a page, once it says that the page was not paid', async () => {
    expect((await checkout()).status).toBe(200)
    await endOffer(pool, auctionId)
    await sweepAuctions(cutOff)
    expect([await statuses(), await mayBid()]).toEqual([['open'], 201])
    await sweepAuctions(api.deps)
    expect([await statuses(), await mayBid()]).toEqual([['expired', 'open'], 403])
  })

  it('is no excuse for a winner who did not try, once it can be reached', async () => {
    await endOffer(pool, auctionId)
    await sweepAuctions(api.deps)
    expect([await statuses(), await mayBid()]).toEqual([['expired', 'open'], 403])
  })
})

describe('obstacles', () => {
  it('are shown to administrators with the offer', async () => {
    await setActive(false)
    await sweepAuctions(api.deps)
    const admin = await addPerson(pool, { isAdmin: true })
    const { body } = await call(api, admin, 'GET', `/admin/auctions/${auctionId}`)
    expect(body.offers[0].obstacles).toEqual([{ kind: 'slot_inactive', beganAt: expect.any(String), endedAt: null }])
  })

  it('that follow each other extend the offer after the last', async () => {
    await setActive(false)
    await sweepAuctions(billingOff)
    await setActive(true)
    await sweepAuctions(billingOff)
    await endOffer(pool, auctionId)
    await sweepAuctions(billingOff)
    expect(await kinds()).toEqual([
      ['slot_inactive', true],
      ['billing_off', false],
    ])
    expect(await wins()).toBe(1)
    await sweepAuctions(api.deps)
    await expectWholeTime()
    expect(await wins()).toBe(2)
  })
})
