// `npm run backup -- FILE`: writes the whole database to one file, while the directory runs or not.
import fs from 'node:fs'
import { readSettings } from '../../src/platform/config/settings.ts'
import { describeDatabaseError } from '../../src/platform/db/advice.ts'
import { CommandError, defineCommand, fileOfCaller, runProgram } from '../command.ts'
import { formatNumber } from '../format-number.ts'
import { dump } from './dump.ts'
import { readBackup, writeBackup } from './format.ts'
import { createProgress } from './progress.ts'
import { withDatabase } from './reach.ts'
import { openSession } from './session.ts'

const STDOUT = '-'

async function backup(file: string): Promise<number> {
  if (file === STDOUT && isPrefixedByNpm(process.env))
    throw new CommandError('npm would write lines of its own into the backup: run `npm run -s backup -- -`', 2)
  const target = file === STDOUT ? undefined : fileOfCaller(file)
  if (target !== undefined && fs.statSync(target, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`${target} is a folder: name the file to write`, 2)
  const settings = readSettings(process.env)
  const note = (line: string) => void process.stderr.write(`${line}\n`)
  const progress = createProgress(process.stderr)
  await withDatabase(settings, { create: false, note }, async ({ url }) => {
    const client = await openSession(url, 'backup').catch((error: unknown) => {
      throw new CommandError(`the database can’t be reached: ${describeDatabaseError(error)}`, 1, error)
    })
    try {
      const { rows } = await client.query<{ migrated: boolean }>(
        `select to_regclass('_prisma_migrations') is not null and to_regclass('pgboss.version') is not null as migrated`,
      )
      if (!rows[0]?.migrated) throw new CommandError('the database is not migrated: there is nothing to back up')
      progress.begin('reading the database')
      if (target === undefined) await writeBackup(dump(client, progress), process.stdout)
      else await writeFile(target, dump(client, progress))
    } finally {
      await client.end()
    }
  })
  process.stderr.write(
    'Keep APP_SECRET apart from it, and APP_SECRET_PREVIOUS if set (of `npm start`: the file app-secret in DATA_DIR):\n' +
      'webhook, RCON and chat secrets in the backup are encrypted under it and can’t be read without it.\n',
  )
  return 0
}

/** npm names the script on standard output before it runs it, unless it is silent. */
const isPrefixedByNpm = ({ npm_lifecycle_event, npm_config_loglevel }: NodeJS.ProcessEnv): boolean =>
  npm_lifecycle_event === 'backup' && npm_config_loglevel !== 'silent'

/** Atomic: a backup that fails, or can't be read back, leaves an existing file of that name unchanged. */
async function writeFile(file: string, parts: AsyncIterable<Buffer>): Promise<void> {
  const making = `${file}.part`
  const remove = () => fs.rmSync(making, { force: true })
  process.once('exit', remove) // Ctrl-C ends the process without an error here
  try {
    // It contains password hashes and personal addresses.
    await writeBackup(parts, fs.createWriteStream(making, { mode: 0o600, flush: true }))
    const written = await check(making)
    fs.renameSync(making, file)
    process.stderr.write(`${file}: ${written}, read back and checked\n`)
  } finally {
    remove()
    process.off('exit', remove)
  }
}

/** Reads the file back, as a restore will. @returns what it contains */
async function check(file: string): Promise<string> {
  let tables = 0
  let rows = 0
  for await (const part of readBackup(file)) {
    if (part.kind !== 'sum') continue
    tables++
    rows += part.sum.rows
  }
  const megabytes = (fs.statSync(file).size / 1e6).toFixed(1)
  return `${tables} tables, ${formatNumber(rows)} rows, ${megabytes} MB`
}

const HELP = `npm run backup -- FILE

Writes the whole database, with its queues, to FILE: one snapshot, compressed, with checksums. Then reads FILE back and checks
it. The directory may keep running. Only you can read FILE: it contains password hashes and personal data.

If FILE is \`-\`, the backup goes to standard output and is not read back: \`npm run -s backup -- -\`, because npm
otherwise writes lines of its own there. If you redirect it into a file, other users may be able to read that file.

The command works on the database of DATABASE_URL or, without it, on the embedded one of \`npm start\`, whether that runs or
not. \`npm run restore -- FILE\` restores the backup, into any PostgreSQL from 15 to 18.
`

await runProgram('backup', defineCommand({ help: HELP, arguments: ['FILE'], run: ([file]) => backup(file) }))
