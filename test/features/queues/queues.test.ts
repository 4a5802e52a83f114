// Queue administration: which queues are late, failing or stuck, and the recovery of failed jobs.
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type * as z from 'zod'
import { duplicateSubscriptions } from '../../../src/features/billing/billing.jobs.ts'
import { claimCheck } from '../../../src/features/claims/claims.jobs.ts'
import { discovery } from '../../../src/features/discovery/discovery.jobs.ts'
import { mail } from '../../../src/features/mail/index.ts'
import { placementUpdate } from '../../../src/features/placements/index.ts'
import { poll } from '../../../src/features/polling/index.ts'
import { listQueues, redriveJobs, retryJobs } from '../../../src/features/queues/index.ts'
import { classifyQueue, isSupervised } from '../../../src/features/queues/queue-verdict.ts'
import type { QueueJob, QueueState } from '../../../src/features/queues/queues.schema.ts'
import { adoptInstallation, markRestored } from '../../../src/platform/db/installation.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits, testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'

const api = await startTestApi()
const { pool } = api.database
const { jobs } = api.deps
const admin = await addPerson(pool, { isAdmin: true })

async function queues(): Promise<Map<string, z.input<typeof QueueState>>> {
  const response = await api.request('/api/admin/queues', { headers: { cookie: admin.cookie } })
  const { queues: list } = (await response.json()) as { queues: z.input<typeof QueueState>[] }
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

/** Fails the jobs of a queue permanently, as a worker does. */
async function failPermanently(queue: string, reason: string): Promise<void> {
  const fetched = await jobs.boss.fetch<object>(queue, { batchSize: 100 })
  for (const { id } of fetched) {
    await pool.query('update pgboss.job set retry_limit = 0 where id = $1', [id])
    await jobs.boss.fail(queue, id, { message: reason })
  }
}
async function jobsOf(name: string, state: string) {
  const response = await api.request(`/api/admin/queues/${name}/jobs?state=${state}`, {
    headers: { cookie: admin.cookie },
  })
  return (await response.json()) as { jobs: z.input<typeof QueueJob>[]; pagination: { total: number } }
}
const mailJob = () => ({ kind: 'password-changed' as const, userId: uuidv7() })

describe('the jobs of a queue', () => {
  it('are listed by state: due, due later, handled by a worker, completed', async () => {
    const [due, later] = [uuidv7(), uuidv7()]
    await jobs.enqueue(pool, mail, [mailJob()], { id: due })
    await jobs.enqueue(pool, mail, [mailJob()], { id: later, startAfter: 3600 })
    expect((await jobsOf('mail', 'ready')).jobs).toMatchObject([
      { id: due, attempts: 0, startedAt: null, completedAt: null, reason: null, payload: { kind: 'password-changed' } },
    ])
    expect((await jobsOf('mail', 'deferred')).jobs).toMatchObject([{ id: later, attempts: 0 }])
    await jobs.boss.fetch('mail')
    expect((await jobsOf('mail', 'ready')).jobs).toEqual([])
    const { jobs: active } = await jobsOf('mail', 'active')
    expect(active).toMatchObject([{ id: due, attempts: 1 }])
    expect(active[0]?.startedAt).not.toBeNull()
    await jobs.boss.fail('mail', due, { message: 'mailbox full' })
    expect((await jobsOf('mail', 'deferred')).jobs).toContainEqual(
      expect.objectContaining({ id: due, attempts: 1, reason: 'mailbox full' }),
    )
    await pool.query('update pgboss.job set start_after = now() where id = $1', [due])
    await jobs.boss.fetch('mail')
    await jobs.boss.complete('mail', due)
    const completed = await jobsOf('mail', 'completed')
    expect(completed.jobs).toMatchObject([{ id: due, attempts: 2, reason: null }])
    expect(completed.pagination.total).toBe(1)
    await jobs.boss.deleteAllJobs('mail')
  })

  it('need a state that exists, and a queue', async () => {
    const statusOf = async (path: string) => (await api.request(path, { headers: { cookie: admin.cookie } })).status
    expect(await statusOf('/api/admin/queues/mail/jobs')).toBe(400)
    expect(await statusOf('/api/admin/queues/mail/jobs?state=lost')).toBe(400)
    expect(await statusOf('/api/admin/queues/unknown/jobs?state=ready')).toBe(404)
  })
})

describe('the list of queues', () => {
  it('has every queue with its dead letters, and each is ok while nothing is wrong', async () => {
    const listed = await queues()
    for (const name of ['poll', 'claim-check', 'mail', 'mail-dead', 'history-roll-up'])
      expect(listed.get(name)).toMatchObject({ verdict: 'ok', advice: '', ready: 0, failed: 0 })
    expect(listed.get('mail')?.deadLetter).toBe('mail-dead')
  })

  it('reports a queue as stuck while jobs wait and no worker runs, from a minute after the queues were created', async () => {
    await jobs.enqueue(pool, poll, [{ servers: [] }])
    await pool.query('update pgboss.queue set created_on = now(), monitor_on = null, monitor_claim_on = null')
    expect((await queues()).get('poll')).toMatchObject({ verdict: 'ok', ready: 1 })
    await pool.query(`update pgboss.queue set created_on = now() - interval '61 seconds'`)
    const waiting = (await queues()).get('poll')
    expect(waiting).toMatchObject({ verdict: 'stuck', ready: 1, active: 0 })
    expect(waiting?.advice).toContain('npm run start:worker')
    expect(waiting?.oldestAgeSeconds).toBeGreaterThanOrEqual(0)
    await jobs.boss.deleteAllJobs('poll')
  })

  it('expects a worker from a minute after the queues were created or last supervised, and sees one as soon as it has started', async () => {
    expect([null, 0, 60, 61].map(isSupervised)).toEqual([false, true, true, false])
    const hasWorker = async () => (await listQueues(pool)).hasWorker
    await pool.query(`update pgboss.queue set created_on = now(), monitor_on = null, monitor_claim_on = null`)
    expect(await hasWorker()).toBe(true)
    const longAgo = `now() - interval '3 days'`
    await pool.query(
      `update pgboss.queue set created_on = ${longAgo}, monitor_on = ${longAgo}, monitor_claim_on = ${longAgo}`,
    )
    expect(await hasWorker()).toBe(false)
    const worker = await openWorkerJobs({ url: api.database.url, log: testLog, applicationName: 'worker' })
    // Its supervisor alone begins after 10 s.
    await expect.poll(hasWorker, { interval: 50 }).toBe(true)
    await worker.stop()
  })

  it('sees a worker whose counts of the queues are deferred because they are slow', async () => {
    await jobs.enqueue(pool, poll, [{ servers: [] }])
    await jobs.boss.fetch('poll')
    const earlier = `now() - interval '2 minutes'`
    await pool.query(
      `update pgboss.queue set created_on = ${earlier}, monitor_on = ${earlier}, monitor_claim_on = now()`,
    )
    expect((await listQueues(pool)).hasWorker).toBe(true)
    expect((await queues()).get('poll')).toMatchObject({ verdict: 'ok', active: 1 })
    await jobs.boss.deleteAllJobs('poll')
  })

  it('counts jobs that are due later apart from jobs that are ready', async () => {
    await jobs.enqueue(pool, mail, [mailJob(), mailJob()], { startAfter: 3600 })
    expect((await queues()).get('mail')).toMatchObject({ ready: 0, deferred: 2, verdict: 'ok' })
    await jobs.boss.deleteAllJobs('mail')
  })

  it('reports a job whose worker is gone', async () => {
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

describe('jobs that failed permanently', () => {
  it('are listed with their reason, and one call redrives them into the queue they came from', async () => {
    const given = [mailJob(), mailJob(), mailJob()]
    await jobs.enqueue(pool, mail, given)
    await failPermanently('mail', 'mail not sent: ECONNREFUSED')
    const before = await queues()
    expect(before.get('mail')).toMatchObject({ verdict: 'failing', dead: 3, lastReason: 'mail not sent: ECONNREFUSED' })
    expect(before.get('mail')?.advice).toMatch(
      /^3 jobs failed permanently, the last because of “mail not sent: ECONNREFUSED”/,
    )
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

  it('are retried one by one if their ids are given', async () => {
    await jobs.enqueue(pool, poll, [{ servers: [] }, { servers: [] }])
    await failPermanently('poll', 'the database went away')
    const { jobs: failed } = await failedOf('poll')
    expect(failed).toHaveLength(2)
    expect(failed[0]).toMatchObject({ attempts: 1, reason: 'the database went away' })
    expect(await (await post('/api/admin/queues/poll/retry', { ids: [failed[0]?.id] })).json()).toEqual({ retried: 1 })
    expect((await queues()).get('poll')).toMatchObject({ failed: 1, ready: 1 })
    expect(await (await post('/api/admin/queues/poll/retry')).json()).toEqual({ retried: 1 })
    expect((await queues()).get('poll')).toMatchObject({ failed: 0, ready: 2 })
    await jobs.boss.deleteAllJobs('poll')
  })

  it('of a scheduled queue count until a later run completes', async () => {
    await jobs.boss.schedule(placementUpdate.queue, '* * * * *')
    await jobs.enqueue(pool, placementUpdate, [{}])
    await failPermanently(placementUpdate.queue, 'the database went away')
    expect((await queues()).get(placementUpdate.queue)).toMatchObject({ verdict: 'failing', failed: 1 })
    await jobs.enqueue(pool, placementUpdate, [{}])
    const [run] = await jobs.boss.fetch<object>(placementUpdate.queue)
    await jobs.boss.complete(placementUpdate.queue, run?.id ?? '')
    expect((await queues()).get(placementUpdate.queue)).toMatchObject({ verdict: 'ok', failed: 0, lastReason: null })
    expect((await failedOf(placementUpdate.queue)).jobs).toHaveLength(1)
    await jobs.boss.unschedule(placementUpdate.queue)
    await jobs.boss.deleteAllJobs(placementUpdate.queue)
  })

  it('are retried once for each key where the queue allows one such job, and all elsewhere', async () => {
    const source = () => jobs.enqueue(pool, discovery, [{ source: 'steam' }], { singletonKey: 'steam' })
    for (const reason of ['the older', 'the newer']) {
      await source()
      await failPermanently('discovery', reason)
    }
    const {
      jobs: [newest, oldest],
    } = await failedOf('discovery')
    expect(await (await post('/api/admin/queues/discovery/retry')).json()).toEqual({ retried: 1 })
    expect((await jobsOf('discovery', 'ready')).jobs).toMatchObject([{ id: newest?.id }])
    expect(await (await post('/api/admin/queues/discovery/retry', { ids: [oldest?.id] })).json()).toEqual({
      retried: 0,
    })

    for (const reason of ['the older', 'the newer']) {
      await jobs.enqueue(pool, placementUpdate, [{}])
      await failPermanently(placementUpdate.queue, reason)
    }
    const [newestRun] = (await failedOf(placementUpdate.queue)).jobs
    expect(await (await post(`/api/admin/queues/${placementUpdate.queue}/retry`)).json()).toEqual({ retried: 1 })
    expect((await jobsOf(placementUpdate.queue, 'ready')).jobs).toMatchObject([{ id: newestRun?.id }])

    const serverId = uuidv7()
    for (const reason of ['the older', 'the newer']) {
      await jobs.enqueue(pool, claimCheck, [{ serverId }], { singletonKey: serverId })
      await failPermanently('claim-check', reason)
    }
    expect(await (await post('/api/admin/queues/claim-check/retry')).json()).toEqual({ retried: 2 })
    for (const name of ['discovery', placementUpdate.queue, 'claim-check']) await jobs.boss.deleteAllJobs(name)
  })

  it('have the reasons that the queue itself gives, in words', async () => {
    for (const output of ['job timed out', { message: 'job heartbeat timeout' }]) {
      await jobs.enqueue(pool, poll, [{ servers: [] }], { retryLimit: 0 })
      const [job] = await jobs.boss.fetch<object>('poll')
      await jobs.boss.fail('poll', job?.id ?? '', { value: output })
    }
    const { jobs: failed } = await failedOf('poll')
    expect(failed.map(({ reason }) => reason)).toEqual(['job heartbeat timeout', 'job timed out'])
    expect((await queues()).get('poll')).toMatchObject({ lastReason: 'job heartbeat timeout' })
    await jobs.boss.deleteAllJobs('poll')
  })

  it('are retried within the time limit of a statement, also 20,000', async () => {
    await pool.query(
      `insert into pgboss.job (name, data, state, completed_on, policy)
       select 'notify', '{}', 'failed', now(), 'standard' from generate_series(1, 20000)`,
    )
    await pool.query('analyze pgboss.job_common')
    expect(await (await post('/api/admin/queues/notify/retry')).json()).toEqual({ retried: 20_000 })
    await jobs.boss.deleteAllJobs('notify')
  })

  it('of a source count until a later run of this source completes', async () => {
    const run = (source: string) => jobs.enqueue(pool, discovery, [{ source }], { singletonKey: source })
    await run('steam')
    await failPermanently('discovery', 'the list can’t be read')
    const complete = async (source: string) => {
      await run(source)
      const [job] = await jobs.boss.fetch<object>('discovery')
      await jobs.boss.complete('discovery', job?.id ?? '')
    }
    await complete('epic')
    expect((await queues()).get('discovery')).toMatchObject({ verdict: 'failing', failed: 1 })
    await complete('steam')
    expect((await queues()).get('discovery')).toMatchObject({ verdict: 'ok', failed: 0 })
    await jobs.boss.deleteAllJobs('discovery')
  })

  it('stay dead letters, counted and listed, while their queue has a job with the same key', async () => {
    const userId = uuidv7()
    for (const reason of ['the first', 'the second']) {
      await jobs.enqueue(pool, duplicateSubscriptions, [{ userId }], { singletonKey: userId })
      await failPermanently('duplicate-subscriptions', reason)
    }
    const redrive = async () => (await post('/api/admin/queues/duplicate-subscriptions/redrive')).json()
    expect(await redrive()).toEqual({ redriven: 1 })
    const listed = await queues()
    expect(listed.get('duplicate-subscriptions')).toMatchObject({ dead: 1, ready: 1 })
    const deadLetters = listed.get('duplicate-subscriptions-dead')
    expect(deadLetters).toMatchObject({ verdict: 'failing', failed: 1 })
    expect(deadLetters?.advice).toContain('the queue had a job with the same key')
    const { jobs: failed } = await failedOf('duplicate-subscriptions')
    expect(failed).toMatchObject([{ queue: 'duplicate-subscriptions-dead', reason: 'the second' }])

    expect(await redrive()).toEqual({ redriven: 0 })
    const [job] = await jobs.boss.fetch<object>('duplicate-subscriptions')
    await jobs.boss.complete('duplicate-subscriptions', job?.id ?? '')
    expect(await redrive()).toEqual({ redriven: 1 })
    expect((await queues()).get('duplicate-subscriptions-dead')).toMatchObject({ verdict: 'ok', failed: 0 })
    await jobs.boss.deleteAllJobs('duplicate-subscriptions')
  })

  it('are recovered all by one call, however many, also past a thousand that can’t be moved', async () => {
    await jobs.enqueue(
      pool,
      poll,
      Array.from({ length: 1_001 }, () => ({ servers: [] })),
    )
    await pool.query(`update pgboss.job set state = 'failed', completed_on = now() where name = 'poll'`)
    expect(await (await post('/api/admin/queues/poll/retry')).json()).toEqual({ retried: 1_001 })
    await jobs.boss.deleteAllJobs('poll')

    const queue = 'duplicate-subscriptions'
    const users = Array.from({ length: 1_001 }, () => ({ userId: uuidv7() }))
    const add = (added: typeof users) =>
      jobs.enqueue(pool, duplicateSubscriptions, added, (_, n) => ({
        singletonKey: added[n]?.userId ?? '',
        retryLimit: 0,
      }))
    await add(users)
    const fetched = await jobs.boss.fetch<object>(queue, { batchSize: users.length })
    await jobs.boss.fail(
      queue,
      fetched.map(({ id }) => id),
    )
    await add(users.slice(1)) // wait, so that all dead letters but the newest can't be moved
    await pool.query(
      `update pgboss.job set created_on = created_on + interval '1 minute' where name = $1 and singleton_key = $2`,
      [`${queue}-dead`, users[0]?.userId],
    )
    expect(await (await post(`/api/admin/queues/${queue}/redrive`)).json()).toEqual({ redriven: 1 })
    for (const name of [queue, `${queue}-dead`]) await jobs.boss.deleteAllJobs(name)
  })

  it('are redriven also by an API whose clock is behind the database’s', async () => {
    const queue = 'duplicate-subscriptions'
    await jobs.enqueue(pool, duplicateSubscriptions, [{ userId: uuidv7() }])
    await failPermanently(queue, 'the provider did not answer')
    await pool.query(`update pgboss.job set created_on = now() + interval '1 minute' where name = $1`, [
      `${queue}-dead`,
    ])
    expect(await (await post(`/api/admin/queues/${queue}/redrive`)).json()).toEqual({ redriven: 1 })
    await jobs.boss.deleteAllJobs(queue)
  })

  it('are counted by the call that retries them, not by one that waited for it', async () => {
    await jobs.enqueue(pool, poll, [{ servers: [] }])
    await failPermanently('poll', 'the database went away')
    const { second } = await inTransaction(pool, async (tx) => {
      expect(await retryJobs(tx, jobs, 'poll')).toBe(1)
      const waiting = post('/api/admin/queues/poll/retry')
      await expect.poll(() => countLockWaits(pool)).toBe(1)
      return { second: waiting }
    })
    expect(await (await second).json()).toEqual({ retried: 0 })
    await jobs.boss.deleteAllJobs('poll')
  })

  it.each([
    { recover: retryJobs, queue: 'notify', keptIn: 'notify', state: 'failed', sourceName: null },
    { recover: redriveJobs, queue: 'mail', keptIn: 'mail-dead', state: 'created', sourceName: 'mail' },
  ])('are recovered by few statements, since each reads all of $keptIn', async ({ recover, queue, ...kept }) => {
    const count = 10_000
    await pool.query(
      `insert into pgboss.job (name, state, policy, source_name) select name, $2::pgboss.job_state, policy, $3
       from pgboss.queue cross join generate_series(1, $4) where name = $1`,
      [kept.keptIn, kept.state, kept.sourceName, count],
    )
    await inTransaction(pool, async (tx) => {
      const statements = vi.spyOn(tx, 'query')
      expect(await recover(tx, jobs, queue)).toBe(count)
      expect(statements.mock.calls.length).toBeLessThan(10)
    })
    await jobs.boss.deleteAllJobs(queue)
  })

  it('of an unknown queue are 404, and a recovery is in the audit log', async () => {
    expect((await post('/api/admin/queues/nothing/retry')).status).toBe(404)
    expect((await post('/api/admin/queues/nothing/redrive')).status).toBe(404)
    const response = await api.request('/api/admin/queues/nothing/failed', { headers: { cookie: admin.cookie } })
    expect(response.status).toBe(404)
    const { rows } = await pool.query(
      `select details from audit_log where action = 'queue.redrive' and target_id = 'mail'`,
    )
    expect(rows).toEqual([{ details: { redriven: 3 } }])
  })

  it('stay where they are if the audit entry of their recovery cannot be written', async () => {
    await jobs.enqueue(pool, mail, [mailJob(), mailJob()])
    await failPermanently('mail', 'mail not sent: ECONNREFUSED')
    await jobs.enqueue(pool, poll, [{ servers: [] }])
    await failPermanently('poll', 'the database went away')
    const refuse = `check (action not in ('queue.retry', 'queue.redrive')) not valid`
    await pool.query(`alter table audit_log add constraint refuses_recovery ${refuse}`)
    onTestFinished(() => void pool.query('alter table audit_log drop constraint if exists refuses_recovery'))

    expect((await post('/api/admin/queues/mail/redrive')).status).toBe(500)
    expect((await post('/api/admin/queues/poll/retry')).status).toBe(500)
    const listed = await queues()
    expect(listed.get('mail')).toMatchObject({ dead: 2, ready: 0 })
    expect(listed.get('poll')).toMatchObject({ failed: 1, ready: 0 })

    await pool.query('alter table audit_log drop constraint refuses_recovery')
    expect(await (await post('/api/admin/queues/mail/redrive')).json()).toEqual({ redriven: 2 })
    expect(await (await post('/api/admin/queues/poll/retry')).json()).toEqual({ retried: 1 })
    for (const name of ['mail', 'poll']) await jobs.boss.deleteAllJobs(name)
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
    lastReason: null,
    completedPerMinute: 0,
    failedPerMinute: 0,
    deadLetter: null,
    isDeadLetter: false,
    schedule: null,
    lastRunAt: null,
  }
  it.each([
    ['ok', {}, true],
    ['ok', { ready: 5000, oldestAgeSeconds: 20, active: 10 }, true],
    ['ok', { deferred: 9 }, false],
    ['late', { ready: 5, oldestAgeSeconds: 90, active: 10 }, true],
    ['late', { ready: 5, oldestAgeSeconds: 90, completedPerMinute: 5070 }, true],
    ['ok', { name: 'discovery', ready: 1, oldestAgeSeconds: 1800, active: 2 }, true],
    ['late', { name: 'discovery', ready: 1, oldestAgeSeconds: 1801, active: 2 }, true],
    ['stuck', { name: 'discovery', ready: 1, oldestAgeSeconds: 90 }, true],
    ['stuck', { ready: 5, oldestAgeSeconds: 90 }, true],
    ['stuck', { ready: 1, oldestAgeSeconds: 1 }, false],
    ['stuck', { active: 1, lostJobs: 1 }, true],
    ['failing', { failed: 1 }, true],
    ['failing', { dead: 1 }, true],
    ['failing', { isDeadLetter: true, ready: 1, oldestAgeSeconds: 90_000 }, true],
    ['failing', { isDeadLetter: true, failed: 1 }, true],
  ] as const)('is %s for %o, with a worker: %s, and has advice unless it is ok', (verdict, queue, hasWorker) => {
    const state = classifyQueue({ ...quiet, ...queue }, { hasWorker, isCopy: false })
    expect(state.verdict).toBe(verdict)
    expect(state.advice === '').toBe(verdict === 'ok')
  })

  it('advises another worker only for queues that it helps', () => {
    const late = { ...quiet, ready: 1, active: 1, oldestAgeSeconds: 90 }
    const adviceOn = (schedule: string | null) =>
      classifyQueue({ ...late, schedule }, { hasWorker: true, isCopy: false }).advice
    expect(adviceOn(null)).toContain('start another one')
    expect(adviceOn('* * * * *')).toContain('only one runs at a time')
    expect(adviceOn('* * * * *')).not.toContain('start another one')
  })

  it('names the adoption while jobs wait on a restored copy', async () => {
    await pool.query(`update pgboss.queue set monitor_claim_on = now()`)
    await jobs.enqueue(pool, mail, [mailJob()])
    await pool.query(`update pgboss.job set start_after = now() - interval '2 minutes' where name = 'mail'`)
    const advice = async () => (await queues()).get('mail')?.advice
    expect(await advice()).not.toContain('npm run adopt')
    await markRestored(pool)
    expect(await advice()).toContain('restored copy: jobs that send or charge wait until `npm run adopt`')
    await adoptInstallation(pool)
    await jobs.boss.deleteAllJobs('mail')
  })
})
