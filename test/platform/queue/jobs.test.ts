// Installing the queues over those of an earlier release, and opening the queue: what is left of an attempt that fails.
import { expect, it } from 'vitest'
import * as z from 'zod'
import { contracts } from '../../../src/contracts.ts'
import { defineJob, defineScheduledJob } from '../../../src/platform/queue/contract.ts'
import { installQueues, openJobs, openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { createTestDatabase, runStatement, testLog } from '../../support/database.ts'

it('a worker that can’t open the queue, as on a read-only server, leaves no connection behind', async () => {
  const { url, pool } = await createTestDatabase()
  const { pathname } = new URL(url)
  await runStatement(url, `alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
  await expect(openWorkerJobs({ url, log: testLog, applicationName: 'refused' })).rejects.toThrow(/read-only/)
  const connections = async () =>
    (await pool.query(`select from pg_stat_activity where application_name like 'refused%'`)).rowCount
  await expect.poll(connections).toBe(0)
})

it('an installation gives each queue exactly the options of its contract, also those that an earlier release had set', async () => {
  const { url } = await createTestDatabase()
  const options = { url, log: testLog, applicationName: 'test' }
  const job = (name: string, queueOptions: Parameters<typeof defineJob>[2]) =>
    defineJob(name, z.object({}), queueOptions)
  const dead = job('dead-letters', {})
  const earlier = {
    retryLimit: 9,
    retryBackoff: true,
    retryDelay: 3,
    retryDelayMax: 60,
    retentionSeconds: 60,
    deleteAfterSeconds: 60,
    deadLetter: 'dead-letters',
    warningQueueSize: 5,
  }
  await installQueues(options, [dead, job('changed', earlier), job('same', {})])
  await installQueues(options, [dead, job('changed', {}), job('same', {})])
  const jobs = await openJobs(options)
  const optionsOf = async (name: string) => {
    const {
      createdOn: _c,
      updatedOn: _u,
      name: _n,
      ...rest
    } = (await jobs.boss.getQueue(name)) as object as Record<string, unknown>
    return rest
  }
  const [changed, same] = [await optionsOf('changed'), await optionsOf('same')]
  await jobs.stop()
  expect(changed).toEqual(same)
  await expect(installQueues(options, [job('same', { policy: 'short' })])).rejects.toThrow(
    'queue same has the policy standard, not short: give the contract another name',
  )
})

it('runs of a schedule that none handles, as on a restored copy, do not pile up', async () => {
  const { url, pool } = await createTestDatabase()
  const options = { url, log: testLog, applicationName: 'test' }
  const sweep = defineScheduledJob('sweep', { cadence: 'minutes', expireInSeconds: 60 })
  const daily = defineScheduledJob('daily', { cadence: 'hours', expireInSeconds: 60 })
  const { retentionSeconds: _, ...earlier } = sweep.options
  await installQueues(options, [{ ...sweep, options: earlier }, daily])
  await installQueues(options, [sweep, daily])
  const jobs = await openJobs(options)
  for (const contract of [sweep, daily])
    for (const minutes of [10, 6, 4, 0])
      await jobs.enqueue(pool, contract, [{}], { startAfter: new Date(Date.now() - minutes * 60_000) })
  await jobs.stop()
  const runsOf = async ({ queue }: typeof sweep) =>
    (await pool.query('select from pgboss.job where name = $1', [queue])).rowCount
  const worker = await openWorkerJobs(options) // supervises, and so deletes
  try {
    await expect.poll(async () => [await runsOf(sweep), await runsOf(daily)]).toEqual([2, 4])
  } finally {
    await worker.stop()
  }
})

it('an installation that changes nothing updates no queue', async () => {
  const { url, pool } = await createTestDatabase()
  const updates = async () => (await pool.query('select name, updated_on from pgboss.queue order by name')).rows
  const before = await updates()
  await installQueues({ url, log: testLog, applicationName: 'test' }, Object.values(contracts))
  expect(await updates()).toEqual(before)
})
