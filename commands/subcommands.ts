// Runs a command that has subcommands: `npm run queues -- jobs mail`.
import { readSettings, type Settings } from '../src/platform/config/settings.ts'
import type { Pool } from '../src/platform/db/pool.ts'
import { type Command, CommandError, parseCommand, reportFailure } from './command.ts'
import { openDatabase } from './database.ts'

interface Opened {
  settings: Settings
  pool: Pool
}

interface Subcommands<Context> {
  help: string
  commands: ReadonlyMap<string, Command<Context>>
  /** What runs without a name. Otherwise the help is printed, with exit code 2. */
  defaultCommand?: string
  /** Opens what a subcommand needs besides, runs it, and closes that again. Imports features here, so that help is printed at once. */
  withContext(opened: Opened, run: (context: Context) => Promise<number>): Promise<number>
}

/** Sets the exit code. Failures are printed in one line. */
export async function runSubcommands<Context>(program: string, subcommands: Subcommands<Context>): Promise<void> {
  // `servers list | head` closes the pipe early, which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    process.exitCode = await run(subcommands, process.argv.slice(2))
  } catch (error) {
    reportFailure(program, error)
  }
}

async function run<Context>(
  { help, commands, defaultCommand, withContext }: Subcommands<Context>,
  [given, ...args]: string[],
): Promise<number> {
  const name = given ?? defaultCommand
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help)
    return name === undefined ? 2 : 0
  }
  const command = commands.get(name)
  if (!command)
    throw new CommandError(`unknown command ${name}; the commands are ${[...commands.keys()].join(', ')}`, 2)
  const { values, positionals } = parseCommand(command, args)
  if (values.help) {
    process.stdout.write(command.help)
    return 0
  }
  const settings = readSettings(process.env)
  const pool = await openDatabase(settings)
  try {
    return await withContext({ settings, pool }, (context) => command.run(context, values, positionals))
  } finally {
    await pool.end()
  }
}
