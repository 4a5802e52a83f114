// `npm start`: starts everything, keeps it running, stops it in order.
import { createStopListener } from '../../src/platform/processes/stop.ts'
import { defineCommand, exitCodeOf } from '../command.ts'
import { launch } from './launch.ts'
import { messageOf } from './postgres-error.ts'

const HELP = `npm start [-- options]

Runs the whole directory until Ctrl-C: the API, a worker, an embedded PostgreSQL (unless DATABASE_URL is set) and a payment
sandbox (unless STRIPE_SECRET_KEY is set, and not in production).

  --discover <sources>  lists the servers that these sources find, for example luanti,beammp; replaces the setting
                        DISCOVER (docs/SOURCES.md)
  --demo                runs fifty simulated game servers on this machine and lists them
  --help                prints this text

Settings are environment variables; docs/SETTINGS.md lists them.
`

const command = defineCommand({
  help: HELP,
  options: { demo: { type: 'boolean' }, discover: { type: 'string' } },
  async run(_args, { demo = false, discover }) {
    const stop = new AbortController()
    const hurry = new AbortController()
    const write = (text: string) => void process.stdout.write(text)
    const requestStop = () => {
      write('\nstopping … (Ctrl-C again to stop at once)\n')
      stop.abort()
    }
    const listener = createStopListener(requestStop, () => hurry.abort())
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listener)
    // Stops once, even though every further line fails too. A line that a full disk refused is lost,
    // and no reason to stop.
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (isReaderGone(code) && !stop.signal.aborted) requestStop()
    })
    process.stderr.on('error', () => {})

    const env = discover === undefined ? process.env : { ...process.env, DISCOVER: discover }
    const started = launch({ env, demo, write, stop: stop.signal, hurry: hurry.signal })
    await started.catch((error: unknown) => {
      if (error !== stop.signal.reason) throw error // a canceled start has not failed
    })
    write('stopped\n')
    return 0
  },
})

/** Of a pipe or a terminal. */
const isReaderGone = (code?: string) => code === 'EPIPE' || code === 'EIO'

async function main(): Promise<number> {
  // npm puts the options before `--` into the environment.
  const taken = ['demo', 'discover'].find((name) => process.env[`npm_config_${name}`])
  if (taken) {
    process.stderr.write(`npm takes --${taken} as its own option: type \`npm start -- --${taken}\`\n`)
    return 2
  }
  try {
    return await command(process.argv.slice(2))
  } catch (error) {
    const exitCode = exitCodeOf(error)
    const advice = exitCode === 2 ? ' (see `npm start -- --help`)' : ''
    process.stderr.write(`${messageOf(error)}${advice}\n`)
    return exitCode
  }
}

const code = await main()
// An abandoned connection attempt must not delay the exit.
process.stdout.write('', () => process.exit(code))
