// What all commands share: the command line, the help, the report of a failure, and where an operator's files are.
import path from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { reasonOf } from '../src/platform/error-reason.ts'

/**
 * @param args the command line behind the command's name
 * @returns the exit code
 * @throws CommandError 2 for an invalid command line; any other error if the command failed
 */
export type Command = (args: string[]) => Promise<number>

interface Definition<Names extends readonly string[], Options extends ParseArgsOptionsConfig> {
  help: string
  /** Names of the required arguments, in order. */
  arguments?: Names
  /** Besides `--help`, which every command has. */
  options?: Options
  /** @returns the exit code */
  run(args: Arguments<Names>, values: Values<Options>): Promise<number>
}

type Arguments<Names extends readonly string[]> = { [Index in keyof Names]: string }
type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>['values']

/** A failure that is reported to the operator in one line. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: 1 | 2

  /** @param exitCode 2: the command line is invalid; 1: the command failed */
  constructor(message: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

/** A command that only prints its help for `--help`, and does nothing if the command line is invalid. */
export function defineCommand<
  const Names extends readonly string[] = [],
  const Options extends ParseArgsOptionsConfig = Record<never, never>,
>(definition: Definition<Names, Options>): Command {
  const { help, arguments: names = [], options = {} } = definition
  return async (args) => {
    const { values, positionals } = parse(options, args)
    const missing = names[positionals.length]
    if (!values.help && missing) throw new CommandError(`<${missing}> is missing`, 2)
    const surplus = positionals[names.length]
    if (surplus !== undefined) throw new CommandError(`unexpected argument ${surplus}`, 2)
    if (!values.help) return await definition.run(positionals as Arguments<Names>, values as Values<Options>)
    process.stdout.write(help)
    return 0
  }
}

/** Runs the command line of this process and sets the exit code. A failure is printed in one line. */
export async function runProgram(name: string, command: Command): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${name}: ${reasonOf(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

export const exitCodeOf = (error: unknown): number => (error instanceof CommandError ? error.exitCode : 1)

/** npm runs scripts in the project's folder, but a file's path is relative to the folder where npm was called. */
export const fileOfCaller = (file: string): string => path.resolve(process.env.INIT_CWD ?? '', file)

function parse(options: ParseArgsOptionsConfig, args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
  } catch (cause) {
    const [message = ''] = (cause as Error).message.split(/\.\s/)
    throw new CommandError(message, 2, cause)
  }
}
