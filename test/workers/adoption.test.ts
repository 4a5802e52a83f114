// A worker on a restored copy that is adopted while the database fails.
import { expect, test, vi } from 'vitest'
import { billingSweep } from '../../src/features/billing/index.ts'
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { createTestDatabase, testLog } from '../support/database.ts'
import { startMailWorker } from './mail/support.ts'

const database = await createTestDatabase()
const { pool } = database

test('external jobs start after the adoption, which a failed query at that moment does not hide', async () => {
  await pool.query(`update installation set fingerprint = 'of another cluster'`)
  const worker = await startMailWorker(database, {})
  expect(worker.logged()).toContain('this database is a restored copy')

  await pool.query('alter table pgboss.schedule rename to schedule_away')
  await adoptInstallation(pool)
  await vi.waitFor(() => expect(worker.logged()).toContain('still wait'), { timeout: 20_000, interval: 100 })
  await pool.query('alter table pgboss.schedule_away rename to schedule')

  const jobs = await openJobs({ url: database.url, log: testLog, applicationName: 'test' })
  try {
    await jobs.enqueue(pool, billingSweep, [{}]) // the last queue that waited for the adoption
    await vi.waitFor(
      async () => {
        const { rows } = await pool.query('select state from pgboss.job where name = $1', [billingSweep.queue])
        expect(rows).toEqual([{ state: 'completed' }])
      },
      { timeout: 20_000, interval: 100 },
    )
  } finally {
    await jobs.stop()
  }
})
