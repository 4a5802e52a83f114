// `npm run queues [-- <command>]`: the state of the queues, and the recovery of failed jobs.

import { validate as isUuid } from 'uuid'
import type * as queuesFeature from '../../src/features/queues/index.ts'
import { inTransaction, type Pool } from '../../src/platform/db/pool.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import type { Jobs } from '../../src/platform/queue/jobs.ts'
import { CommandError, defineCommand, runProgram } from '../command.ts'
import { findDatabaseUrl, withPool } from '../database.ts'
import { defineSubcommands } from '../subcommands.ts'
import { failedTable, jobsTable, queuesTable } from './tables.ts'

/** Imports the feature only when a command runs, so that help is printed at once. */
const withQueues = (
  work: (context: { pool: Pool; jobs: Jobs; feature: typeof queuesFeature }) => Promise<number>,
): Promise<number> =>
  withPool(async (pool, settings) => {
    const { openJobs } = await import('../../src/platform/queue/jobs.ts')
    const feature = await import('../../src/features/queues/index.ts')
    const url = findDatabaseUrl(settings)
    const jobs = await openJobs({ url, log: createLog('queues', 'silent'), applicationName: 'command' })
    try {
      return await work({ pool, jobs, feature })
    } finally {
      await jobs.stop()
    }
  })

const list = defineCommand({
  help: `npm run queues -- list

Prints every queue with its verdict (ok, late, failing or stuck) and what to do. The exit code is 1 if a queue is not ok.
`,
  run: () =>
    withQueues(async ({ pool, feature }) => {
      const listed = await feature.listQueues(pool)
      process.stdout.write(queuesTable(listed))
      return listed.queues.every(({ verdict }) => verdict === 'ok') ? 0 : 1
    }),
})

const jobsOfQueue = defineCommand({
  help: `npm run queues -- jobs <queue> [--state <state>] [--page <n>]

Prints the jobs of a queue that are in one state: id, time, attempts, last error, payload. Completed jobs are printed newest
first, all others oldest first.

  --state <state>  ready, active, deferred or completed; default: ready
  --page <n>       page of 20 jobs; default: 1
`,
  options: { state: { type: 'string' }, page: { type: 'string' } },
  arguments: ['queue'],
  run: ([queue], { state = 'ready', page }) =>
    withQueues(async ({ pool, feature }) => {
      const parsed = feature.JobState.safeParse(state)
      if (!parsed.success) throw new CommandError(`--state must be one of ${feature.JobState.options.join(', ')}`, 2)
      const query = { state: parsed.data, page: pageNumber(page), limit: 20 }
      process.stdout.write(jobsTable(await feature.listJobs(pool, queue, query), state))
      return 0
    }),
})

const failed = defineCommand({
  help: `npm run queues -- failed <queue> [--page <n>]

Prints the jobs of a queue that failed permanently, newest first: id, time, attempts, reason, payload.

  --page <n>  page of 20 jobs; default: 1
`,
  options: { page: { type: 'string' } },
  arguments: ['queue'],
  run: ([queue], { page }) =>
    withQueues(async ({ pool, feature }) => {
      const query = { page: pageNumber(page), limit: 20 }
      process.stdout.write(failedTable(await feature.listFailedJobs(pool, queue, query)))
      return 0
    }),
})

const retry = defineCommand({
  help: `npm run queues -- retry <queue> [--id <job>]

Runs the failed jobs of a queue again. For a queue with dead letters, use \`redrive\`.

  --id <job>  retries only the job with this id, which \`failed\` prints
`,
  options: { id: { type: 'string' } },
  arguments: ['queue'],
  run: ([queue], { id }) =>
    withQueues(async ({ pool, jobs, feature }) => {
      const ids = jobIds(id)
      const retried = await inTransaction(pool, (tx) => feature.retryJobs(tx, jobs, queue, ids))
      process.stdout.write(`${retried} ${retried === 1 ? 'job' : 'jobs'} will be retried\n`)
      return 0
    }),
})

const redrive = defineCommand({
  help: `npm run queues -- redrive <queue> [--id <job>]

Moves dead letters (jobs that failed permanently and were set aside) back into the queue they came from, where they run again.
<queue> is that queue, or the dead letter queue itself.

  --id <job>  moves only the job with this id, which \`failed\` prints
`,
  options: { id: { type: 'string' } },
  arguments: ['queue'],
  run: ([queue], { id }) =>
    withQueues(async ({ pool, jobs, feature }) => {
      const ids = jobIds(id)
      const redriven = await inTransaction(pool, (tx) => feature.redriveJobs(tx, jobs, queue, ids))
      process.stdout.write(`${redriven} ${redriven === 1 ? 'job' : 'jobs'} moved back\n`)
      return 0
    }),
})

function pageNumber(page = '1'): number {
  if (!/^[1-9]\d{0,5}$/.test(page)) throw new CommandError('--page must be a whole number from 1', 2)
  return Number(page)
}

function jobIds(id: string | undefined): string[] | undefined {
  if (id === undefined) return undefined
  if (!isUuid(id)) throw new CommandError('--id must be the id of a job, as `failed` prints it', 2)
  return [id]
}

const HELP = `npm run queues [-- <command> [options]]

  list             prints all queues with verdict and advice (the default)
  jobs <queue>     prints jobs that are ready, active, deferred or completed
  failed <queue>   prints jobs that failed permanently
  retry <queue>    runs failed jobs again
  redrive <queue>  moves dead letters back into the queue they came from

\`npm run queues -- <command> --help\` shows the options of a command. All work on the database of DATABASE_URL or, without it,
on that of the running \`npm start\`.
`

const commands = new Map([
  ['list', list],
  ['jobs', jobsOfQueue],
  ['failed', failed],
  ['retry', retry],
  ['redrive', redrive],
])

await runProgram('queues', defineSubcommands({ help: HELP, commands, defaultCommand: 'list' }))
