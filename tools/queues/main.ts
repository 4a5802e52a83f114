// `npm run queues [-- <command>]`: the operator's look at the queues, and their recovery.

import type { QueuesService } from '../../src/features/operators/index.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { type Command, CommandError, parseCommand, tellFailure } from '../commands/command.ts'
import { findDatabaseUrl, openDatabase } from '../commands/database.ts'
import { failedTable, queuesTable } from './tables.ts'

type QueuesCommand = Command<QueuesService>

const COMMANDS = new Map<string, QueuesCommand>([
  [
    'list',
    {
      help: `npm run queues -- list

Prints every queue with its verdict (ok, late, failing, stuck) and what to do. Exit code 1 when one is not ok.
`,
      options: {},
      arguments: [],
      async run(queues) {
        const seen = await queues.list()
        process.stdout.write(queuesTable(seen))
        return seen.queues.every(({ verdict }) => verdict === 'ok') ? 0 : 1
      },
    },
  ],
  [
    'failed',
    {
      help: `npm run queues -- failed <queue> [--page <n>]

Prints the jobs of a queue that failed for good, newest first: id, when, attempts, reason, payload.
`,
      options: { page: { type: 'string' } },
      arguments: ['queue'],
      async run(queues, { page = '1' }, [name = '']) {
        if (!/^[1-9]\d{0,5}$/.test(page)) throw new CommandError('--page must be a whole number from 1', 2)
        process.stdout.write(failedTable(await queues.failed(name, { page: Number(page), limit: 20 })))
        return 0
      },
    },
  ],
  [
    'retry',
    {
      help: `npm run queues -- retry <queue> [--id <job>]

Runs failed jobs that lie in the queue itself again: all, or the one with this id.
`,
      options: { id: { type: 'string' } },
      arguments: ['queue'],
      async run(queues, { id }, [name = '']) {
        process.stdout.write(`${await queues.retry(name, jobIds(id))} jobs are tried again\n`)
        return 0
      },
    },
  ],
  [
    'redrive',
    {
      help: `npm run queues -- redrive <queue> [--id <job>]

Puts dead letters back into the queue they came from: all of the queue's, or the one with this id.
<queue> is a queue, or a dead letter queue.
`,
      options: { id: { type: 'string' } },
      arguments: ['queue'],
      async run(queues, { id }, [name = '']) {
        process.stdout.write(`${await queues.redrive(name, jobIds(id))} jobs are back in their queue\n`)
        return 0
      },
    },
  ],
])

function jobIds(id: string | undefined): string[] | undefined {
  if (id === undefined) return undefined
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new CommandError('--id must be the id of a job, as `failed` prints it', 2)
  return [id]
}

const HELP = `npm run queues [-- <command>]

  list               every queue: what is late, failing or stuck, and what to do (without a command, too)
  failed <queue>     jobs that failed for good
  retry <queue>      runs failed jobs again
  redrive <queue>    puts dead letters back into their queue

The database is DATABASE_URL, or that of the running \`npm start\`.
`

async function main([name = 'list', ...args]: string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP)
    return 0
  }
  const command = COMMANDS.get(name)
  if (!command) throw new CommandError(`unknown command ${name}: there are ${[...COMMANDS.keys()].join(', ')}`, 2)
  const { values, positionals } = parseCommand(command, args)
  if (values.help) {
    process.stdout.write(command.help)
    return 0
  }
  const settings = readSettings(process.env)
  const pool = await openDatabase(settings)
  try {
    const { openJobs } = await import('../../src/platform/queue/jobs.ts')
    const { createQueuesService } = await import('../../src/features/operators/index.ts')
    const jobs = await openJobs({
      url: findDatabaseUrl(settings),
      log: createLog('queues', 'silent'),
      applicationName: 'command',
    })
    try {
      return await command.run(createQueuesService({ pool, jobs }), values, positionals)
    } finally {
      await jobs.stop()
    }
  } finally {
    await pool.end()
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  tellFailure('queues', error)
}
