// `npm run restore -- FILE`: replaces a database's content with a backup's, or leaves it unchanged if anything is
// wrong.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareDatabase } from '../../src/migrate.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { describeDatabaseError } from '../../src/platform/db/advice.ts'
import { readDatabaseFacts, requireSupported } from '../../src/platform/db/supported-database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { KILL_SECONDS } from '../../src/platform/processes/stop.ts'
import { type Header, readBackup } from '../backup/format.ts'
import { createProgress } from '../backup/progress.ts'
import { withDatabase } from '../backup/reach.ts'
import { openSession } from '../backup/session.ts'
import { CommandError, defineCommand, fileOfCaller, runProgram } from '../command.ts'
import { formatNumber } from '../format-number.ts'
import { load } from './load.ts'

/** A closed connection is still listed for a moment. */
const CLOSING_MS = 3_000
/** API and worker of a launcher finish what runs, or are killed. */
const STOPPING_MS = KILL_SECONDS.launcher * 1_000 + CLOSING_MS

async function restore(file: string, replace: boolean): Promise<number> {
  const settings = readSettings(process.env)
  const note = (line: string) => void process.stderr.write(`${line}\n`)
  note(`checking ${file}`)
  const header = await check(file)
  const restored = await withDatabase(settings, { create: true, note }, async ({ url, launcherFolder }) => {
    const client = await openSession(url, 'restore').catch((error: unknown) => {
      throw new CommandError(`the database can’t be reached: ${describeDatabaseError(error)}`, 1, error)
    })
    let resume = () => {}
    try {
      requireSupported(await readDatabaseFacts(client), header.migrations[0] ?? '')
      const refuseData = async () => {
        if (!replace) await refuseUnlessEmpty(client)
      }
      await refuseData() // checked again under the lock
      if (launcherFolder) resume = (await import('../start/restore-pause.ts')).requestPause(launcherFolder)
      await untilAlone(client, launcherFolder ? STOPPING_MS : CLOSING_MS)
      const whenLocked = async () => {
        await untilAlone(client, CLOSING_MS)
        await refuseData()
      }
      const progress = createProgress(process.stderr)
      const counts = await load(client, { file, note, whenLocked, progress }).catch(explainTooManyLocks)
      await prepareDatabase({ DATABASE_URL: url }, createLog('restore', 'warn'))
      await client.query('analyze')
      return counts
    } finally {
      await client.end()
      resume()
    }
  })
  note(
    `restored ${restored.tables} tables with ${formatNumber(restored.rows)} rows as of ${header.createdAt}, compared with the file.\n` +
      'This copy sends no mails and webhooks and charges nothing until `npm run adopt`. It needs the APP_SECRET of the directory that was backed up.',
  )
  return 0
}

/** PostgreSQL only says that its shared memory is full. Each day of history has a table of its own, which is locked. */
function explainTooManyLocks(error: unknown): never {
  const isOfLocks = error instanceof pg.DatabaseError && error.hint?.includes('max_locks_per_transaction')
  if (!isOfLocks) throw error
  throw new CommandError(
    'the database can’t hold all locks of the restore, and nothing is changed: raise max_locks_per_transaction of PostgreSQL ' +
      'and restart it, or restore into an empty database, which needs a third of them',
    1,
    error,
  )
}

/** Reads the whole file before anything is changed. */
async function check(file: string): Promise<Header> {
  let header: Header | undefined
  let table = ''
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') header = part.header
    if (part.kind === 'table') table = part.table.table
    // Its partitions are not created, because migrations refuse these rows, too.
    if (part.kind === 'sum' && table === 'player_history' && part.sum.rows)
      throw new CommandError(
        'the backup’s player history is in the format of release 0.1: restore it with release 0.2 and run that, until its ' +
          'workers have converted it (within a day), then update',
      )
  }
  if (!header) throw new CommandError(`${file} is empty`)
  return header
}

/** Tables that are not empty in a new directory whose processes have run. */
const TABLES_FILLED_BY_MIGRATIONS_AND_PROCESSES = [
  '_prisma_migrations',
  'auction_sweeps',
  'discovery_sources',
  'installation',
  'player_history_progress',
  'player_history_rolled_days',
  'push_keys',
  'rate_limits',
]

/** @throws CommandError if the database has other rows */
async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const { tables } = await readDatabaseFacts(client)
  const filled: string[] = []
  for (const table of tables.filter((name) => !TABLES_FILLED_BY_MIGRATIONS_AND_PROCESSES.includes(name))) {
    const { rowCount } = await client.query(`select from ${client.escapeIdentifier(table)} limit 1`)
    if (rowCount) filled.push(table)
  }
  if (filled.length)
    throw new CommandError(
      `the database is not empty (${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ', …' : ''}): restore into another database, ` +
        'or replace everything in it with `npm run restore -- FILE --replace`',
    )
}

/**
 * Running programs keep data in memory that a restore invalidates, for example whether they may send mails.
 * @throws CommandError
 */
async function untilAlone(client: pg.Client, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const { rows } = await client.query<{ name: string }>(
      `select distinct coalesce(nullif(application_name, ''), 'unnamed') as name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
         and application_name not like 'citus_internal gpid=%' -- nodes of a Citus cluster, which are connected always
       order by 1`,
    )
    if (!rows.length) return
    const names = rows.map(({ name }) => name).join(', ')
    if (performance.now() > deadline)
      throw new CommandError(
        `programs are connected to the database (${names}): stop them, and restart them afterwards`,
      )
    await sleep(100)
  }
}

const HELP = `npm run restore -- FILE [--replace]

Restores FILE, which \`npm run backup\` has written. Checks the whole file first, then restores it in one transaction and
compares every table with the file before the commit. A restore that fails or is killed before that
changes nothing; one that ends later is completed by \`npm run migrate\`.

  --replace   deletes everything in the database first; without this option, only an empty database is accepted

The command works on the database of DATABASE_URL or, without it, on the embedded one of \`npm start\`. If \`npm start\` runs on
the embedded one, its API and worker are stopped for the restore and started again. Stop all other programs that use the
database before you restore. The restored copy sends no mails and webhooks and takes no payments until \`npm run adopt\`.
`

const command = defineCommand({
  help: HELP,
  arguments: ['FILE'],
  options: { replace: { type: 'boolean' } },
  run: ([file], { replace = false }) => restore(fileOfCaller(file), replace),
})

await runProgram('restore', command)
