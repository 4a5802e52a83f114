// The command line of `npm start`.
import { parseArgs } from 'node:util'

export const HELP = `npm start [-- options]

Starts the whole directory: PostgreSQL (unless DATABASE_URL names one), the API and one worker.

  --discover <sources>  lists the servers that these sources find, for example luanti,beammp (docs/SOURCES.md)
  --demo                also runs fifty simulated game servers on loopback and lists them
  --help                this text

Settings come from the environment; docs/SETTINGS.md lists them. Stop with Ctrl-C.
`

export interface LaunchFlags {
  demo: boolean
  /** Replaces the setting DISCOVER. */
  discover: string | undefined
  help: boolean
}

/** An invalid command line; the message is one line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/**
 * @param env from npm, which takes the options before `--` and puts them there
 * @throws UsageError for an unknown option or any argument
 */
export function parseFlags(args: string[], env: NodeJS.ProcessEnv): LaunchFlags {
  for (const name of ['demo', 'discover'])
    if (env[`npm_config_${name}`])
      throw new UsageError(`npm takes --${name} as its own option: type \`npm start -- --${name}\``)
  try {
    const { values } = parseArgs({
      args,
      options: { demo: { type: 'boolean' }, discover: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    return { demo: values.demo ?? false, discover: values.discover, help: values.help ?? false }
  } catch (cause) {
    const [message] = (cause as Error).message.split('. ')
    throw new UsageError(`${message} (see \`npm start -- --help\`)`, { cause })
  }
}
