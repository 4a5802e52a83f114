// The operators' endpoints of queues: what is late, failing or stuck, and its recovery.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { mail } from '../../../src/features/mail/index.ts'
import type { QueueState } from '../../../src/features/operators/queues.schema.ts'
import { judgeQueue } from '../../../src/features/operators/verdict.ts'
import { poll } from '../../../src/features/polling/index.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'

const api = await startTestApi()
const { pool } = api.database
const { jobs } = api.deps
const admin = await addPerson(pool, { isAdmin: true })

async function queues(): Promise<Map<string, z.output<typeof QueueState>>> {
  const response = await api.request('/api/admin/queues', { headers: { cookie: admin.cookie } })
  const { queues: list } = (await response.json()) as { queues: z.output<typeof QueueState>[] }
  return new Map(list.map((queue) => [queue.name, queue]))
}
const post = (path: string, body?: object) =>
  api.request(path, {
    method: 'POST',
    headers: { cookie: admin.cookie, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
async function failedOf(name: string) {
  const response = await api.request(`/api/admin/queues/${name}/failed`, { headers: { cookie: admin.cookie } })
  return (await response.json()) as {
    jobs: { id: string; queue: string; attempts: number; reason: string; payload: object }[]
  }
}

/** Lets jobs of a queue fail for good, as a worker would. */
async function failForGood(queue: string, reason: string): Promise<void> {
  const fetched = await jobs.boss.fetch<object>(queue, { batchSize: 100 })
  for (const { id } of fetched) {
    await pool.query('update pgboss.job set retry_limit = 0 where id = $1', [id])
    await jobs.boss.fail(queue, id, { message: reason })
  }
}
const order = () => ({ kind: 'password-changed' as const, userId: uuidv7() })

describe('the queues at one look', () => {
  it('show every queue of the product, with its dead letters, and say nothing is wrong when nothing is', async () => {
    const shown = await queues()
    for (const name of ['poll', 'claim-check', 'mail', 'mail-dead', 'history-roll-up'])
      expect(shown.get(name)).toMatchObject({ verdict: 'ok', advice: '', ready: 0, failed: 0 })
    expect(shown.get('mail')?.deadLetter).toBe('mail-dead')
  })

  it('tell that nobody works while jobs wait', async () => {
    await jobs.enqueue(pool, poll, [{ servers: [] }])
    const waiting = (await queues()).get('poll')
    expect(waiting).toMatchObject({ verdict: 'stuck', ready: 1, active: 0 })
    expect(waiting?.advice).toContain('npm run start:worker')
    expect(waiting?.oldestAgeSeconds).toBeGreaterThanOrEqual(0)
    await jobs.boss.deleteAllJobs('poll')
  })

  it('count what is due later apart from what could run', async () => {
    await jobs.enqueue(pool, mail, [order(), order()], { startAfter: 3600 })
    expect((await queues()).get('mail')).toMatchObject({ ready: 0, deferred: 2, verdict: 'ok' })
    await jobs.boss.deleteAllJobs('mail')
  })

  it('tell of a job whose worker is gone', async () => {
    const worker = await openWorkerJobs({ url: api.database.url, log: testLog, applicationName: 'worker' })
    await worker.boss.supervise()
    await worker.stop()
    await jobs.enqueue(pool, poll, [{ servers: [] }])
    await jobs.boss.fetch('poll')
    await pool.query(`update pgboss.job set heartbeat_on = now() - interval '5 minutes' where name = 'poll'`)
    expect((await queues()).get('poll')).toMatchObject({ verdict: 'stuck', active: 1, lostJobs: 1 })
    await jobs.boss.deleteAllJobs('poll')
  })
})

describe('jobs that failed for good', () => {
  it('are listed with their reason, and redriven into the queue they came from by one call', async () => {
    const given = [order(), order(), order()]
    await jobs.enqueue(pool, mail, given)
    await failForGood('mail', 'mail not sent: ECONNREFUSED')
    const before = await queues()
    expect(before.get('mail')).toMatchObject({ verdict: 'failing', dead: 3 })
    expect(before.get('mail-dead')).toMatchObject({ verdict: 'failing', ready: 3 })
    for (const name of ['mail', 'mail-dead']) {
      const { jobs: failed } = await failedOf(name)
      expect(new Set(failed.map(({ queue }) => queue))).toEqual(new Set(['mail-dead']))
      expect(failed.map(({ payload }) => payload)).toEqual(expect.arrayContaining(given))
      expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(['mail not sent: ECONNREFUSED']))
    }

    expect(await (await post('/api/admin/queues/mail/redrive')).json()).toEqual({ redriven: 3 })
    expect((await queues()).get('mail')).toMatchObject({ failed: 0, dead: 0, ready: 3 })
    expect(await (await post('/api/admin/queues/mail-dead/redrive')).json()).toEqual({ redriven: 0 })
    await jobs.boss.deleteAllJobs('mail')
  })

  it('are run again one by one when their ids are named', async () => {
    await jobs.enqueue(pool, poll, [{ servers: [] }, { servers: [] }])
    await failForGood('poll', 'the database went away')
    const { jobs: failed } = await failedOf('poll')
    expect(failed).toHaveLength(2)
    expect(failed[0]).toMatchObject({ attempts: 1, reason: 'the database went away' })
    expect(await (await post('/api/admin/queues/poll/retry', { ids: [failed[0]?.id] })).json()).toEqual({ retried: 1 })
    expect((await queues()).get('poll')).toMatchObject({ failed: 1, ready: 1 })
    expect(await (await post('/api/admin/queues/poll/retry')).json()).toEqual({ retried: 1 })
    expect((await queues()).get('poll')).toMatchObject({ failed: 0, ready: 2 })
    await jobs.boss.deleteAllJobs('poll')
  })

  it('of a queue that is not there are 404, and a recovery is in the audit log', async () => {
    expect((await post('/api/admin/queues/nothing/retry')).status).toBe(404)
    expect((await post('/api/admin/queues/nothing/redrive')).status).toBe(404)
    const response = await api.request('/api/admin/queues/nothing/failed', { headers: { cookie: admin.cookie } })
    expect(response.status).toBe(404)
    const { rows } = await pool.query(
      `select details from audit_log where action = 'queue.redrive' and target_id = 'mail'`,
    )
    expect(rows).toEqual([{ details: { redriven: 3 } }])
  })
})

describe('the verdict', () => {
  const quiet = {
    name: 'poll',
    ready: 0,
    active: 0,
    deferred: 0,
    failed: 0,
    dead: 0,
    oldestAgeSeconds: null,
    lostJobs: 0,
    completedPerMinute: 0,
    failedPerMinute: 0,
    deadLetter: null,
    isDeadLetter: false,
    schedule: null,
    lastRunAt: null,
  }
  it.each([
    ['ok', {}, 5],
    ['ok', { ready: 5000, oldestAgeSeconds: 20, active: 10 }, 5],
    ['ok', { deferred: 9 }, null],
    ['late', { ready: 5, oldestAgeSeconds: 90, active: 10 }, 5],
    ['stuck', { ready: 5, oldestAgeSeconds: 90 }, 5],
    ['stuck', { ready: 1, oldestAgeSeconds: 1 }, 300],
    ['stuck', { active: 1, lostJobs: 1 }, 5],
    ['failing', { failed: 1 }, 5],
    ['failing', { dead: 1 }, 5],
    ['failing', { isDeadLetter: true, ready: 1, oldestAgeSeconds: 90_000 }, 5],
  ] as const)('is %s for %o, supervised %s s ago, with advice unless it is ok', (verdict, queue, supervised) => {
    const judged = judgeQueue({ ...quiet, ...queue }, supervised)
    expect(judged.verdict).toBe(verdict)
    expect(judged.advice === '').toBe(verdict === 'ok')
  })
})
