// What every process does around its work: reads settings, opens the log, waits for the database, and stops gracefully.
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps, openDeps } from './deps.ts'
import {
  type ProcessSettings,
  readSettings,
  requireProcessSettings,
  SettingsError,
} from './platform/config/settings.ts'
import { startWarnings } from './platform/config/start-warnings.ts'
import { isOutage } from './platform/db/outage.ts'
import { createLog, type Log } from './platform/observability/log.ts'
import { registry } from './platform/observability/metrics.ts'
import { connectPeer, type Peer } from './platform/processes/peer.ts'
import { startPrimary } from './platform/processes/primary.ts'
import { StartError } from './platform/processes/supervisor.ts'

/** How long one of several processes may take to stop, besides `DRAIN_SECONDS`: longer than any takes that does not hang. */
const STOP_MS = 32_000
/** How long a start waits for PostgreSQL and its migrations, which are often started at the same time. */
const DATABASE_WAIT_MS = 60_000

export type Stop = () => Promise<void>

export interface ProcessPlan {
  role: 'api' | 'worker'
  /** The settings of the ports it listens on; the error message names one if its port is in use. */
  portSettings: readonly ['PORT', 'OPERATOR_PORT'] | readonly ['WORKER_PORT']
  /** With more than one, this process is their primary and does no work itself. */
  countSetting: 'API_PROCESSES' | 'WORKER_PROCESSES'
  /** Imports the work: a primary should not hold its modules in memory. */
  load(): Promise<ProcessWork>
}

export interface ProcessWork {
  openQueue: Parameters<typeof openDeps>[3]
  /**
   * Starts the work. Pushes an undo function after each step; they run in reverse order at the stop, or if a later step
   * fails.
   * @returns the port it listens on
   */
  start(deps: Deps, opened: Stop[]): Promise<number>
}

/**
 * Runs the process until SIGINT or SIGTERM. If it can't start, writes one line to standard error and exits with code 1.
 */
export async function runProcess(plan: ProcessPlan): Promise<void> {
  const { role } = plan
  const fail = (error: unknown) => {
    process.stderr.write(`${role}: ${reasonOf(error, plan)}\n`)
    process.exitCode = 1
  }
  const opened: Stop[] = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse())
      await close().catch((error: Error) => process.stderr.write(`${role}: ${error.message}\n`)) // everything else is closed nevertheless
  }
  try {
    const settings = requireProcessSettings(readSettings(process.env))
    const name = cluster.isWorker ? (process.argv[2] ?? role) : role
    const log = createLog(name, settings.LOG_LEVEL)
    // Of a process with an IPC channel, the launcher of `npm start` or the primary has reported them.
    if (!process.connected) for (const line of startWarnings(process.env, settings)) log.warn(line)
    const count = settings[plan.countSetting]
    if (count > 1 && cluster.isPrimary) {
      const graceMs = settings.DRAIN_SECONDS * 1_000 + STOP_MS
      const primary = await startPrimary({ role, count, graceMs, log })
      opened.push(primary.stop)
      process.on('SIGHUP', primary.restart)
    } else {
      const primary = cluster.isWorker ? connectPrimary(name) : undefined
      const port = await startPatiently(plan, settings, log, { opened, stop, primary })
      log.info({ port }, `${role} listening`)
    }
    process.send?.('listening') // the launcher can't rely on the port alone: another program may answer there
    let stopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (signal === 'SIGINT' && cluster.isWorker) return // a terminal's Ctrl-C also reaches the primary, which stops all
        if (stopping) process.exit(1) // a second signal: do not wait
        stopping = true
        log.info({ signal }, `${role} stopping`)
        stop().then(() => log.info(`${role} stopped`), fail)
      })
  } catch (error) {
    if (error instanceof StartError)
      process.exitCode = 1 // the first of several processes has written the reason
    else fail(error)
    await stop()
  }
}

/** @param name distinguishes the metrics of this process from those of the others */
function connectPrimary(name: string): Peer {
  process.on('SIGHUP', () => {}) // sent to all by a terminal that closes
  registry.setDefaultLabels({ process: name })
  const primary = connectPeer(process, {})
  process.channel?.unref() // the channel must not keep a stopped process alive
  return primary
}

/** Retries a start while the database is missing or fails during it; each attempt closes what it opened. */
async function startPatiently(
  plan: ProcessPlan,
  settings: ProcessSettings,
  log: Log,
  { opened, stop, primary }: { opened: Stop[]; stop: Stop; primary: Peer | undefined },
): Promise<number> {
  const [{ openDeps }, work] = await Promise.all([import('./deps.ts'), plan.load()])
  const deadline = Date.now() + DATABASE_WAIT_MS
  for (;;) {
    let isOpen = false
    try {
      const deps = { ...(await openDeps(plan.role, settings, log, work.openQueue)), primary }
      opened.push(
        async () => deps.tracing?.stop(),
        () => deps.pool.end(),
        deps.jobs.stop,
      )
      isOpen = true
      return await work.start(deps, opened)
    } catch (cause) {
      // Before the migrations were seen, they may still be missing. From here on, only an outage is retried.
      if (cause instanceof SettingsError || (isOpen && (!isOutage(cause) || isOfHost(cause)))) throw cause
      const reason = reasonOf(cause, plan)
      if (Date.now() > deadline) throw new Error(`the database can’t be used: ${reason}`, { cause })
      log.warn({ reason }, 'waiting for the database')
      await stop()
      await sleep(1_000)
    }
  }
}

/** The database's host name was resolved by then, so this error is about HOST. */
const isOfHost = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall === 'getaddrinfo'

/** Formats an error in one line for the operator. */
function reasonOf(error: unknown, plan: Pick<ProcessPlan, 'portSettings'>): string {
  const { code, message, errors, port, address } = error as NodeJS.ErrnoException & {
    errors?: unknown[]
    port?: number
    address?: string
  }
  const { portSettings } = plan
  const portSetting = portSettings.find((name) => process.env[name] === String(port)) ?? portSettings[0]
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is in use: set ${portSetting} to another`
  if (code === 'EACCES') return `port ${port} on ${address} may not be used by this user: set ${portSetting} to another`
  // Node tries each address of a name and reports all failures, with no message of its own.
  return message || (errors?.length ? reasonOf(errors[0], plan) : String(error))
}
