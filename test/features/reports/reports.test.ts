// Reports about servers: filing one, and the administrators' queue.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { openAdminBench } from '../admin/support.ts'
import { callerOf } from '../servers/support.ts'

const { api, pool, call, admin, list, addKey, entries } = await openAdminBench()

const file = (who: Parameters<typeof call>[0], id: string, body: unknown = { reason: 'spam' }) =>
  call(who, 'POST', `/servers/${id}/reports`, body)
const queue = async (query = '') => (await call(admin, 'GET', `/admin/reports${query}`)).body as unknown as Queue
interface Queue {
  reports: { id: string; reason: string; status: string }[]
  pagination: { total: number; totalPages: number }
}

/** A listed server with a report about it. */
async function reported(): Promise<{ id: string; reporter: Person; report: string }> {
  const id = await list(await addPerson(pool))
  const reporter = await addPerson(pool)
  const { body } = await file(reporter, id)
  return { id, reporter, report: body.id as string }
}

describe('filing', () => {
  test('returns the report, which is in the queue with its author', async () => {
    const id = await list(await addPerson(pool), { name: 'An island' })
    const reporter = await addPerson(pool)
    const filed = await file(reporter, id, { reason: 'misleading', details: '  It shows\nfake players.\t! ' })
    expect(filed).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        serverId: id,
        reason: 'misleading',
        details: 'It shows\nfake players.\t!',
        status: 'open',
        createdAt: expect.any(String),
      },
    })
    expect((await queue(`?serverId=${id}`)).reports).toEqual([
      {
        id: filed.body.id,
        serverId: id,
        serverName: 'An island',
        isListed: true,
        reporterId: reporter.id,
        reporterUsername: 'Someone',
        reason: 'misleading',
        details: 'It shows\nfake players.\t!',
        finding: null,
        status: 'open',
        note: '',
        createdAt: filed.body.createdAt,
        updatedAt: filed.body.createdAt,
      },
    ])
  })

  test('works with a key, for its owner', async () => {
    const id = await list(await addPerson(pool))
    const reporter = await addPerson(pool)
    expect((await file(await addKey(reporter), id)).status).toBe(201)
    expect(await file(reporter, id)).toMatchObject({ status: 400, body: { error: 'already_reported' } })
  })

  test('of many simultaneous reports by one user one is filed; others can file theirs', async () => {
    const { id, reporter } = await reported()
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await file(reporter, id)).status))
    expect(new Set(statuses)).toEqual(new Set([400]))
    const next = await addPerson(pool)
    const raced = await Promise.all(Array.from({ length: 10 }, async () => (await file(next, id)).status))
    expect(raced.sort()).toEqual([201, ...Array.from({ length: 9 }, () => 400)])
    expect((await queue(`?serverId=${id}`)).pagination.total).toBe(2)
  })

  test('another report about the same server is possible once the first is resolved', async () => {
    const { id, reporter, report } = await reported()
    await call(admin, 'PATCH', `/admin/reports/${report}`, { status: 'dismissed' })
    expect((await file(reporter, id)).status).toBe(201)
  })

  test('needs a user, and a listed server', async () => {
    const id = await list(await addPerson(pool))
    const reporter = await addPerson(pool)
    expect((await file(undefined, id)).status).toBe(401)
    for (const unknown of [uuidv7(), 'nonsense']) expect((await file(reporter, unknown)).status).toBe(404)
    await pool.query('update servers set hidden_at = now() where id = $1', [id])
    expect((await file(reporter, id)).status).toBe(404)
    await pool.query('update servers set hidden_at = null, deleted_at = now() where id = $1', [id])
    expect((await file(reporter, id)).status).toBe(404)
  })

  test('where listing requires a proof, an unproven server can’t be reported', async () => {
    const strict = await startTestApi({ database: api.database, settings: { LISTING_REQUIRES_VERIFICATION: 'true' } })
    const id = await list(await addPerson(pool))
    const reporter = await addPerson(pool)
    const report = () => callerOf(strict)(reporter, 'POST', `/servers/${id}/reports`, { reason: 'spam' })
    expect((await report()).status).toBe(404)
    await pool.query('update servers set is_verified = true where id = $1', [id])
    expect((await report()).status).toBe(201)
  })

  test.each([
    [{}, 'body.reason'],
    [{ reason: 'ugly' }, 'body.reason'],
    [{ reason: 'spam', details: 'x'.repeat(1_001) }, 'body.details'],
    [{ reason: 'spam', details: 'a\u202eb' }, 'body.details'],
    [{ reason: 'spam', details: 5 }, 'body.details'],
  ])('refuses %j', async (body, path) => {
    const id = await list(await addPerson(pool))
    expect(await file(await addPerson(pool), id, body)).toMatchObject({
      status: 400,
      body: { error: 'validation_failed', details: [{ path }] },
    })
  })

  test('thirty in an hour by one user', async () => {
    const id = await list(await addPerson(pool))
    const reporter = await addPerson(pool)
    const statuses = []
    for (let n = 0; n < 31; n++) statuses.push((await file(reporter, id)).status)
    expect(statuses).toEqual([201, ...Array.from({ length: 29 }, () => 400), 429])
  })
})

describe('the queue', () => {
  test('is filtered by status, reason and server, in pages, oldest first', async () => {
    const id = await list(await addPerson(pool))
    const reasons = ['offline', 'spam', 'abuse', 'spam', 'other']
    const filed: string[] = []
    for (const reason of reasons) filed.push((await file(await addPerson(pool), id, { reason })).body.id as string)
    await call(admin, 'PATCH', `/admin/reports/${filed[3]}`, { status: 'resolved' })
    const idsOf = async (query: string) => (await queue(`?serverId=${id}${query}`)).reports.map((report) => report.id)
    expect(await idsOf('')).toEqual(filed)
    expect(await idsOf('&status=open')).toEqual(filed.filter((_, n) => n !== 3))
    expect(await idsOf('&status=resolved')).toEqual([filed[3]])
    expect(await idsOf('&reason=spam')).toEqual([filed[1], filed[3]])
    expect(await idsOf('&reason=spam&status=open')).toEqual([filed[1]])
    expect(await idsOf('&limit=2&page=2')).toEqual([filed[2], filed[3]])
    expect((await queue(`?serverId=${id}&limit=2&page=9`)).pagination).toMatchObject({ total: 5, totalPages: 3 })
    for (const bad of ['status=closed', 'reason=ugly', 'serverId=x', 'limit=101', 'page=0'])
      expect((await call(admin, 'GET', `/admin/reports?${bad}`)).status).toBe(400)
  })

  test('a report is resolved with a note and reopened, and the audit log has each change', async () => {
    const { report } = await reported()
    const path = `/admin/reports/${report}`
    expect((await call(admin, 'PATCH', path, { status: 'resolved', note: 'Renamed.' })).body).toMatchObject({
      status: 'resolved',
      note: 'Renamed.',
    })
    expect((await call(admin, 'PATCH', path, {})).body).toMatchObject({ status: 'resolved' })
    expect((await call(admin, 'PATCH', path, { status: 'open' })).body).toMatchObject({
      status: 'open',
      note: 'Renamed.',
    })
    expect(await entries(report)).toEqual([
      {
        actorId: admin.id,
        action: 'report.update',
        details: { before: { status: 'open', note: '' }, after: { status: 'resolved', note: 'Renamed.' } },
      },
      {
        actorId: admin.id,
        action: 'report.update',
        details: { before: { status: 'resolved' }, after: { status: 'open' } },
      },
    ])
    for (const bad of [{ status: 'closed' }, { reason: 'spam' }, { note: 'x'.repeat(1_001) }])
      expect((await call(admin, 'PATCH', path, bad)).status).toBe(400)
  })

  test('a report can’t be reopened beside another open one of the same user', async () => {
    const { id, reporter, report } = await reported()
    await call(admin, 'PATCH', `/admin/reports/${report}`, { status: 'resolved' })
    await file(reporter, id)
    expect(await call(admin, 'PATCH', `/admin/reports/${report}`, { status: 'open' })).toMatchObject({
      status: 400,
      body: { error: 'already_reported' },
    })
    expect((await call(admin, 'PATCH', `/admin/reports/${report}`, { note: 'Still so.' })).status).toBe(200)
  })

  test('nor beside one that the user files at the same moment', async () => {
    const { id, reporter, report } = await reported()
    await call(admin, 'PATCH', `/admin/reports/${report}`, { status: 'resolved' })
    const filing = await pool.connect()
    await filing.query('begin')
    await filing.query(`insert into reports (id, server_id, user_id, reason) values ($1, $2, $3, 'abuse')`, [
      uuidv7(),
      id,
      reporter.id,
    ])
    const opened = call(admin, 'PATCH', `/admin/reports/${report}`, { status: 'open' })
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await filing.query('commit')
    filing.release()
    expect(await opened).toMatchObject({ status: 400, body: { error: 'already_reported' } })
  })

  test('a report is deleted, and the audit log keeps its subject', async () => {
    const { id, report, reporter } = await reported()
    expect(await call(admin, 'DELETE', `/admin/reports/${report}`)).toEqual({ status: 200, body: { success: true } })
    expect((await queue(`?serverId=${id}`)).reports).toEqual([])
    expect(await entries(report)).toMatchObject([
      { action: 'report.delete', details: { serverId: id, reporterId: reporter.id, reason: 'spam', status: 'open' } },
    ])
    for (const gone of [report, 'nonsense']) {
      expect((await call(admin, 'DELETE', `/admin/reports/${gone}`)).status).toBe(404)
      expect((await call(admin, 'PATCH', `/admin/reports/${gone}`, { status: 'open' })).status).toBe(404)
    }
  })

  test('a report remains after its author’s account and its server’s listing are deleted', async () => {
    const { id, reporter } = await reported()
    await pool.query('update servers set hidden_at = now() where id = $1', [id])
    expect((await queue(`?serverId=${id}`)).reports).toMatchObject([{ reporterId: reporter.id, isListed: false }])
    await pool.query('delete from users where id = $1', [reporter.id])
    await pool.query('update servers set deleted_at = now() where id = $1', [id])
    expect((await queue(`?serverId=${id}`)).reports).toMatchObject([
      { reporterId: null, reporterUsername: '', isListed: false },
    ])
  })
})
