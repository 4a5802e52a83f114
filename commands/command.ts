// What all operators' commands share: parsing, error handling, and where their files are.
import path from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { reasonOf } from '../src/platform/error-reason.ts'

export interface Command<Context> {
  help: string
  options: ParseArgsOptionsConfig
  /** Names of the required arguments, in order. */
  arguments: string[]
  /** @returns the exit code */
  run(context: Context, values: Record<string, string | undefined>, args: string[]): Promise<number>
}

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

/** @throws CommandError 2 for an unknown option, a missing or an unexpected argument */
export function parseCommand(command: Pick<Command<never>, 'options' | 'arguments'>, args: string[]) {
  const { values, positionals } = parse(command, args)
  const missing = command.arguments[positionals.length]
  if (!values.help && missing) throw new CommandError(`<${missing}> is missing`, 2)
  const surplus = positionals[command.arguments.length]
  if (surplus !== undefined) throw new CommandError(`unexpected argument ${surplus}`, 2)
  return { values, positionals }
}

export interface StandaloneCommand {
  help: string
  /** Names of the required arguments, in order. */
  arguments?: string[]
  options?: ParseArgsOptionsConfig
  /** @returns the exit code */
  run(args: string[], values: Record<string, string | boolean | undefined>): Promise<number>
}

/**
 * Runs a command without subcommands. With `--help` or an invalid command line it prints the help or the error and does
 * nothing.
 */
export async function runStandalone(name: string, command: StandaloneCommand): Promise<void> {
  try {
    const { options = {}, arguments: needed = [] } = command
    const given = parseCommand({ options, arguments: needed }, process.argv.slice(2))
    if (given.values.help) process.stdout.write(command.help)
    else process.exitCode = await command.run(given.positionals, given.values)
  } catch (error) {
    reportFailure(name, error)
  }
}

/** npm runs scripts in the project's folder, but a file's path is relative to the folder where npm was called. */
export const fileOfCaller = (file: string): string => path.resolve(process.env.INIT_CWD ?? '', file)

export function reportFailure(name: string, error: unknown): void {
  process.stderr.write(`${name}: ${reasonOf(error)}\n`)
  process.exitCode = error instanceof CommandError ? error.exitCode : 1
}

function parse({ options }: Pick<Command<never>, 'options'>, args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return { values: values as Record<string, string | undefined>, positionals }
  } catch (cause) {
    const [message = ''] = (cause as Error).message.split(/\. |\n/)
    throw new CommandError(message, 2, cause)
  }
}
