// Enqueueing due servers: by concurrent workers, with the jobs in the same transaction.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resetStatus } from '../../../src/features/listings/listings.sql.ts'
import { BATCH_SIZE, enqueueDue, findTargets, type PollBatch, poll } from '../../../src/features/polling/index.ts'
import { removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import type { Jobs } from '../../../src/platform/queue/jobs.ts'
import { emptyTables } from '../../support/database.ts'
import { createTestDirectory, type TestDirectory } from '../../workers/polling/support.ts'

let directory: TestDirectory

beforeAll(async () => {
  directory = await createTestDirectory()
})

afterEach(async () => {
  await emptyTables(directory.pool, 'servers', 'player_history_pending', 'player_history_recent')
  await directory.jobs.boss.deleteAllJobs(poll.queue)
})

const listSome = (count: number) =>
  directory.list(Array.from({ length: count }, (_, n) => ({ address: `10.1.${n >> 8}.${n & 255}`, port: 27015 })))

async function queued(): Promise<PollBatch['servers']> {
  const jobs = await directory.jobs.boss.findJobs<PollBatch>(poll.queue, { queued: true })
  return jobs.flatMap(({ data }) => data.servers)
}

describe('enqueueing due servers', () => {
  it('enqueues each server by one of five concurrent workers', async () => {
    await listSome(1_000)
    const workers = Array.from({ length: 5 }, async () => {
      let servers = 0
      for (;;) {
        const due = await enqueueDue(directory, { limit: 70, intervalSeconds: 60 })
        if (!due.servers) return servers
        servers += due.servers
      }
    })
    const enqueued = await Promise.all(workers)
    expect(enqueued.reduce((a, b) => a + b)).toBe(1_000)
    const servers = await queued()
    expect(new Set(servers.map(({ serverId }) => serverId)).size).toBe(1_000)
    expect(servers.every(({ cycle }) => cycle === 1)).toBe(true)
  })

  it('takes the longest waiting first, in batches of at most two hundred', async () => {
    const ids = await listSome(450)
    const [last] = ids
    await directory.pool.query(
      `update server_polls set next_poll_at = now() - interval '1 hour' where server_id <> $1`,
      [last],
    )
    const due = await enqueueDue(directory, { limit: 449, intervalSeconds: 60 })
    expect(due).toMatchObject({ servers: 449, batches: 3 })
    expect(Math.min(...due.lagsSeconds)).toBeGreaterThan(3_599)
    const jobs = await directory.jobs.boss.findJobs<PollBatch>(poll.queue, { queued: true })
    expect(Math.max(...jobs.map(({ data }) => data.servers.length))).toBeLessThanOrEqual(BATCH_SIZE)
    expect((await queued()).some(({ serverId }) => serverId === last)).toBe(false)
  })

  it('moves the next poll of each by an interval, ten per cent more or less', async () => {
    await listSome(300)
    await enqueueDue(directory, { limit: 300, intervalSeconds: 100 })
    const { rows } = await directory.pool.query<{ least: number; most: number }>(
      `select min(extract(epoch from next_poll_at - now()))::float8 as least,
         max(extract(epoch from next_poll_at - now()))::float8 as most from server_polls`,
    )
    expect(rows[0]?.least).toBeGreaterThan(80)
    expect(rows[0]?.least).toBeLessThan(95)
    expect(rows[0]?.most).toBeGreaterThan(100)
    expect(rows[0]?.most).toBeLessThanOrEqual(110)
    expect((await enqueueDue(directory, { limit: 300, intervalSeconds: 100 })).servers).toBe(0)
  })

  it('begins no cycle when the jobs can’t be enqueued', async () => {
    await listSome(10)
    const jobs: Jobs = {
      ...directory.jobs,
      enqueue: (db, contract, payloads) =>
        directory.jobs.enqueue(db, { ...contract, queue: 'no-such-queue' }, payloads),
    }
    await expect(enqueueDue({ pool: directory.pool, jobs }, { limit: 10, intervalSeconds: 60 })).rejects.toThrow()
    expect((await enqueueDue(directory, { limit: 10, intervalSeconds: 60 })).servers).toBe(10)
  })

  it('tells the first poll at an address, also after a move', async () => {
    const [id = ''] = await listSome(1)
    const isFirst = async () => {
      await directory.pool.query('update server_polls set next_poll_at = now()')
      const [batch] = (await directory.takeBatches()) as [PollBatch]
      return (await findTargets(directory.pool, batch)).map((target) => target.isFirst)
    }
    expect(await isFirst()).toEqual([true])
    await directory.pool.query('update server_status set last_polled_at = now() where server_id = $1', [id])
    expect(await isFirst()).toEqual([false])
    await resetStatus(directory.pool, id)
    expect(await isFirst()).toEqual([true])
  })

  it('loads only those of a batch that are still listed, not polled yet, and not due again since', async () => {
    const [deleted, polled, again, open] = (await listSome(4)) as [string, string, string, string]
    const [batch] = (await directory.takeBatches()) as [PollBatch]
    await removeServerAndNotify(directory.pool, deleted)
    await directory.pool.query('update server_status set applied_cycle = 1 where server_id = $1', [polled])
    await directory.pool.query('update server_polls set cycle = 2 where server_id = $1', [again])
    const targets = await findTargets(directory.pool, batch)
    expect(targets).toEqual([
      {
        serverId: open,
        cycle: 1,
        game: 'protocol-valve',
        ipAddress: '10.1.0.3',
        gamePort: 27015,
        gamePortGiven: true,
        queryPort: 27015,
        bedrockAddress: '',
        bedrockPort: null,
        nameFromServer: false,
        isOnline: false,
        isFirst: true,
        isUnclaimed: false,
        consecutiveFailures: 0,
        profile: null,
      },
    ])
  })
})
