// What every process of the product does around its work: settings, log, a database that may come up later, a graceful stop.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Deps, openDeps } from './deps.ts'
import { type ProcessSettings, readSettings, requireProcessSettings } from './platform/config/settings.ts'
import { startWarnings } from './platform/config/start-warnings.ts'
import { isOutage } from './platform/db/outage.ts'
import { createLog, type Log } from './platform/observability/log.ts'

/** How long a start waits for PostgreSQL and its migrations: they are often started together with this process. */
const DATABASE_WAIT_MS = 60_000

export type Stop = () => Promise<void>

export interface ProcessPlan {
  role: 'api' | 'worker'
  /** The settings of the ports it listens on: one of them is to be changed when a port is taken. */
  portSettings: readonly ['PORT', 'OPERATOR_PORT'] | readonly ['WORKER_PORT']
  openQueue: Parameters<typeof openDeps>[3]
  /**
   * Starts the work. Pushes how to undo each step right after it; run last first, at the stop or when a later step fails.
   * @returns the port it listens on
   */
  start(deps: Deps, opened: Stop[]): Promise<number>
}

/** Runs the process until SIGINT or SIGTERM. What keeps it from starting is one line on standard error and exit code 1. */
export async function runProcess(plan: ProcessPlan): Promise<void> {
  const { role } = plan
  const fail = (error: unknown) => {
    process.stderr.write(`${role}: ${reasonOf(error, plan)}\n`)
    process.exitCode = 1
  }
  const opened: Stop[] = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse())
      await close().catch((error: Error) => process.stderr.write(`${role}: ${error.message}\n`)) // the rest is closed all the same
  }
  try {
    const settings = requireProcessSettings(readSettings(process.env))
    const log = createLog(role, settings.LOG_LEVEL)
    // Under `npm start` (which has an IPC channel to here) the launcher has reported them.
    if (!process.connected) for (const line of startWarnings(process.env, settings)) log.warn(line)
    const port = await startPatiently(plan, settings, log, { opened, stop })
    log.info({ port }, `${role} listening`)
    process.send?.('listening') // `npm start` can't tell by the port alone: another program may answer there
    let stopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (stopping) process.exit(1) // asked twice: the person does not want to wait
        stopping = true
        log.info({ signal }, `${role} stopping`)
        stop().then(() => log.info(`${role} stopped`), fail)
      })
  } catch (error) {
    fail(error)
    await stop()
  }
}

/** Waits for a database that is not there yet, or goes away in the middle of the start: what was opened is closed, and all begins anew. */
async function startPatiently(
  plan: ProcessPlan,
  settings: ProcessSettings,
  log: Log,
  { opened, stop }: { opened: Stop[]; stop: Stop },
): Promise<number> {
  const deadline = Date.now() + DATABASE_WAIT_MS
  for (;;) {
    let isOpen = false
    try {
      const deps = await openDeps(plan.role, settings, log, plan.openQueue)
      opened.push(() => deps.pool.end(), deps.jobs.stop)
      isOpen = true
      return await plan.start(deps, opened)
    } catch (cause) {
      // Before, it may be migrations that are still missing. From here on only an outage passes.
      if (isOpen && (!isOutage(cause) || isOfHost(cause))) throw cause
      const reason = reasonOf(cause, plan)
      if (Date.now() > deadline) throw new Error(`the database can’t be used: ${reason}`, { cause })
      log.warn({ reason }, 'waiting for the database')
      await stop()
      await sleep(1_000)
    }
  }
}

/** The database's name was found by then, so this is HOST's. */
const isOfHost = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall === 'getaddrinfo'

/** One line for the person at the terminal. */
function reasonOf(error: unknown, plan: Pick<ProcessPlan, 'portSettings'>): string {
  const { code, message, errors, port, address } = error as NodeJS.ErrnoException & {
    errors?: unknown[]
    port?: number
    address?: string
  }
  const { portSettings } = plan
  const portSetting = portSettings.find((name) => process.env[name] === String(port)) ?? portSettings[0]
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is taken: set ${portSetting} to another`
  if (code === 'EACCES') return `port ${port} on ${address} may not be used by this user: set ${portSetting} to another`
  // Node tries each address of a name and reports all failures, with no message of its own.
  return message || (errors?.length ? reasonOf(errors[0], plan) : String(error))
}
