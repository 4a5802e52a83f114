// The worker process: settings, deps, handlers, health; and all of it backwards when told to stop.
import { openDeps } from '../src/deps.ts'
import { type ProcessSettings, readSettings, requireProcessSettings } from '../src/platform/config/settings.ts'
import { databaseCheck, queueCheck, startHealthServer } from '../src/platform/http/health.ts'
import { createLog, type Log } from '../src/platform/observability/log.ts'
import { openWorkerJobs } from '../src/platform/queue/jobs.ts'
import { startWorker } from './worker.ts'

type Stop = () => Promise<void>

/** Starts the worker. @returns how to stop it; what was opened so far is closed again when a step fails */
async function start(settings: ProcessSettings, log: Log): Promise<Stop> {
  const opened: Stop[] = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const deps = await openDeps('worker', settings, log, openWorkerJobs)
    opened.push(() => deps.pool.end(), deps.jobs.stop)
    const health = await startHealthServer({
      host: settings.HOST,
      port: settings.WORKER_PORT,
      checks: [databaseCheck(deps.pool), queueCheck(deps.jobs)],
      log,
    })
    opened.push(health.stop)
    opened.push(await startWorker(deps))
    log.info({ port: health.port }, 'worker listening')
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** One line for the person at the terminal. */
function reasonOf(error: unknown): string {
  const { code, message, errors, port, address } = error as NodeJS.ErrnoException & {
    errors?: unknown[]
    port?: number
    address?: string
  }
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is taken: set WORKER_PORT to another`
  if (code === 'EACCES') return `port ${port} on ${address} may not be used by this user: set WORKER_PORT to another`
  // Node tries each address of a name and reports all failures, with no message of its own.
  return message || (errors?.length ? reasonOf(errors[0]) : String(error))
}

function fail(error: unknown): void {
  process.stderr.write(`worker: ${reasonOf(error)}\n`)
  process.exitCode = 1
}

if (import.meta.main) {
  try {
    const settings = requireProcessSettings(readSettings(process.env))
    const log = createLog('worker', settings.LOG_LEVEL)
    const stop = await start(settings, log)
    let stopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (stopping) process.exit(1) // asked twice: the person does not want to wait
        stopping = true
        log.info({ signal }, 'worker stopping')
        stop().then(() => log.info('worker stopped'), fail)
      })
  } catch (error) {
    fail(error)
  }
}
