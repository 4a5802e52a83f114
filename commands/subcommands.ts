// A command that has subcommands: `npm run queues -- jobs mail`.
import { type Command, CommandError } from './command.ts'

interface Subcommands {
  help: string
  /** By name. */
  commands: ReadonlyMap<string, Command>
  /** What runs without a name. Otherwise the help is printed, with exit code 2. */
  defaultCommand?: string
}

export const defineSubcommands =
  ({ help, commands, defaultCommand }: Subcommands): Command =>
  async ([given, ...args]) => {
    // `servers list | head` closes the pipe early, which is not a failure.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
    const name = given ?? defaultCommand
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      process.stdout.write(help)
      return name === undefined ? 2 : 0
    }
    const command = commands.get(name)
    if (!command)
      throw new CommandError(`unknown command ${name}; the commands are ${[...commands.keys()].join(', ')}`, 2)
    return await command(args)
  }
