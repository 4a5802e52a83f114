// Start and stop of every process: reads settings, opens the log, waits for the database, and stops gracefully.
import cluster from 'node:cluster'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps, openDeps } from './deps.ts'
import {
  type ProcessSettings,
  readSettings,
  requireProcessSettings,
  SettingsError,
} from './platform/config/settings.ts'
import { startWarnings } from './platform/config/start-warnings.ts'
import { isOutage } from './platform/db/pg-errors.ts'
import { reasonOf } from './platform/error-reason.ts'
import { createAllowances } from './platform/http/fast-path/allowances.ts'
import { createLog, type Log, logStyleOf } from './platform/observability/log.ts'
import { registry } from './platform/observability/metrics.ts'
import { connectPeer, type Peer } from './platform/processes/peer.ts'
import { startPrimary } from './platform/processes/primary.ts'
import { createStopListener, endOnSignals, KILL_SECONDS, STOP_SECONDS } from './platform/processes/stop.ts'
import { StartError } from './platform/processes/supervisor.ts'

/** How long a start waits for PostgreSQL and its migrations, which are often started at the same time. */
const DATABASE_WAIT_MS = 60_000

export type Stop = () => Promise<void>

type Role = 'api' | 'worker'

/**
 * Settings with the number of processes. If it is more than one, the process is their primary and does no work itself.
 */
const COUNT_SETTINGS = { api: 'API_PROCESSES', worker: 'WORKER_PROCESSES' } as const
/** Settings with the ports that a process listens on; the error message names one if its port is in use. */
const PORT_SETTINGS = { api: ['PORT', 'OPERATOR_PORT'], worker: ['WORKER_PORT'] } as const

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
 * Runs the process until SIGINT or SIGTERM; a process that runs alone also stops on SIGHUP. If it can't start, writes
 * one line to standard error and exits with code 1.
 * @param load imports the work: a primary should not hold its modules in memory
 */
export async function runProcess(role: Role, load: () => Promise<ProcessWork>): Promise<void> {
  const fail = (error: unknown) => {
    process.stderr.write(`${role}: ${explain(error, role)}\n`)
    process.exitCode = 1
  }
  const opened: Stop[] = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse())
      await close().catch((error: Error) => process.stderr.write(`${role}: ${error.message}\n`)) // everything else is closed nevertheless
  }
  const whenStarted = endOnSignals()
  try {
    const settings = requireProcessSettings(readSettings(process.env))
    requireDatabaseClient()
    const name = cluster.isWorker ? (process.argv[2] ?? role) : role
    const log = createLog(name, logStyleOf(settings))
    // If the process has an IPC channel, the launcher of `npm start` or the primary has reported the warnings.
    if (!process.connected) for (const line of startWarnings(process.env, settings)) log.warn(line)
    const count = settings[COUNT_SETTINGS[role]]
    const signals: NodeJS.Signals[] = ['SIGTERM']
    const isPrimary = count > 1 && cluster.isPrimary
    if (isPrimary) {
      const graceMs = (settings.DRAIN_SECONDS + KILL_SECONDS.primary) * 1_000
      const primary = await startPrimary({ role, count, graceMs, log, answers: createAllowances(count) })
      opened.push(primary.stop)
      process.on('SIGHUP', primary.restart)
      signals.push('SIGINT')
    } else {
      const primary = cluster.isWorker ? connectPrimary(name) : undefined
      const port = await startWithRetries(role, load, settings, log, { opened, stop, primary })
      log.info({ port }, `${role} listening`)
      if (!primary) signals.push('SIGINT', 'SIGHUP')
    }
    process.send?.('listening') // the launcher can't rely on the port alone: another program may answer there
    const listener = createStopListener((signal) => {
      log.info({ signal }, `${role} stopping`)
      // A primary kills its processes after their time to stop, so it needs no time limit itself.
      if (!isPrimary) endAfter(STOP_SECONDS + (role === 'api' ? settings.DRAIN_SECONDS : 0), role, log)
      const stopped = stop().then(() => log.info(`${role} stopped`), fail)
      void stopped.then(() => process.exit()) // a job that was given up may still have a connection open
    })
    for (const signal of signals) process.on(signal, listener)
    whenStarted()
  } catch (error) {
    if (error instanceof StartError)
      process.exitCode = 1 // the first of several processes has written the reason
    else fail(error)
    await stop()
  }
}

/** The first call of a model loads it, so its absence would show at the first login. */
function requireDatabaseClient(): void {
  if (!fs.existsSync(path.join(import.meta.dirname, 'generated/prisma/client.ts')))
    throw new Error('the database client (src/generated) is missing: run `npx prisma generate`')
}

/** Ends the process if it is still running by then: a client, a database or a job may hang. */
function endAfter(seconds: number, role: Role, log: Log): void {
  const late = setTimeout(() => {
    log.warn(`${role} did not stop within ${seconds} s and is ended`)
    process.exit(1)
  }, seconds * 1_000)
  late.unref()
}

/** @param name distinguishes the metrics of this process from those of the others */
function connectPrimary(name: string): Peer {
  // Ctrl-C in a terminal, and closing it, also signal the primary, which decides for all.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  registry.setDefaultLabels({ process: name })
  const primary = connectPeer(process, { ping: () => true })
  process.channel?.unref() // the channel must not keep a stopped process alive
  return primary
}

/** Retries a start while the database is missing or fails during it; each attempt closes what it opened. */
async function startWithRetries(
  role: Role,
  load: () => Promise<ProcessWork>,
  settings: ProcessSettings,
  log: Log,
  { opened, stop, primary }: { opened: Stop[]; stop: Stop; primary: Peer | undefined },
): Promise<number> {
  const [{ openDeps }, work] = await Promise.all([import('./deps.ts'), load()])
  const deadline = Date.now() + DATABASE_WAIT_MS
  for (;;) {
    let isOpen = false
    try {
      const deps = { ...(await openDeps(role, settings, log, work.openQueue)), primary }
      opened.push(
        async () => deps.tracing?.stop(),
        () => deps.pool.end(),
        deps.jobs.stop,
      )
      isOpen = true
      return await work.start(deps, opened)
    } catch (cause) {
      if (isOpen && isOfHost(cause, settings))
        throw new SettingsError(`bad setting: HOST must be an address of this machine: ${reasonOf(cause)}`, { cause })
      // The migrations may be missing until they were seen once. Afterwards only an outage is retried.
      if (cause instanceof SettingsError || (isOpen && !isOutage(cause))) throw cause
      const reason = explain(cause, role)
      if (Date.now() > deadline) throw new Error(`the database can’t be used: ${reason}`, { cause })
      log.warn({ reason }, 'waiting for the database')
      await stop()
      await sleep(1_000)
    }
  }
}

/** Whether an error is about HOST. The name of the database may fail to be resolved, too. */
function isOfHost(error: unknown, { HOST }: Pick<ProcessSettings, 'HOST'>): boolean {
  const { code, syscall, hostname } = error as NodeJS.ErrnoException & { hostname?: string }
  return (syscall === 'getaddrinfo' && hostname === HOST) || (syscall === 'listen' && code === 'EADDRNOTAVAIL')
}

/** Formats an error in one line for the operator. */
function explain(error: unknown, role: Role): string {
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  const portSettings = PORT_SETTINGS[role]
  const portSetting = portSettings.find((name) => process.env[name] === String(port)) ?? portSettings[0]
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is in use: set ${portSetting} to another`
  if (code === 'EACCES') return `port ${port} on ${address} may not be used by this user: set ${portSetting} to another`
  return reasonOf(error)
}
