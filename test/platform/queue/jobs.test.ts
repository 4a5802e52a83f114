// Opening the queue: what is left of an attempt that fails.
import { expect, it } from 'vitest'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { createTestDatabase, runStatement, testLog } from '../../support/database.ts'

it('a worker that can’t open the queue, as on a read-only server, leaves no connection behind', async () => {
  const { url, pool } = await createTestDatabase()
  const { pathname } = new URL(url)
  await runStatement(url, `alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
  await expect(openWorkerJobs({ url, log: testLog, applicationName: 'refused' })).rejects.toThrow(/read-only/)
  const connections = async () =>
    (await pool.query(`select from pg_stat_activity where application_name like 'refused%'`)).rowCount
  await expect.poll(connections, { timeout: 10_000 }).toBe(0)
})
