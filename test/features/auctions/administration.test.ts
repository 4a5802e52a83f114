// Administration of auctions, filters of lists, and the weekly rounds.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRound } from '../../../src/features/auctions/index.ts'
import { roundOf } from '../../../src/features/auctions/rounds.service.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, addSlot, endAuction } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { bidOnce, call, closesAt } from './support.ts'

const api = await startTestApi({ settings: { AUCTION_SOFT_CLOSE_SECONDS: '90' } })
const { pool } = api.database
const admin = await addPerson(pool, { isAdmin: true })
const bidder = await addPerson(pool)
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const terms = async (changes: object = {}) => ({
  slotId: (await addSlot(pool)).id,
  title: 'A week at the top',
  endsAt: inHours(24),
  startingBid: 500,
  minimumIncrement: 100,
  ...changes,
})
const create = async (changes: object = {}) => call(api, admin, 'POST', '/admin/auctions', await terms(changes))
const change = (id: string, body: unknown) => call(api, admin, 'PATCH', `/admin/auctions/${id}`, body)
async function invalidateBids(auctionId: string): Promise<void> {
  await pool.query(`update bids set invalid_at = now(), invalid_reason = 'defaulted' where auction_id = $1`, [
    auctionId,
  ])
  await pool.query('update auctions set current_bid = null, leading_bid_id = null, bid_count = 0 where id = $1', [
    auctionId,
  ])
}
const audited = async (id: string) =>
  (
    await pool.query<{ action: string }>('select action from audit_log where target_id = $1 order by id', [id])
  ).rows.map(({ action }) => action)

describe('creating an auction', () => {
  it('takes tier and location of its slot, is audited, and schedules its close job for its end', async () => {
    const { id: slotId, location } = await addSlot(pool, { tier: 'enterprise' })
    const { status, body } = await create({ slotId })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      tier: 'enterprise',
      location,
      status: 'active',
      currentBid: null,
      bidCount: 0,
      leadingBidder: null,
      placementDays: 7,
      softCloseSeconds: 90,
      offers: [],
    })
    expect(await closesAt(pool, body.id)).toEqual([body.endsAt])
    const { rows } = await pool.query('select action, details from audit_log where target_id = $1', [body.id])
    expect(rows).toEqual([
      { action: 'auction.create', details: expect.objectContaining({ slotId, endsAt: body.endsAt, startingBid: 500 }) },
    ])
    expect(await call(api, undefined, 'GET', `/auctions/${body.id}`)).toMatchObject({ status: 200, body: { bids: [] } })
  })

  it.each([
    [{ slotId: 'nothing' }, 'slotId'],
    [{ slotId: randomUUID() }, 'slotId'],
    [{ endsAt: inHours(-1) }, 'endsAt'],
    [{ startsAt: inHours(30) }, 'endsAt'],
    [{ endsAt: inHours(24 * 367) }, 'endsAt'],
    [{ endsAt: 'tomorrow' }, 'endsAt'],
    [{ startsAt: '9999-12-30T00:00:00Z', endsAt: '9999-12-31T23:00:00-12:00' }, 'endsAt'], // in the year 10000
    [{ startingBid: 0 }, 'startingBid'],
    [{ startingBid: 0.5 }, 'startingBid'],
    [{ minimumIncrement: 0 }, 'minimumIncrement'],
    [{ minimumIncrement: 10_000_001 }, 'minimumIncrement'],
    [{ placementDays: 0 }, 'placementDays'],
    [{ softCloseSeconds: -1 }, 'softCloseSeconds'],
    [{ title: '' }, 'title'],
  ])('with %j is refused', async (changes, field) => {
    const { status, body } = await create(changes)
    expect([status, body.error]).toEqual([400, 'validation_failed'])
    expect(body.details).toMatchObject([{ path: `body.${field}` }])
  })

  it('of an inactive slot is refused', async () => {
    const { id: slotId } = await addSlot(pool, { isActive: false })
    expect(await create({ slotId })).toMatchObject({ status: 400, body: { error: 'slot_inactive' } })
  })
})

describe('changing an auction', () => {
  it('is possible before the first bid, and moves the close job with the end', async () => {
    const { body } = await create()
    const endsAt = inHours(48)
    const after = await change(body.id, { title: 'Another week', startingBid: 900, endsAt })
    expect(after).toMatchObject({ status: 200, body: { title: 'Another week', startingBid: 900, endsAt } })
    expect(await closesAt(pool, body.id)).toEqual([body.endsAt, endsAt])
    expect(await audited(body.id)).toEqual(['auction.create', 'auction.update'])
  })

  it('is not possible after the first bid, except canceling', async () => {
    const { body } = await create()
    await bidOnce(api, bidder, body.id, 500)
    expect(await change(body.id, { title: 'Another' })).toMatchObject({ status: 400, body: { error: 'has_bids' } })
    expect(await change(body.id, { status: 'canceled' })).toMatchObject({ status: 200, body: { status: 'canceled' } })
    expect(await audited(body.id)).toEqual(['auction.create', 'auction.cancel'])
  })

  it('is not possible once all its bids are invalid: their users saw its terms', async () => {
    const { body } = await create()
    await bidOnce(api, bidder, body.id, 500)
    await invalidateBids(body.id)
    expect(await change(body.id, { title: 'Another' })).toMatchObject({ status: 400, body: { error: 'has_bids' } })
    const shown = await call(api, admin, 'GET', `/admin/auctions/${body.id}`)
    expect(shown.body).toMatchObject({ bidCount: 0, hasBids: true })
  })

  it('is not possible once it is over', async () => {
    const id = await addAuction(pool)
    await endAuction(pool, id)
    for (const body of [{ title: 'Another' }, { status: 'canceled' }, { endsAt: inHours(3) }])
      expect(await change(id, body)).toMatchObject({ status: 400, body: { error: 'auction_closed' } })
  })

  it('refuses fields that may not be changed', async () => {
    const { body } = await create()
    for (const [field, value] of Object.entries({
      currentBid: 1,
      slotId: randomUUID(),
      tier: 'standard',
      status: 'completed',
    }))
      expect((await change(body.id, { [field]: value })).body).toMatchObject({
        error: 'validation_failed',
        details: [{ path: `body.${field}` }],
      })
    expect(await change(body.id, { endsAt: inHours(-1) })).toMatchObject({ status: 400 })
    expect(await change(randomUUID(), { title: 'Another' })).toMatchObject({ status: 404 })
    expect(await change('nothing', { title: 'Another' })).toMatchObject({ status: 404 })
  })

  it('comes before a bid or after it, never in between', async () => {
    const { body } = await create()
    const [edited, placed] = await Promise.all([
      change(body.id, { startingBid: 600 }),
      call(api, bidder, 'POST', `/auctions/${body.id}/bid`, { bidAmount: 550 }),
    ])
    expect([
      [200, 400],
      [400, 201],
    ]).toContainEqual([edited.status, placed.status])
  })
})

describe('a ban', () => {
  it('leaves the bids on a canceled auction as they are, and invalidates those on a running one', async () => {
    const banned = await addPerson(pool)
    const [canceled, running] = [await create(), await create()]
    for (const { body } of [canceled, running]) await bidOnce(api, banned, body.id, 500)
    await change(canceled.body.id, { status: 'canceled' })
    expect(await call(api, admin, 'PATCH', `/admin/users/${banned.id}`, { banned: true })).toMatchObject({
      status: 200,
    })
    const bidCounts = await Promise.all(
      [canceled, running].map(
        async ({ body }) => (await call(api, undefined, 'GET', `/auctions/${body.id}`)).body.bidCount,
      ),
    )
    expect(bidCounts).toEqual([1, 0])
  })
})

describe('deleting an auction', () => {
  it('is possible while it has no bids', async () => {
    const { body } = await create()
    expect(await call(api, admin, 'DELETE', `/admin/auctions/${body.id}`)).toMatchObject({ status: 200 })
    expect(await call(api, admin, 'DELETE', `/admin/auctions/${body.id}`)).toMatchObject({ status: 404 })
    expect(await audited(body.id)).toEqual(['auction.create', 'auction.delete'])
    const { body: bidOn } = await create()
    await bidOnce(api, bidder, bidOn.id, 500)
    expect(await call(api, admin, 'DELETE', `/admin/auctions/${bidOn.id}`)).toMatchObject({
      status: 400,
      body: { error: 'has_bids' },
    })
  })

  it('is refused with what is still possible: canceling, until it is over', async () => {
    const { body } = await create()
    await bidOnce(api, bidder, body.id, 500)
    const messageOf = async () => (await call(api, admin, 'DELETE', `/admin/auctions/${body.id}`)).body.message
    expect(await messageOf()).toBe('This auction has bids. It can’t be deleted, only canceled.')
    await endAuction(pool, body.id)
    expect(await messageOf()).toBe('This auction has bids. It can’t be deleted.')
    expect(await change(body.id, { status: 'canceled' })).toMatchObject({
      status: 400,
      body: { error: 'auction_closed' },
    })
  })

  it('is not possible once all its bids are invalid: they keep who may not bid', async () => {
    const { body } = await create()
    await bidOnce(api, bidder, body.id, 500)
    await invalidateBids(body.id)
    expect(await call(api, admin, 'DELETE', `/admin/auctions/${body.id}`)).toMatchObject({
      status: 400,
      body: { error: 'has_bids' },
    })
  })
})

describe('lists', () => {
  it('are filtered by status and tier; an auction past its end is completed, closed or not', async () => {
    const { id: slotId } = await addSlot(pool, { tier: 'standard' })
    const active = await addAuction(pool, { slotId })
    const over = await addAuction(pool, { slotId })
    await endAuction(pool, over)
    const off = await addAuction(pool, { slotId })
    await pool.query(`update auctions set status = 'canceled' where id = $1`, [off])
    for (const [status, id] of Object.entries({ active, completed: over, canceled: off })) {
      const query = `?status=${status}&tier=standard`
      expect((await call(api, undefined, 'GET', `/auctions${query}`)).body.auctions).toMatchObject([{ id, status }])
      const paged = (await call(api, admin, 'GET', `/admin/auctions${query}&limit=1`)).body
      expect(paged).toMatchObject({ auctions: [{ id }], pagination: { page: 1, limit: 1, total: 1, totalPages: 1 } })
    }
    const all = (await call(api, undefined, 'GET', '/auctions?tier=standard')).body.auctions as { id: string }[]
    expect(all.map(({ id }) => id).sort()).toEqual([active, over, off].sort())
    expect(await call(api, undefined, 'GET', '/auctions?status=open')).toMatchObject({ status: 400 })
    expect(await call(api, undefined, 'GET', '/auctions?tier=free')).toMatchObject({ status: 400 })
  })
})

describe('rounds', () => {
  const rounds = async (slotId: string) =>
    (
      await pool.query<{ id: string; startsAt: Date; endsAt: Date; startingBid: number }>(
        'select id, starts_at as "startsAt", ends_at as "endsAt", starting_bid as "startingBid" from auctions where slot_id = $1',
        [slotId],
      )
    ).rows

  it('are created once for each active slot, however often and concurrently the job runs', async () => {
    const active = await addSlot(pool)
    const inactive = await addSlot(pool, { isActive: false })
    await Promise.all(Array.from({ length: 4 }, () => createRound(api.deps)))
    await createRound(api.deps)
    const [made, ...more] = await rounds(active.id)
    expect(more).toEqual([])
    expect(made).toMatchObject({ startingBid: 500 })
    expect(await closesAt(pool, made?.id ?? '')).toEqual([made?.endsAt.toISOString()])
    expect(await rounds(inactive.id)).toEqual([])
  })

  it('keep an auction from being deleted that they would create again; once it is canceled, it stays canceled', async () => {
    const slot = await addSlot(pool)
    await createRound(api.deps)
    const [made] = await rounds(slot.id)
    const path = `/admin/auctions/${made?.id}`
    expect((await call(api, admin, 'GET', path)).body).toMatchObject({ hasBids: false, recurs: true })
    expect(await call(api, admin, 'DELETE', path)).toMatchObject({ status: 400, body: { error: 'auction_recurs' } })
    expect(await change(made?.id ?? '', { status: 'canceled' })).toMatchObject({ status: 200 })
    await createRound(api.deps)
    expect(await rounds(slot.id)).toEqual([made])
  })

  it('leave an auction deleted that was one of an earlier week, or whose slot is inactive', async () => {
    const slots = [await addSlot(pool), await addSlot(pool)]
    await createRound(api.deps)
    await pool.query(`update auctions set recurrence_key = slot_id || ' 2020-01-06' where slot_id = $1`, [slots[0]?.id])
    await pool.query('update ad_slots set is_active = false where id = $1', [slots[1]?.id])
    for (const { id } of slots) {
      const [made] = await rounds(id)
      expect((await call(api, admin, 'GET', `/admin/auctions/${made?.id}`)).body).toMatchObject({ recurs: false })
      expect(await call(api, admin, 'DELETE', `/admin/auctions/${made?.id}`)).toMatchObject({ status: 200 })
    }
    await createRound(api.deps)
    expect(await rounds(slots[1]?.id ?? '')).toEqual([])
  })

  it('are not created when they are off', async () => {
    const slot = await addSlot(pool)
    await createRound({ ...api.deps, settings: { ...api.deps.settings, AUCTION_RECURRENCE: 'off' } })
    expect(await rounds(slot.id)).toEqual([])
  })

  it('last from Monday to Monday; with less than a day left, the next week’s is created', () => {
    const of = (now: string) => Object.values(roundOf(new Date(now))).map((at) => at.toISOString().slice(0, 16))
    const week = ['2026-11-16T00:00', '2026-11-23T00:00']
    expect(of('2026-11-16T00:00:00.000Z')).toEqual(week)
    expect(of('2026-11-21T06:00:00.000Z')).toEqual(week)
    expect(of('2026-11-22T00:00:00.000Z')).toEqual(week)
    expect(of('2026-11-22T00:00:00.001Z')).toEqual(['2026-11-23T00:00', '2026-11-30T00:00'])
  })
})
