// `npm run servers -- <command>`: lists and removes servers as an operator.
import { runProgram } from '../command.ts'
import { defineSubcommands } from '../subcommands.ts'
import { add } from './add.ts'
import { discover } from './discover.ts'
import { importFile } from './import.ts'
import { list } from './list.ts'
import { remove } from './remove.ts'

const COMMANDS = new Map([
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
  list      prints all servers, hidden and unverified ones too
  remove    removes a server

\`npm run servers -- <command> --help\` shows the options of a command. All work on the database of DATABASE_URL or, without it,
on that of the running \`npm start\`.
`

await runProgram('servers', defineSubcommands({ help: HELP, commands: COMMANDS }))
