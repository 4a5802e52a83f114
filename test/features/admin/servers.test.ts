// Administrators list and change servers.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { addPerson } from '../../support/people.ts'
import { openAdminBench } from './support.ts'

const { pool, call, admin, list, entries } = await openAdminBench()

const idsOf = (body: Record<string, unknown>) => (body.servers as { id: string }[]).map(({ id }) => id)
const publicStatus = async (id: string) => (await call(undefined, 'GET', `/public/servers/${id}`)).status
const isScheduled = async (id: string) =>
  (await pool.query('select from server_polls where server_id = $1', [id])).rowCount === 1

describe('the list', () => {
  test('shows all fields of servers of any owner, newest first', async () => {
    const owner = await addPerson(pool)
    const older = await list(owner, { name: 'First of all', ipAddress: '10.200.0.1', gamePort: 7001 })
    const newer = await list(owner)
    await pool.query('update server_status set consecutive_failures = 4, map = $2 where server_id = $1', [
      older,
      'Ragnarok',
    ])
    const { status, body } = await call(admin, 'GET', '/admin/servers')
    expect(status).toBe(200)
    expect(idsOf(body).indexOf(newer)).toBeLessThan(idsOf(body).indexOf(older))
    const found = (body.servers as { id: string }[]).find(({ id }) => id === older)
    expect(found).toMatchObject({
      name: 'First of all',
      ipAddress: '10.200.0.1',
      gamePort: 7001,
      game: 'ase',
      ownerId: owner.id,
      ownerUsername: 'Someone',
      isVerified: false,
      isFeatured: false,
      hiddenAt: null,
      consecutiveFailures: 4,
      map: 'Ragnarok',
      lastPolledAt: null,
    })
  })

  test('is filtered by text, owner and state, and has pages', async () => {
    const owner = await addPerson(pool)
    const [a, b, c] = [
      await list(owner, { name: '100% Ámber Straße' }),
      await list(owner, { name: 'Beryl', ipAddress: 'beryl.example.com' }),
      await list(owner, { name: 'Cobalt' }),
    ]
    await call(admin, 'PATCH', `/admin/servers/${a}`, { hidden: true })
    await call(admin, 'PATCH', `/admin/servers/${b}`, { isVerified: true })
    await pool.query('update server_status set is_online = true where server_id = $1', [c])
    await pool.query('update servers set owner_id = null where id = $1', [c])
    const found = async (query: string) => idsOf((await call(admin, 'GET', `/admin/servers?${query}`)).body)
    expect(await found(`owner=${owner.id}`)).toEqual([b, a])
    expect(await found('owner=none')).toEqual([c])
    expect(await found(`owner=${uuidv7()}`)).toEqual([])
    expect(await found('search=0%25%20am')).toEqual([a])
    expect(await found('search=a%CC%81mber+STRASSE')).toEqual([a])
    expect(await found(`search=${a}`)).toEqual([a])
    expect(await found('search=BERYL.example')).toEqual([b])
    expect(await found('search=_')).toEqual([])
    expect(await found('hidden=true')).toEqual([a])
    expect(await found(`hidden=false&owner=${owner.id}`)).toEqual([b])
    expect(await found('verified=true')).toEqual([b])
    expect(await found('online=true')).toEqual([c])
    const page = (await call(admin, 'GET', `/admin/servers?owner=${owner.id}&page=2&limit=1`)).body
    expect(idsOf(page)).toEqual([a])
    expect(page.pagination).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 })
  })

  test.each([
    'owner=me',
    'hidden=1',
    'verified=',
    'online=yes',
    'page=0',
    'limit=101',
    'search=%00',
    `search=${'a'.repeat(101)}`,
    'search=a&search=b',
  ])('%s is 400', async (query) => {
    expect((await call(admin, 'GET', `/admin/servers?${query}`)).body).toMatchObject({ error: 'validation_failed' })
  })
})

describe('a server', () => {
  test('that is hidden is not listed or polled, and returns unchanged', async () => {
    const id = await list(await addPerson(pool))
    expect(await publicStatus(id)).toBe(200)
    const hidden = await call(admin, 'PATCH', `/admin/servers/${id}`, { hidden: true })
    expect(hidden).toMatchObject({ status: 200, body: { id, hiddenAt: expect.any(String), nextPollAt: null } })
    expect(await publicStatus(id)).toBe(404)
    expect(await isScheduled(id)).toBe(false)
    const shown = await call(admin, 'PATCH', `/admin/servers/${id}`, { hidden: false })
    expect(shown.body).toMatchObject({ hiddenAt: null, nextPollAt: expect.any(String) })
    expect(await publicStatus(id)).toBe(200)
    expect(await isScheduled(id)).toBe(true)
    expect(await entries(id)).toEqual([
      { actorId: admin.id, action: 'server.update', details: { before: { hidden: false }, after: { hidden: true } } },
      { actorId: admin.id, action: 'server.update', details: { before: { hidden: true }, after: { hidden: false } } },
    ])
  })

  test('with a new owner belongs to them at once and is unverified', async () => {
    const [former, next] = [await addPerson(pool), await addPerson(pool)]
    const id = await list(former)
    await call(admin, 'PATCH', `/admin/servers/${id}`, { isVerified: true, isFeatured: true })
    expect((await call(undefined, 'GET', `/servers/${id}`)).body).toMatchObject({ isVerified: true, isFeatured: true })
    const given = await call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: next.id })
    expect(given.body).toMatchObject({ ownerId: next.id, isVerified: false, isFeatured: true })
    expect((await call(former, 'PATCH', `/servers/${id}`, { rates: 'xp:2' })).status).toBe(403)
    expect((await call(next, 'PATCH', `/servers/${id}`, { rates: 'xp:2' })).status).toBe(200)
    const vouched = await call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: former.id, isVerified: true })
    expect(vouched.body).toMatchObject({ ownerId: former.id, isVerified: true })
    const unowned = await call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: null })
    expect(unowned.body).toMatchObject({ ownerId: null, ownerUsername: '', isVerified: false })
    expect((await entries(id)).map(({ details }) => details)).toEqual([
      { before: { isVerified: false, isFeatured: false }, after: { isVerified: true, isFeatured: true } },
      { before: { ownerId: former.id, isVerified: true }, after: { ownerId: next.id, isVerified: false } },
      { before: { ownerId: next.id, isVerified: false }, after: { ownerId: former.id, isVerified: true } },
      { before: { ownerId: former.id, isVerified: true }, after: { ownerId: null, isVerified: false } },
    ])
  })

  test('edited by an administrator has the old and new values in the log', async () => {
    const id = await list(await addPerson(pool), { name: 'Rude name' })
    await call(admin, 'PATCH', `/servers/${id}`, { name: 'Fair name', description: '' })
    expect(await entries(id)).toEqual([
      {
        actorId: admin.id,
        action: 'server.update',
        details: { before: { name: 'Rude name' }, after: { name: 'Fair name' } },
      },
    ])
  })

  test('that does not change has no entry', async () => {
    const owner = await addPerson(pool)
    const id = await list(owner)
    for (const change of [{}, { hidden: false }, { ownerId: owner.id }, { ownerId: owner.id.toUpperCase() }])
      expect((await call(admin, 'PATCH', `/admin/servers/${id}`, change)).status).toBe(200)
    expect(await entries(id)).toEqual([])
  })

  test('that is removed disappears at once, and its address can be listed again', async () => {
    const owner = await addPerson(pool)
    const place = { ipAddress: '10.201.0.1', gamePort: 7777 }
    const id = await list(owner, place)
    expect(await call(admin, 'DELETE', `/admin/servers/${id}`)).toEqual({ status: 200, body: { success: true } })
    expect(await publicStatus(id)).toBe(404)
    expect(await isScheduled(id)).toBe(false)
    expect((await call(admin, 'DELETE', `/admin/servers/${id}`)).status).toBe(404)
    expect((await call(admin, 'PATCH', `/admin/servers/${id}`, { hidden: true })).status).toBe(404)
    await list(owner, place)
    const before = { hidden: false, hiddenByModerator: false, ownerId: owner.id, isVerified: false, isFeatured: false }
    expect(await entries(id)).toEqual([{ actorId: admin.id, action: 'server.delete', details: { before } }])
  })

  test.each([
    { ownerId: uuidv7() },
    { ownerId: 'no-id' },
    { ownerId: 7 },
    { hidden: 'true' },
    { hidden: null },
    { isVerified: 1 },
    { isFeatured: [] },
    { name: 'Another' },
    { hiddenAt: null },
    [],
    'text',
    null,
  ])('can’t be changed by %j', async (change) => {
    const id = await list(await addPerson(pool))
    const { status, body } = await call(admin, 'PATCH', `/admin/servers/${id}`, change)
    expect(status).toBe(400)
    expect(['validation_failed', 'malformed_json']).toContain(body.error)
    expect(await entries(id)).toEqual([])
  })

  test.each([uuidv7(), 'x', '1;--'])('with the id %s is unknown', async (id) => {
    expect((await call(admin, 'PATCH', `/admin/servers/${id}`, { hidden: true })).status).toBe(404)
    expect((await call(admin, 'DELETE', `/admin/servers/${id}`)).status).toBe(404)
  })

  test('changed by several administrators at once has the state of one of them, and an entry for each change', async () => {
    const id = await list(await addPerson(pool))
    const others = await Promise.all(Array.from({ length: 6 }, () => addPerson(pool, { isAdmin: true })))
    await Promise.all(others.map((other) => call(other, 'PATCH', `/admin/servers/${id}`, { ownerId: other.id })))
    const steps = (await entries(id)).map(
      ({ details }) => details as { before: { ownerId: string }; after: { ownerId: string } },
    )
    expect(steps.length).toBe(6)
    // Each change began with the previous one's result, whatever the order of their entries' ids.
    const byBefore = new Map(steps.map(({ before, after }) => [before.ownerId, after.ownerId]))
    expect(byBefore.size).toBe(6)
  })
})
