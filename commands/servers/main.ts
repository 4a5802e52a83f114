// `npm run servers -- <command>`: lists and removes servers as an operator.
import { runSubcommands } from '../subcommands.ts'
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
  list      prints the servers, also hidden and unverified ones
  remove    removes a server

\`npm run servers -- <command> --help\` shows its options. The database is DATABASE_URL, or that of the running \`npm start\`.
`

await runSubcommands('servers', {
  help: HELP,
  commands: COMMANDS,
  async withContext({ settings, pool }, run) {
    const { createServers } = await import('../../src/features/servers/index.ts')
    const { refuseListings } = await import('../../src/features/listings/index.ts')
    return run({ servers: createServers({ pool, settings, refuse: refuseListings(settings) }), settings, pool })
  },
})
