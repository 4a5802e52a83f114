// Wipe history: owners add to it, it is public, and the directory shows which servers were just wiped.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { recordWipe } from '../../../src/features/wipes/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { openAdminBench } from '../admin/support.ts'

const { pool, call, admin, list, addKey, entries, api } = await openAdminBench()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ago = (ms: number) => new Date(Date.now() - ms)

interface Wipe {
  id: string
  wipedAt: string
  kind: string
  note: string
  source: string
}
const add = (who: Parameters<typeof call>[0], id: string, body: unknown = { kind: 'full' }) =>
  call(who, 'POST', `/servers/${id}/wipe-history`, body)
const history = async (id: string, query = '') =>
  (await call(undefined, 'GET', `/servers/${id}/wipe-history${query}`)).body as unknown as {
    wipes: Wipe[]
    pagination: object
  }
const found = (serverId: string, wipedAt: Date, kind: 'full' | 'map' = 'full') =>
  inTransaction(pool, (tx) => recordWipe(tx, { jobs: api.deps.jobs, justWipedDays: 7 }, { serverId, wipedAt, kind }))
const lastWipeOf = async (id: string) => (await call(undefined, 'GET', `/servers/${id}`)).body.lastWipeAt
const isJustWiped = async (id: string) => {
  const { servers } = (await call(undefined, 'GET', '/servers?justWiped=true&limit=100')).body as {
    servers: { id: string }[]
  }
  return servers.some((server) => server.id === id)
}
const newsOf = async (id: string) =>
  (
    await pool.query<{ data: { event: string } }>(
      `select data - '_cause' as data from pgboss.job where name = 'notify' and data ->> 'serverId' = $1`,
      [id],
    )
  ).rows.map(({ data }) => data)

async function listed(): Promise<{ id: string; owner: Person }> {
  const owner = await addPerson(pool)
  return { id: await list(owner, { name: 'An island' }), owner }
}

describe('an owner who enters a wipe', () => {
  test('gets it back, and finds it in the history and the directory at once', async () => {
    const { id, owner } = await listed()
    expect(await isJustWiped(id)).toBe(false)
    const wipedAt = ago(2 * HOUR).toISOString()
    const added = await add(owner, id, { kind: 'map', wipedAt, note: '  New island,\nold friends ' })
    const wipe = { id: expect.any(String), wipedAt, kind: 'map', note: 'New island,\nold friends', source: 'owner' }
    expect(added).toEqual({ status: 201, body: wipe })
    expect(await history(id)).toEqual({
      wipes: [added.body],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    })
    expect(await lastWipeOf(id)).toBe(wipedAt)
    expect(await isJustWiped(id)).toBe(true)
    const data = { serverId: id, serverName: 'An island', wipedAt, kind: 'map' }
    expect(await newsOf(id)).toEqual([{ event: 'serverWiped', serverId: id, at: expect.any(String), data }])
  })

  test('means now unless a time is given', async () => {
    const { id, owner } = await listed()
    const before = Date.now()
    const { body } = await add(owner, id)
    expect(Date.parse(body.wipedAt as string)).toBeGreaterThan(before - 5_000)
    expect(Date.parse(body.wipedAt as string)).toBeLessThan(Date.now() + 5_000)
    expect(body).toMatchObject({ kind: 'full', note: '' })
  })

  test('twice within an hour enters one; another kind, or another time, is another', async () => {
    const { id, owner } = await listed()
    const at = (minutes: number) => ago(DAY - minutes * 60_000).toISOString()
    const first = await add(owner, id, { kind: 'full', wipedAt: at(0), note: 'first' })
    const again = await Promise.all(
      [0, 15, 59].map((minutes) => add(owner, id, { kind: 'full', wipedAt: at(minutes), note: 'again' })),
    )
    for (const repeated of again) expect(repeated).toEqual({ status: 200, body: first.body })
    expect((await add(owner, id, { kind: 'partial', wipedAt: at(0) })).status).toBe(201)
    expect((await add(owner, id, { kind: 'full', wipedAt: at(61) })).status).toBe(201)
    expect((await history(id)).wipes).toHaveLength(3)
    expect(await newsOf(id)).toHaveLength(3)
  })

  test('at the same time from five tabs enters one', async () => {
    const { id, owner } = await listed()
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(owner, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await newsOf(id)).toHaveLength(1)
  })

  test('of long ago leaves the shown one unchanged, without a notification', async () => {
    const { id, owner } = await listed()
    const recent = ago(DAY).toISOString()
    await add(owner, id, { kind: 'full', wipedAt: recent })
    expect((await add(owner, id, { kind: 'full', wipedAt: ago(400 * DAY).toISOString() })).status).toBe(201)
    expect(await lastWipeOf(id)).toBe(recent)
    expect(await newsOf(id)).toHaveLength(1)
    const old = await listed()
    await add(old.owner, old.id, { kind: 'full', wipedAt: ago(8 * DAY).toISOString() })
    expect([await isJustWiped(old.id), await newsOf(old.id)]).toEqual([false, []])
  })

  test('can’t enter one in the future, of more than ten years ago, or an invalid one', async () => {
    const { id, owner } = await listed()
    const refused = async (body: unknown, path: string) => {
      const answer = await add(owner, id, body)
      expect([answer.status, answer.body.error]).toEqual([400, 'validation_failed'])
      expect((answer.body.details as { path: string }[]).map((detail) => detail.path)).toContain(path)
    }
    await refused({ kind: 'full', wipedAt: ago(-60_000).toISOString() }, 'body.wipedAt')
    await refused({ kind: 'full', wipedAt: ago(3_655 * DAY).toISOString() }, 'body.wipedAt')
    await refused({ kind: 'full', wipedAt: 'yesterday' }, 'body.wipedAt')
    await refused({ kind: 'full', wipedAt: '2026-02-30T00:00:00Z' }, 'body.wipedAt')
    await refused({ kind: 'everything' }, 'body.kind')
    await refused({}, 'body.kind')
    await refused({ kind: 'full', note: 'x'.repeat(501) }, 'body.note')
    expect((await add(owner, id, { kind: 'full', wipedAt: '2025-06-01T14:00:00+02:00' })).body.wipedAt).toBe(
      '2025-06-01T12:00:00.000Z',
    )
  })

  test('needs permission: others are refused, an administrator is recorded, a key acts for its owner', async () => {
    const { id, owner } = await listed()
    expect((await add(undefined, id)).status).toBe(401)
    expect((await add(await addPerson(pool), id)).status).toBe(403)
    expect((await add(owner, randomUUID())).status).toBe(404)
    expect((await add(owner, 'nonsense')).status).toBe(404)
    expect((await history(id)).wipes).toEqual([])
    const keyed = await api.request(`/api/v1/servers/${id}/wipe-history`, {
      method: 'POST',
      headers: { ...(await addKey(owner)), 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'full' }),
    })
    expect(keyed.status).toBe(201)
    expect((await add(admin, id, { kind: 'map' })).status).toBe(201)
    expect((await add(admin, id, { kind: 'map' })).status).toBe(200)
    const recorded = (await entries(id)).filter(({ action }) => action === 'server.wipe')
    expect(recorded).toEqual([
      { actorId: admin.id, action: 'server.wipe', details: { wipedAt: expect.any(String), kind: 'map' } },
    ])
  })
})

describe('a removed wipe', () => {
  const remove = (who: Parameters<typeof call>[0], id: string, wipeId = '') =>
    call(who, 'DELETE', `/servers/${id}/wipe-history/${wipeId}`)

  test('leaves the history, and the directory shows the previous one, or none', async () => {
    const { id, owner } = await listed()
    const before = await add(owner, id, { kind: 'full', wipedAt: ago(20 * DAY).toISOString() })
    await found(id, ago(HOUR))
    await api.directory.refresh()
    expect(await isJustWiped(id)).toBe(true)
    const [wrong] = (await history(id)).wipes
    expect(await remove(owner, id, wrong?.id)).toEqual({ status: 200, body: { success: true } })
    expect((await history(id)).wipes).toEqual([before.body])
    expect([await isJustWiped(id), await lastWipeOf(id)]).toEqual([false, before.body.wipedAt])
    expect((await remove(owner, id, before.body.id as string)).status).toBe(200)
    expect(await lastWipeOf(id)).toBeNull()
    expect((await remove(owner, id, before.body.id as string)).status).toBe(404)
  })

  test('is one of this server, removed with permission; an administrator is recorded', async () => {
    const [mine, theirs] = [await listed(), await listed()]
    const { body } = await add(mine.owner, mine.id)
    expect((await remove(theirs.owner, theirs.id, body.id as string)).status).toBe(404)
    expect((await remove(theirs.owner, mine.id, body.id as string)).status).toBe(403)
    expect((await remove(mine.owner, mine.id, 'nonsense')).status).toBe(404)
    expect((await history(mine.id)).wipes).toEqual([body])
    expect((await remove(admin, mine.id, body.id as string)).status).toBe(200)
    expect((await entries(mine.id)).filter(({ action }) => action === 'server.wipe.remove')).toEqual([
      { actorId: admin.id, action: 'server.wipe.remove', details: { wipedAt: body.wipedAt } },
    ])
  })
})

describe('a wipe that a poll found', () => {
  test('is marked in the history, and becomes the owner’s when the owner enters it', async () => {
    const { id, owner } = await listed()
    await found(id, ago(2 * HOUR))
    await api.directory.refresh()
    const [detected] = (await history(id)).wipes
    expect(detected).toMatchObject({ kind: 'full', source: 'detected' })
    const wipedAt = ago(4 * HOUR).toISOString()
    const entered = await add(owner, id, { kind: 'map', wipedAt, note: 'a new map' })
    expect(entered).toEqual({
      status: 201,
      body: { id: detected?.id, wipedAt, kind: 'map', note: 'a new map', source: 'owner' },
    })
    expect((await history(id)).wipes).toEqual([entered.body])
    expect(await lastWipeOf(id)).toBe(wipedAt)
    expect(await newsOf(id)).toHaveLength(1)
  })

  test('is the one its owner entered up to six hours before or after', async () => {
    const { id, owner } = await listed()
    const entered = await add(owner, id, { kind: 'partial', wipedAt: ago(10 * HOUR).toISOString() })
    expect((await found(id, ago(5 * HOUR)))?.isNew).toBe(false)
    expect((await found(id, ago(15 * HOUR)))?.isNew).toBe(false)
    expect((await history(id)).wipes).toEqual([entered.body])
    expect((await found(id, ago(3 * HOUR)))?.isNew).toBe(true)
  })

  test('of a removed listing is ignored', async () => {
    expect(await found(randomUUID(), new Date())).toBeUndefined()
  })

  test('leaves a later wipe from the listing unchanged', async () => {
    const { id } = await listed()
    const imported = ago(HOUR)
    await pool.query('update servers set last_wipe_at = $2 where id = $1', [id, imported])
    await found(id, ago(2 * DAY))
    await api.directory.refresh()
    expect(await lastWipeOf(id)).toBe(imported.toISOString())
  })
})

describe('the history', () => {
  test('is public, in pages, latest first', async () => {
    const { id } = await listed()
    const days = [3, 1, 5, 2, 4]
    for (const day of days) await found(id, ago(day * DAY))
    const { wipes } = await history(id)
    expect(wipes.map(({ wipedAt }) => Math.round((Date.now() - Date.parse(wipedAt)) / DAY))).toEqual([1, 2, 3, 4, 5])
    expect(await history(id, '?page=2&limit=2')).toEqual({
      wipes: wipes.slice(2, 4),
      pagination: { page: 2, limit: 2, total: 5, totalPages: 3 },
    })
    expect((await history(id, '?page=9')).wipes).toEqual([])
    expect((await call(undefined, 'GET', `/servers/${id}/wipe-history?limit=101`)).status).toBe(400)
  })

  test('of an unlisted server is not found', async () => {
    const { id, owner } = await listed()
    expect((await call(undefined, 'GET', `/servers/${randomUUID()}/wipe-history`)).status).toBe(404)
    expect((await call(undefined, 'GET', '/servers/nonsense/wipe-history')).status).toBe(404)
    await call(owner, 'DELETE', `/servers/${id}`)
    expect((await call(undefined, 'GET', `/servers/${id}/wipe-history`)).status).toBe(404)
    expect((await add(owner, id)).status).toBe(404)
  })
})
