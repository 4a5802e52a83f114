// `npm run servers -- <command>`: lists and removes servers as an operator.
import { readSettings } from '../../src/platform/config/settings.ts'
import { CommandError, parseCommand, reportFailure } from '../command.ts'
import { openDatabase } from '../database.ts'
import { add } from './add.ts'
import type { ServersCommand } from './context.ts'
import { discover } from './discover.ts'
import { importFile } from './import.ts'
import { list } from './list.ts'
import { remove } from './remove.ts'

const COMMANDS = new Map<string, ServersCommand>([
  ['add', add],
  ['import', importFile],
  ['discover', discover],
  ['list', list],
  ['remove', remove],
])

const HELP = `npm run servers -- <command> [options]

  add       lists one server
  import    lists the servers of a CSV or JSON file
  discover  lists the servers that a source finds, or prints them
  list      prints the listed servers
  remove    removes a server

\`npm run servers -- <command> --help\` shows its options. The database is DATABASE_URL, or that of the running \`npm start\`.
`

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP)
    return name === undefined ? 2 : 0
  }
  const command = COMMANDS.get(name)
  if (!command)
    throw new CommandError(`unknown command ${name}; the commands are ${[...COMMANDS.keys()].join(', ')}`, 2)
  const { values, positionals } = parseCommand(command, args)
  if (values.help) {
    process.stdout.write(command.help)
    return 0
  }
  const settings = readSettings(process.env)
  // Imported late, so that help and invalid commands are answered at once.
  const { createServers } = await import('../../src/features/servers/index.ts')
  const pool = await openDatabase(settings)
  try {
    return await command.run({ servers: createServers({ pool, settings }), settings, pool }, values, positionals)
  } finally {
    await pool.end()
  }
}

// `servers list | head` closes the pipe early, which is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  reportFailure('servers', error)
}
