// Ad slots, their placements, and featured servers: by placements or by an administrator.
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { applyPayment } from '../../../src/features/auctions/index.ts'
import { updatePlacements } from '../../../src/features/placements/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction, addSlot, addWonAuction } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { call, offersOf } from '../auctions/support.ts'
import { addServer } from '../votes/support.ts'

const api = await startTestApi()
const { pool } = api.database
const admin = await addPerson(pool, { isAdmin: true })
const owner = await addPerson(pool)
const get = (path: string) => call(api, undefined, 'GET', path)
const slots = (method: string, path: string, body?: object) => call(api, admin, method, `/admin/ad-slots${path}`, body)
const newSlot = (changes: object = {}) => ({
  location: `place-${uuidv7()}`,
  tier: 'premium',
  name: 'Top',
  width: 728,
  height: 90,
  ...changes,
})
const featured = async (serverId: string) => (await get(`/servers/${serverId}/featured`)).body
const running = async (location: string) => (await get(`/ad-placements/${location}`)).body.placements

/** Adds a paid placement, in a new slot unless one is given. */
async function place({ slotId, serverId }: { slotId?: string; serverId?: string } = {}) {
  const slot = slotId ? { id: slotId, location: '' } : await addSlot(pool)
  const server = serverId ?? (await addServer(pool, { ownerId: owner.id }))
  const auctionId = await addWonAuction(pool, owner.id, server)
  await pool.query('update auctions set slot_id = $2 where id = $1', [auctionId, slot.id])
  const [offer] = await offersOf(pool, auctionId)
  await applyPayment(api.deps, {
    reference: offer?.id ?? '',
    status: 'paid',
    paymentId: 'pi_1',
    sessionId: `cs_${auctionId}`,
  })
  return { slotId: slot.id, location: slot.location, serverId: server, offerId: offer?.id ?? '' }
}
const end = (offerId: string) =>
  pool.query(
    `update placements set starts_at = now() - interval '8 days', ends_at = now() - interval '1 second' where offer_id = $1`,
    [offerId],
  )

describe('ad slots', () => {
  it('are created, listed, changed and deleted by administrators, with audit entries', async () => {
    const given = newSlot()
    const { status, body: created } = await slots('POST', '', given)
    expect(status).toBe(201)
    expect(created).toEqual({ id: created.id, ...given, isActive: true })
    expect((await slots('GET', '?limit=100')).body.adSlots).toContainEqual(created)
    const changed = await slots('PATCH', `/${created.id}`, { name: 'Top banner', width: 970, isActive: false })
    expect(changed).toEqual({ status: 200, body: { ...created, name: 'Top banner', width: 970, isActive: false } })
    expect(await slots('DELETE', `/${created.id}`)).toEqual({ status: 200, body: { success: true } })
    for (const method of ['DELETE', 'PATCH'])
      for (const id of [created.id, 'nothing']) expect(await slots(method, `/${id}`, {})).toMatchObject({ status: 404 })
    const { rows } = await pool.query('select action from audit_log where target_id = $1 order by id', [created.id])
    expect(rows.map(({ action }) => action)).toEqual(['ad-slot.create', 'ad-slot.update', 'ad-slot.delete'])
  })

  it('have a unique name within a location and tier', async () => {
    const given = newSlot()
    const first = await slots('POST', '', given)
    const second = await slots('POST', '', { ...given, name: 'Side' })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await slots('POST', '', given)).toMatchObject({ status: 400, body: { error: 'slot_exists' } })
    expect(await slots('PATCH', `/${second.body.id}`, { name: 'Top' })).toMatchObject({
      body: { error: 'slot_exists' },
    })
    expect(await slots('PATCH', `/${second.body.id}`, { name: 'Side' })).toMatchObject({ status: 200 })
  })

  it.each([
    [{ location: 'Not a location' }, 'location'],
    [{ tier: 'free' }, 'tier'],
    [{ name: '' }, 'name'],
    [{ width: 0 }, 'width'],
    [{ height: 1.5 }, 'height'],
    [{ isActive: 'yes' }, 'isActive'],
  ])('with %j are refused', async (changes, field) => {
    expect(await slots('POST', '', newSlot(changes))).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', details: [{ path: `body.${field}` }] },
    })
  })

  it('reject changes of location and tier', async () => {
    const { id } = await addSlot(pool)
    for (const field of ['location', 'tier', 'id'])
      expect(await slots('PATCH', `/${id}`, { [field]: 'standard' })).toMatchObject({
        body: { details: [{ path: `body.${field}` }] },
      })
  })

  it('with auctions can be made inactive, not deleted', async () => {
    const { id } = await addSlot(pool)
    await addAuction(pool, { slotId: id })
    expect(await slots('DELETE', `/${id}`)).toMatchObject({ status: 400, body: { error: 'slot_in_use' } })
    expect(await slots('PATCH', `/${id}`, { isActive: false })).toMatchObject({ status: 200 })
  })
})

describe('running placements', () => {
  it('are listed at their location, and an unknown location is 404', async () => {
    const { location, serverId } = await place()
    const empty = await addSlot(pool)
    expect(await running(location)).toMatchObject([{ location, serverId }])
    const all = (await get('/ad-placements')).body.placements as { location: string }[]
    expect(all.filter((one) => one.location === location)).toEqual(await running(location))
    expect(await running(empty.location)).toEqual([])
    expect(await get('/ad-placements/nowhere')).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  it('show the current name, banner and website of the server, or its page in the directory', async () => {
    const { location, serverId } = await place()
    const [before] = await running(location)
    expect(new URL(before.linkUrl).pathname).toBe(`/servers/${serverId}`)
    const withoutSite = await startTestApi({ database: api.database, settings: { SITE: 'off' } })
    const [data] = (await call(withoutSite, undefined, 'GET', `/ad-placements/${location}`)).body.placements
    expect(new URL(data.linkUrl).pathname).toBe(`/api/public/servers/${serverId}`)
    await pool.query(
      `update servers set name = 'Renamed', banner_url = 'https://a.example/b.png', website = 'https://a.example/' where id = $1`,
      [serverId],
    )
    expect(await running(location)).toEqual([
      { ...before, title: 'Renamed', imageUrl: 'https://a.example/b.png', linkUrl: 'https://a.example/' },
    ])
  })

  it('show the banner that was uploaded, before one at an address', async () => {
    const { location, serverId } = await place()
    const hash = 'b'.repeat(43)
    await pool.query(`insert into images (hash, webp, card) values ($1, '', '')`, [hash])
    await pool.query(`update servers set banner_url = 'https://a.example/b.png', banner_hash = $2 where id = $1`, [
      serverId,
      hash,
    ])
    const [{ imageUrl }] = await running(location)
    expect(imageUrl).toBe(`${api.deps.settings.PUBLIC_BASE_URL}/images/${hash}.webp`)
  })

  it('are hidden and feature no server while the slot is inactive, and their time elapses', async () => {
    const { location, serverId, slotId } = await place()
    const [before] = await running(location)
    await slots('PATCH', `/${slotId}`, { isActive: false })
    expect(await running(location)).toEqual([])
    expect(await featured(serverId)).toEqual({ isFeatured: false, placement: null })
    await slots('PATCH', `/${slotId}`, { isActive: true })
    expect(await running(location)).toEqual([before])
    expect(await featured(serverId)).toEqual({ isFeatured: true, placement: before })
  })

  it('are hidden once the server is removed or hidden', async () => {
    const removed = await place()
    await call(api, owner, 'DELETE', `/servers/${removed.serverId}`)
    expect(await running(removed.location)).toEqual([])
    expect(await get(`/servers/${removed.serverId}/featured`)).toMatchObject({ status: 404 })
    const hidden = await place()
    expect(await call(api, admin, 'PATCH', `/admin/servers/${hidden.serverId}`, { hidden: true })).toMatchObject({
      status: 200,
    })
    expect(await running(hidden.location)).toEqual([])
  })

  it('run one at a time in a slot: the next begins when the previous one ends', async () => {
    const first = await place()
    const second = await place({ slotId: first.slotId })
    expect((await running(first.location)).map(({ serverId }: { serverId: string }) => serverId)).toEqual([
      first.serverId,
    ])
    expect(await featured(second.serverId)).toMatchObject({ isFeatured: false })
    const { rows } = await pool.query(
      `select second.starts_at = first.ends_at as follows, second.ends_at - second.starts_at = interval '7 days' as "isWhole"
       from placements as first, placements as second where first.offer_id = $1 and second.offer_id = $2`,
      [first.offerId, second.offerId],
    )
    expect(rows).toEqual([{ follows: true, isWhole: true }])
    await end(first.offerId)
    await pool.query(
      `update placements set starts_at = now() - interval '1 second', ends_at = now() + interval '7 days' where offer_id = $1`,
      [second.offerId],
    )
    await updatePlacements(api.deps)
    expect((await running(first.location)).map(({ serverId }: { serverId: string }) => serverId)).toEqual([
      second.serverId,
    ])
    expect(await featured(first.serverId)).toMatchObject({ isFeatured: false })
    expect(await featured(second.serverId)).toMatchObject({ isFeatured: true })
  })

  it('never overlap when many are paid for at the same time', async () => {
    const { id: slotId } = await addSlot(pool)
    await Promise.all(Array.from({ length: 8 }, () => place({ slotId })))
    const { rows } = await pool.query(
      `select count(*) as pairs from placements as a join placements as b on a.slot_id = b.slot_id and a.id < b.id
       where a.slot_id = $1 and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)`,
      [slotId],
    )
    expect(rows).toEqual([{ pairs: 0 }])
  })
})

describe('a featured server', () => {
  it('is featured while any of its placements runs', async () => {
    const first = await place()
    const second = await place({ serverId: first.serverId })
    await end(first.offerId)
    await updatePlacements(api.deps)
    expect(await featured(first.serverId)).toMatchObject({ isFeatured: true, placement: { location: second.location } })
    await end(second.offerId)
    await updatePlacements(api.deps)
    expect(await featured(first.serverId)).toEqual({ isFeatured: false, placement: null })
  })

  it('stays featured by an administrator when its placement ends', async () => {
    const { serverId, offerId } = await place()
    const setFeatured = (isFeatured: boolean) => call(api, admin, 'PATCH', `/admin/servers/${serverId}`, { isFeatured })
    expect(await setFeatured(true)).toMatchObject({ status: 200 })
    await end(offerId)
    await updatePlacements(api.deps)
    expect(await featured(serverId)).toEqual({ isFeatured: true, placement: null })
    expect(await setFeatured(false)).toMatchObject({ status: 200 })
    expect(await featured(serverId)).toEqual({ isFeatured: false, placement: null })
  })

  it('stays featured by its paid placement when an administrator unsets it', async () => {
    const { serverId } = await place()
    await call(api, admin, 'PATCH', `/admin/servers/${serverId}`, { isFeatured: true })
    await call(api, admin, 'PATCH', `/admin/servers/${serverId}`, { isFeatured: false })
    expect(await featured(serverId)).toMatchObject({ isFeatured: true, placement: { serverId } })
  })

  it('is in the list of featured servers, and an unknown server is 404', async () => {
    const { serverId } = await place()
    const plain = await addServer(pool)
    const { servers } = (await get('/servers/featured')).body as { servers: { id: string }[] }
    expect(servers).toContainEqual(
      expect.objectContaining({ id: serverId, game: 'ase', gameName: 'Ark: Survival Evolved', country: '' }),
    )
    expect(servers.map(({ id }) => id)).not.toContain(plain)
    expect(await featured(plain)).toEqual({ isFeatured: false, placement: null })
    for (const id of [randomUUID(), 'nothing'])
      expect(await get(`/servers/${id}/featured`)).toMatchObject({ status: 404 })
  })
})
