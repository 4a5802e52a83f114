// Moderators: who appoints them, what they may do, and that everything else is refused, from the
// list of all operations.
import { describe, expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import type { ApiDocument } from '../../support/contract.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { callerOf } from '../servers/support.ts'
import { openAdminBench } from './support.ts'

const { api, pool, call, admin, list, addKey, entries } = await openAdminBench()
const elsewhere = callerOf(await startTestApi({ database: api.database }))

/** All that moderators may call and users may not. A further operation is added here on purpose. */
const MODERATION = [
  'GET /admin/servers',
  'PATCH /admin/servers/{id}',
  'POST /admin/servers/hide',
  'POST /admin/servers/{id}/faces/{kind}/lock',
  'DELETE /admin/servers/{id}/faces/{kind}/lock',
  'GET /admin/reports',
  'PATCH /admin/reports/{id}',
  'DELETE /admin/reports/{id}',
  'POST /admin/reports/{id}/void',
  'GET /admin/contact',
  'DELETE /admin/contact/{id}',
  'GET /admin/vote-networks',
  'GET /admin/votes/preview',
  'POST /admin/votes/void',
  'GET /admin/votes/voidings',
  'POST /admin/votes/voidings/{id}/restore',
]

const addModerator = () => addPerson(pool, { isModerator: true })
const hide = (who: Person, id: string, hidden = true) => call(who, 'PATCH', `/admin/servers/${id}`, { hidden })
const isListed = async (id: string) => (await call(undefined, 'GET', `/servers/${id}`)).status === 200

async function report(serverId: string): Promise<string> {
  const { body } = await call(await addPerson(pool), 'POST', `/servers/${serverId}/reports`, { reason: 'spam' })
  return (body as { id: string }).id
}

describe('a moderator', () => {
  test('is appointed and dismissed by an administrator, in every process with the next request, audited', async () => {
    const person = await addPerson(pool)
    const path = `/admin/users/${person.id}`
    expect((await elsewhere(person, 'GET', '/admin/reports')).status).toBe(403)
    expect((await call(admin, 'PATCH', path, { isModerator: true })).body).toMatchObject({
      isModerator: true,
      isAdmin: false,
    })
    expect((await elsewhere(person, 'GET', '/admin/reports')).status).toBe(200)
    expect((await call(person, 'GET', '/auth/session')).body).toMatchObject({
      isModerator: true,
      user: { isAdmin: false },
    })
    const found = (await call(admin, 'GET', `/admin/users?moderator=true&search=${person.id}`)).body
    expect(found.users).toMatchObject([{ id: person.id }])
    await call(admin, 'PATCH', path, { isModerator: false })
    expect((await elsewhere(person, 'GET', '/admin/reports')).status).toBe(403)
    expect(await entries(person.id)).toEqual([
      {
        actorId: admin.id,
        action: 'user.update',
        details: { before: { isModerator: false }, after: { isModerator: true } },
      },
      {
        actorId: admin.id,
        action: 'user.update',
        details: { before: { isModerator: true }, after: { isModerator: false } },
      },
    ])
  })

  test('stays one when they stop being an administrator', async () => {
    const person = await addPerson(pool, { isAdmin: true, isModerator: true })
    await call(admin, 'PATCH', `/admin/users/${person.id}`, { isAdmin: false })
    expect((await call(person, 'GET', '/admin/users')).status).toBe(403)
    expect((await call(person, 'GET', '/admin/reports')).status).toBe(200)
  })

  test('appoints no one, also not themselves', async () => {
    const moderator = await addModerator()
    for (const { id } of [moderator, await addPerson(pool)])
      expect((await call(moderator, 'PATCH', `/admin/users/${id}`, { isModerator: true })).status).toBe(403)
  })

  test('has no power by an API key', async () => {
    const key = await addKey(await addModerator())
    expect((await call(key, 'GET', '/admin/reports')).status).toBe(403)
  })
})

describe('every other operation', () => {
  const { paths } = api.app.describe() as ApiDocument
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
      .map(([method, { security = [] }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, '01980000-0000-7000-8000-000000000000'),
        roles: (security as { session?: string[] }[]).flatMap(({ session = [] }) => session),
      })),
  )
  const forAdmins = operations.filter(({ roles }) => roles.includes('admin'))

  test('names its role, so that a new one is known here', () => {
    const forModerators = operations.filter(({ roles }) => roles.includes('moderator'))
    expect(forModerators.map(({ name }) => name).sort()).toEqual([...MODERATION].sort())
    const unnamed = operations.filter(({ name, roles }) => name.includes(' /admin/') && roles.length !== 1)
    expect(unnamed).toEqual([])
    expect(forAdmins.length).toBeGreaterThan(20)
  })

  test.each(forAdmins)('$name is refused to moderators as to users', async ({ method, path }) => {
    const refusals = await Promise.all(
      [await addModerator(), await addPerson(pool)].map((who) =>
        call(who, method, path, method === 'GET' ? undefined : {}),
      ),
    )
    const refusal = { status: 403, body: { error: 'forbidden', message: 'Only administrators may do this.' } }
    expect(refusals).toMatchObject([refusal, refusal])
  })
})

describe('hiding', () => {
  test('is for servers of anybody, also of administrators, and recorded as the moderator’s', async () => {
    const moderator = await addModerator()
    for (const owner of [await addPerson(pool), admin]) {
      const id = await list(owner)
      expect((await hide(moderator, id)).body).toMatchObject({ hiddenBy: 'moderator', hiddenAt: expect.any(String) })
      expect(await isListed(id)).toBe(false)
      expect((await hide(moderator, id, false)).body).toMatchObject({ hiddenBy: null, hiddenAt: null })
      expect(await isListed(id)).toBe(true)
      expect(await entries(id)).toMatchObject([
        { actorId: moderator.id, action: 'server.update', details: { after: { hidden: true } } },
        { actorId: moderator.id, action: 'server.update', details: { after: { hidden: false } } },
      ])
    }
  })

  test('by an administrator is not undone by moderators; what one moderator hid, another shows', async () => {
    const [one, another] = [await addModerator(), await addModerator()]
    const id = await list(await addPerson(pool))
    await hide(admin, id)
    expect((await hide(one, id)).body).toMatchObject({ hiddenBy: 'admin' }) // hides it again: changes nothing
    expect(await hide(one, id, false)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    await hide(admin, id, false)
    await hide(one, id)
    expect((await hide(another, id, false)).status).toBe(200)
    await hide(one, id)
    expect((await hide(admin, id)).body).toMatchObject({ hiddenBy: 'admin' })
    expect((await hide(one, id, false)).status).toBe(403)
    expect(await isListed(id)).toBe(false)
  })

  test('of several at once is all or nothing, by the same rules', async () => {
    const moderator = await addModerator()
    const [one, another, kept] = await Promise.all([1, 2, 3].map(async () => list(await addPerson(pool))))
    const ids = [one, another, kept] as string[]
    const hideAll = (hidden: boolean) => call(moderator, 'POST', '/admin/servers/hide', { ids, hidden, reason: 'Spam' })
    expect((await hideAll(true)).body).toMatchObject({ changed: 3, missing: [] })
    await hide(admin, kept as string)
    expect((await hideAll(false)).status).toBe(403)
    expect(await Promise.all(ids.map(isListed))).toEqual([false, false, false])
    const own = await list(moderator)
    const both = { ids: [...ids, own], hidden: true }
    expect((await call(moderator, 'POST', '/admin/servers/hide', both)).status).toBe(403)
    expect(await isListed(own)).toBe(true)
    expect(await entries(one as string)).toMatchObject([{ actorId: moderator.id, details: { reason: 'Spam' } }])
  })

  test('what the previous release has hidden counts as an administrator’s', async () => {
    const id = await list(await addPerson(pool))
    await pool.query('update servers set hidden_at = now() where id = $1', [id])
    expect((await hide(await addModerator(), id, false)).status).toBe(403)
  })

  test.each([{ isFeatured: true }, { isVerified: true }, { ownerId: null }, { hidden: true, isVerified: true }])(
    'a moderator can’t change %j',
    async (change) => {
      const moderator = await addModerator()
      const id = await list(await addPerson(pool))
      const { status, body } = await call(moderator, 'PATCH', `/admin/servers/${id}`, change)
      expect([status, body.error]).toEqual([403, 'forbidden'])
      expect(await isListed(id)).toBe(true)
      expect(await entries(id)).toEqual([])
    },
  )
})

test('pictures are locked by moderators, and an administrator’s lock is not theirs to change', async () => {
  const moderator = await addModerator()
  const id = await list(await addPerson(pool))
  const path = `/admin/servers/${id}/faces/logo/lock`
  const locked = async () =>
    ((await call(admin, 'GET', `/admin/servers?search=${id}`)).body.servers as object[])[0] as {
      lockedFaces: string[]
      facesLockedByAdmin: string[]
    }
  expect((await call(moderator, 'POST', path, { reason: 'Not yours' })).status).toBe(200)
  expect(await locked()).toMatchObject({ lockedFaces: ['logo'], facesLockedByAdmin: [] })
  expect((await call(moderator, 'DELETE', path)).status).toBe(200)
  await call(admin, 'POST', path, { reason: 'Not yours either' })
  expect(await locked()).toMatchObject({ lockedFaces: ['logo'], facesLockedByAdmin: ['logo'] })
  expect((await call(moderator, 'DELETE', path)).status).toBe(403)
  expect((await call(moderator, 'POST', path, { reason: 'To unlock it later' })).status).toBe(403)
  expect((await call(admin, 'DELETE', path)).status).toBe(200)
  expect((await entries(id)).map(({ actorId }) => actorId)).toEqual([moderator.id, moderator.id, admin.id, admin.id])
})

describe('a server that the moderator owns or works on', () => {
  const asOwner = async (moderator: Person) => list(moderator)
  const asMember = async (moderator: Person) => {
    const owner = await addPerson(pool)
    const id = await list(owner)
    await pool.query(`insert into server_members (server_id, user_id, owner_id, role) values ($1, $2, $3, 'viewer')`, [
      id,
      moderator.id,
      owner.id,
    ])
    return id
  }

  test.each([
    { name: 'own', add: asOwner },
    { name: 'with others', add: asMember },
  ])('is decided by others ($name)', async ({ add }) => {
    const moderator = await addModerator()
    const id = await add(moderator)
    const reportId = await report(id)
    for (const hidden of [true, false]) expect((await hide(moderator, id, hidden)).status).toBe(403)
    const lock = `/admin/servers/${id}/faces/logo/lock`
    expect((await call(moderator, 'POST', lock, {})).status).toBe(403)
    expect((await call(moderator, 'DELETE', lock)).status).toBe(403)
    const path = `/admin/reports/${reportId}`
    expect((await call(moderator, 'PATCH', path, { status: 'dismissed' })).status).toBe(403)
    expect((await call(moderator, 'DELETE', path)).status).toBe(403)
    expect([await isListed(id), await entries(id), await entries(reportId)]).toEqual([true, [], []])
    const another = await addModerator()
    const reporterSeenBy = async (who: Person) => {
      const { body } = await call(who, 'GET', `/admin/reports?serverId=${id}`)
      return (body.reports as { reporterId: string | null; reporterUsername: string }[]).map(
        ({ reporterId, reporterUsername }) => [typeof reporterId, reporterUsername],
      )
    }
    expect(await reporterSeenBy(moderator)).toEqual([['object', '']])
    expect(await reporterSeenBy(another)).toEqual([['string', 'Someone']])
    expect((await call(another, 'PATCH', path, { status: 'dismissed' })).status).toBe(200)
    expect(await entries(reportId)).toMatchObject([{ actorId: another.id, action: 'report.update' }])
  })
})
