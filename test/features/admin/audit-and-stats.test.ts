// The audit log and the statistics of administrators.
import { expect, test } from 'vitest'
import { changesBetween } from '../../../src/features/audit/index.ts'
import { addPerson } from '../../support/people.ts'
import { openAdminBench } from './support.ts'

const { api, pool, call, admin, list, addKey } = await openAdminBench()

test('the log lists actors, actions and targets, newest first, filtered and in pages', async () => {
  const person = await addPerson(pool)
  const id = await list(person)
  await call(admin, 'PATCH', `/admin/servers/${id}`, { isFeatured: true })
  await call(admin, 'PATCH', `/admin/users/${person.id}`, { tier: 'standard' })
  await call(admin, 'DELETE', `/admin/servers/${id}`)
  const { status, body } = await call(admin, 'GET', '/admin/audit')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    entries: [
      { actorId: admin.id, actorUsername: 'Someone', action: 'server.delete', targetType: 'server', targetId: id },
      {
        action: 'user.update',
        targetType: 'user',
        targetId: person.id,
        details: { before: { tier: 'free' }, after: { tier: 'standard' } },
      },
      { action: 'server.update', targetType: 'server', targetId: id },
    ],
    pagination: { page: 1, limit: 20, total: 3, totalPages: 1 },
  })
  const actions = async (query: string) =>
    ((await call(admin, 'GET', `/admin/audit?${query}`)).body.entries as { action: string }[]).map(
      ({ action }) => action,
    )
  expect(await actions(`targetId=${id}`)).toEqual(['server.delete', 'server.update'])
  expect(await actions('action=user.update')).toEqual(['user.update'])
  expect(await actions(`actorId=${person.id}`)).toEqual([])
  expect(await actions(`actorId=${admin.id}&limit=1&page=3`)).toEqual(['server.update'])
  expect((await call(admin, 'GET', '/admin/audit?actorId=me')).status).toBe(400)
  expect((await call(admin, 'GET', '/admin/audit?targetId=%00')).status).toBe(400)
})

test('an entry remains after its actor’s account is deleted', async () => {
  const other = await addPerson(pool, { isAdmin: true })
  const person = await addPerson(pool)
  await call(other, 'PATCH', `/admin/users/${person.id}`, { tier: 'premium' })
  await call(admin, 'DELETE', `/admin/users/${other.id}`)
  expect((await call(admin, 'GET', `/admin/audit?actorId=${other.id}`)).body).toMatchObject({
    entries: [{ actorId: other.id, actorUsername: '', targetId: person.id }],
  })
})

test('an action whose entry cannot be written is rolled back', async () => {
  const person = await addPerson(pool)
  const id = await list(person)
  await pool.query('alter table audit_log rename to audit_log_away')
  try {
    expect((await call(admin, 'PATCH', `/admin/servers/${id}`, { hidden: true })).status).toBe(500)
    expect((await call(admin, 'PATCH', `/admin/users/${person.id}`, { banned: true })).status).toBe(500)
    expect((await call(admin, 'DELETE', `/admin/users/${person.id}`)).status).toBe(500)
  } finally {
    await pool.query('alter table audit_log_away rename to audit_log')
  }
  expect((await call(undefined, 'GET', `/servers/${id}`)).status).toBe(200)
  expect((await call(person, 'GET', '/auth/session')).status).toBe(200)
})

test('the statistics count servers and accounts', async () => {
  const fresh = await openAdminBench()
  const [person, banned] = [await addPerson(fresh.pool), await addPerson(fresh.pool)]
  await fresh.pool.query('update users set email_verified_at = null where id = $1', [person.id])
  await fresh.addKey(person)
  await fresh.addKey(banned)
  const [a, b] = [await fresh.list(person), await fresh.list(person)]
  await fresh.list(person)
  await fresh.call(fresh.admin, 'PATCH', `/admin/users/${banned.id}`, { banned: true })
  await fresh.call(fresh.admin, 'PATCH', `/admin/servers/${a}`, { hidden: true, ownerId: null })
  await fresh.pool.query(
    `update server_status set is_online = true, last_online_at = now(), last_polled_at = now() where server_id = $1`,
    [b],
  )
  await fresh.pool.query(
    `update server_polls set next_poll_at = now() + case when server_id = $1 then interval '-90 seconds' else interval '1 hour' end`,
    [b],
  )
  await fresh.pool.query(
    `insert into player_history_hours (server_id, hour, polls, answered, players_sum, players_max, max_players)
     values ($1, '2026-11-20T10:00Z', 60, 58, 1, 1, 70), ($1, '2026-11-20T11:00Z', 60, 60, 1, 1, 70),
       ($2, '2026-11-20T11:00Z', 60, 12, 1, 1, 70)`,
    [a, b],
  )
  expect((await fresh.call(fresh.admin, 'GET', '/admin/stats')).body).toEqual({
    users: { total: 3, verified: 2, banned: 1, admins: 1, lastDay: 3 },
    sessions: { living: 2 },
    apiKeys: { usable: 1, usedLastDay: 0 },
    servers: {
      total: 3,
      online: 1,
      verified: 0,
      featured: 0,
      hidden: 1,
      unowned: 1,
      neverAnswered: 2,
      polledLastHour: 1,
    },
    polling: { overdue: 1, overdueSeconds: 90 },
    claims: { pending: 3 },
    polls: { hour: '2026-11-20T11:00:00.000Z', polls: 120, answered: 72 },
  })
})

test('without any history the statistics have no polls', async () => {
  expect((await call(admin, 'GET', '/admin/stats')).body).toMatchObject({ polls: null })
})

test('only changed fields are recorded', () => {
  const before = { a: 1, b: null, c: 'x' }
  expect(changesBetween(before, { ...before, b: null })).toBeUndefined()
  expect(changesBetween<{ a: number; b: string | null; c: string }>(before, { a: 2, b: 'y', c: 'x' })).toEqual({
    before: { a: 1, b: null },
    after: { a: 2, b: 'y' },
  })
})

test('API keys and users who are not administrators are rejected', async () => {
  const key = await addKey(admin)
  const person = await addPerson(pool)
  for (const path of ['/admin/servers', '/admin/users', '/admin/stats', '/admin/audit']) {
    expect((await call(undefined, 'GET', path)).status).toBe(401)
    expect((await call(person, 'GET', path)).status).toBe(403)
    expect((await call(key, 'GET', path)).status).toBe(403)
  }
  expect(api.contract.document.paths['/admin/audit']).toBeDefined()
})
