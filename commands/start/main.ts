// `npm start`: starts everything, keeps it running, stops it in order.
import { createStopListener } from '../../src/platform/processes/stop.ts'
import { launch } from './launch.ts'
import { HELP, parseFlags, UsageError } from './options.ts'
import { messageOf } from './postgres-error.ts'

async function main(): Promise<number> {
  const flags = parseFlags(process.argv.slice(2), process.env)
  if (flags.help) {
    process.stdout.write(HELP)
    return 0
  }
  const stop = new AbortController()
  const hurry = new AbortController()
  const write = (text: string) => void process.stdout.write(text)
  const requestStop = () => {
    write('\nstopping … (Ctrl-C again to stop at once)\n')
    stop.abort()
  }
  const listener = createStopListener(requestStop, () => hurry.abort())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listener)
  // Stops once, even though every further line fails too. A line that a full disk refused is lost, and no reason to stop.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (isReaderGone(code) && !stop.signal.aborted) requestStop()
  })
  process.stderr.on('error', () => {})

  const env = flags.discover === undefined ? process.env : { ...process.env, DISCOVER: flags.discover }
  const started = launch({ env, demo: flags.demo, write, stop: stop.signal, hurry: hurry.signal })
  await started.catch((error: unknown) => {
    if (error !== stop.signal.reason) throw error // a canceled start has not failed
  })
  write('stopped\n')
  return 0
}

/** Of a pipe or a terminal. */
const isReaderGone = (code?: string) => code === 'EPIPE' || code === 'EIO'

const code = await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  return error instanceof UsageError ? 2 : 1
})
// An abandoned connection attempt must not delay the exit.
process.stdout.write('', () => process.exit(code))
