// The API process: settings, deps, rooms, app, listen; and all of it backwards when told to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { type Deps, openDeps } from './deps.ts'
import { type ProcessSettings, readSettings, requireProcessSettings } from './platform/config/settings.ts'
import { startServer } from './platform/http/server.ts'
import { createLog, type Log } from './platform/observability/log.ts'
import { openJobs } from './platform/queue/jobs.ts'
import { openRooms } from './rooms.ts'

/** How long requests that are under way may take once the process is asked to stop. */
const GRACE_MS = 25_000
/** How long a start waits for PostgreSQL and its migrations: they are often started together with the API. */
const DATABASE_WAIT_MS = 60_000

type Stop = () => Promise<void>

/** Starts the API. @returns how to stop it; what was opened so far is closed again when a step fails */
async function start(settings: ProcessSettings, log: Log): Promise<Stop> {
  const opened: Stop[] = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const deps = await openDepsPatiently(settings, log)
    opened.push(() => deps.pool.end(), deps.jobs.stop)
    const rooms = await openRooms(deps)
    opened.push(rooms.stop)
    const app = createApp(deps, rooms)
    const server = await startServer(app, { host: settings.HOST, port: settings.PORT })
    opened.push(
      () => server.stop(GRACE_MS),
      async () => app.drain(),
    )
    log.info({ port: server.port }, 'api listening')
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

async function openDepsPatiently(settings: ProcessSettings, log: Log): Promise<Deps> {
  const deadline = Date.now() + DATABASE_WAIT_MS
  for (;;) {
    try {
      return await openDeps('api', settings, log, openJobs)
    } catch (cause) {
      const reason = reasonOf(cause)
      if (Date.now() > deadline) throw new Error(`the database can’t be used: ${reason}`, { cause })
      log.warn({ reason }, 'waiting for the database')
      await sleep(1_000)
    }
  }
}

/** One line for the person at the terminal. */
function reasonOf(error: unknown): string {
  const { code, message, errors, port, address } = error as NodeJS.ErrnoException & {
    errors?: unknown[]
    port?: number
    address?: string
  }
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is taken: set PORT to another`
  if (code === 'EACCES') return `port ${port} on ${address} may not be used by this user: set PORT to another`
  // Node tries each address of a name and reports all failures, with no message of its own.
  return message || (errors?.length ? reasonOf(errors[0]) : String(error))
}

function fail(error: unknown): void {
  process.stderr.write(`api: ${reasonOf(error)}\n`)
  process.exitCode = 1
}

if (import.meta.main) {
  try {
    const settings = requireProcessSettings(readSettings(process.env))
    const log = createLog('api', settings.LOG_LEVEL)
    const stop = await start(settings, log)
    let stopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (stopping) process.exit(1) // asked twice: the person does not want to wait
        stopping = true
        log.info({ signal }, 'api stopping')
        stop().then(() => log.info('api stopped'), fail)
      })
  } catch (error) {
    fail(error)
  }
}
