// Starts and stops everything `npm start` runs: settings, data folder, ports, database, migrations, API, worker,
// sandbox and simulator.
import fs from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { prepareDatabase } from '../../src/migrate.ts'
import { readSettings, requireHttps, type Settings, SettingsError } from '../../src/platform/config/settings.ts'
import { startWarnings } from '../../src/platform/config/start-warnings.ts'
import { describeDatabaseError } from '../../src/platform/db/advice.ts'
import { logStyleOf } from '../../src/platform/observability/log.ts'
import { KILL_SECONDS } from '../../src/platform/processes/stop.ts'
import {
  type Backoff,
  type ProcessPlan,
  type SupervisedProcess,
  supervise,
} from '../../src/platform/processes/supervisor.ts'
import { lockDataFolder, prepareFolder, readOrCreateSecret } from './data-folder.ts'
import { externalDatabase, isEmpty, type LaunchedDatabase, openEmbeddedDatabase } from './database.ts'
import type { FolderLock } from './folder-lock.ts'
import { createPrinter, type Print } from './log-lines.ts'
import { type Ports, takePorts } from './ports.ts'
import { PROGRAMS, type Programs, planDemo, planProcesses, planSandbox, sandboxSettings } from './programs.ts'
import { followRestores, forgetPause } from './restore-pause.ts'
import { renderSummary } from './screen.ts'

export interface LaunchOptions {
  env: NodeJS.ProcessEnv
  demo: boolean
  programs?: Programs
  backoff?: Backoff
  write: (text: string) => void
  /** Aborted by the first stop request: everything ends in order. */
  stop: AbortSignal
  /** Aborted by the second one: processes that are still draining are killed. */
  hurry: AbortSignal
}

/** A start that is not ready after this time prints that it is still waiting. */
const SLOW_START_MS = 20_000
/** Shorter than the default, so that a first user sees players come and go. */
const DEMO_POLL_SECONDS = '15'

/**
 * Runs until `stop` is aborted, then stops everything in reverse order.
 * @throws an error with a one-line message for the operator, after everything was stopped
 */
export async function launch(options: LaunchOptions): Promise<void> {
  await using started = new AsyncDisposableStack()
  const settings = readSettings(options.env)
  const { format, level } = logStyleOf(settings)
  const print = createPrinter(options.write, format)
  const report = (line: string) => print('launcher', line)
  if (options.demo) checkDemo(settings)
  requireHttps(settings)
  for (const line of startWarnings(options.env, settings)) report(`warning: ${line}`)
  const folder = path.resolve(settings.DATA_DIR)
  const drainSeconds = options.env.DRAIN_SECONDS ? settings.DRAIN_SECONDS : 0 // without a balancer, Ctrl-C need not wait
  const killAfterMs = (drainSeconds + KILL_SECONDS.launcher) * 1_000
  const stopAll = stopProcesses(killAfterMs, options.hurry)

  const lock = settings.DATABASE_URL ? undefined : lockForDatabase(folder, started)
  const ports = await takePorts(settings, {
    timeoutMs: lock?.afterKill ? killAfterMs : 0,
    onWait: () => report('the last start was killed: waiting for its processes to stop'),
    signal: options.stop,
  })
  const secret = settings.APP_SECRET ?? createSecret(folder)

  const database = await openDatabase(settings, folder, lock, { stop: options.stop, print })
  started.defer(() => database.stop())
  if (options.stop.aborted) return
  const migrateDatabase = () =>
    migrateUnlessStopped(database, settings.DATABASE_DIRECT_URL, { level, print, stop: options.stop })
  if (!(await migrateDatabase())) return

  const env = processEnv(options, { level, databaseUrl: database.url, secret, drainSeconds, ports })
  const dataFolder = lock || !settings.APP_SECRET || ports.sandbox ? folder : undefined
  // A page at another name of this machine has another origin, whose writes with a cookie are refused.
  const publicUrl = readSettings(env).PUBLIC_BASE_URL
  if (dataFolder) started.defer(announceApi(dataFolder, publicUrl))
  let simulatedServers = 0
  const programs = options.programs ?? PROGRAMS
  const addresses = addressesOf(settings, ports)
  const others: ProcessPlan[] = []
  if (ports.sandbox) others.push(planSandbox(programs, env, addresses.apiUrl))
  if (options.demo)
    others.push(
      planDemo(programs, env, settings, (listed) => {
        simulatedServers = listed
      }),
    )
  const processes = startProcesses(
    { others, onDatabase: planProcesses(programs, env, addresses) },
    { start: (plan) => supervise(plan, { print, report, backoff: options.backoff }), stopAll },
  )
  started.defer(processes.stop)

  const stopped = new Promise<void>((resolve) => options.stop.addEventListener('abort', () => resolve()))
  await untilReady(Promise.race([processes.ready(), stopped]), report)
  if (options.stop.aborted) return
  const sandboxUrl = ports.sandbox ? env.STRIPE_API_BASE : undefined
  options.write(
    renderSummary({
      apiUrl: publicUrl,
      sandboxUrl,
      database: database.description,
      dataFolder,
      simulatedServers,
      isNew: (await isEmpty(database.url)) ? { hasAdministrators: settings.ADMIN_EMAILS.length > 0 } : undefined,
    }),
  )
  const restores =
    lock &&
    followRestores(folder, options.stop, {
      async pause() {
        report('a restore begins: API and worker are stopped until it is over')
        await processes.stopOnDatabase()
      },
      async resume() {
        report('the restore is over: API and worker are started again')
        if (!(await migrateDatabase())) return
        await Promise.race([processes.startOnDatabase(), stopped])
      },
    })
  await Promise.all([stopped, restores])
}

/** Locks the data folder for the embedded database, until `started` is disposed. */
function lockForDatabase(folder: string, started: AsyncDisposableStack): FolderLock {
  const lock = lockDataFolder(folder)
  forgetPause(folder)
  started.defer(async () => lock.release())
  return lock
}

async function untilReady(ready: Promise<unknown>, report: (line: string) => void): Promise<void> {
  const slow = setTimeout(() => report('still waiting for all processes to be ready; see their output'), SLOW_START_MS)
  try {
    await ready
  } finally {
    clearTimeout(slow)
  }
}

interface ProcessEnvParts {
  level: string
  databaseUrl: string
  secret: string
  drainSeconds: number
  ports: Ports
}

/** The environment of all processes: the operator's, and what the launcher has decided. */
function processEnv(
  { env, demo }: Pick<LaunchOptions, 'env' | 'demo'>,
  { level, databaseUrl, secret, drainSeconds, ports }: ProcessEnvParts,
) {
  return {
    ...(demo ? { POLL_INTERVAL_SECONDS: DEMO_POLL_SECONDS } : {}),
    ...env,
    // Rendered once, by the launcher.
    LOG_FORMAT: 'json',
    LOG_LEVEL: level,
    DATABASE_URL: databaseUrl,
    APP_SECRET: secret,
    DRAIN_SECONDS: String(drainSeconds),
    PORT: String(ports.api),
    WORKER_PORT: String(ports.worker),
    ...(ports.sandbox ? sandboxSettings(ports.sandbox) : {}),
  }
}

/** Where this machine reaches each process. */
function addressesOf({ HOST, OPERATOR_PORT }: Settings, ports: Ports) {
  const host = reachable(HOST)
  return {
    apiUrl: `http://${host}:${ports.api}`,
    workerUrl: `http://${host}:${ports.worker}`,
    operatorUrl: `http://${host}:${OPERATOR_PORT ?? ports.api}`,
  }
}

interface ProcessControl {
  start(plan: ProcessPlan): SupervisedProcess
  stopAll(processes: SupervisedProcess[]): Promise<void>
}

/** Starts all processes. Those on the database are stopped during a restore, and started again. */
function startProcesses(
  plans: { others: ProcessPlan[]; onDatabase: ProcessPlan[] },
  { start, stopAll }: ProcessControl,
) {
  const others = plans.others.map(start)
  let onDatabase = plans.onDatabase.map(start)
  const allReady = (processes: SupervisedProcess[]) => Promise.all(processes.map(({ ready }) => ready))
  return {
    ready: () => allReady([...onDatabase, ...others]),
    stop: () => stopAll([...onDatabase, ...others]),
    stopOnDatabase: () => stopAll(onDatabase),
    startOnDatabase() {
      onDatabase = plans.onDatabase.map(start)
      return allReady(onDatabase)
    },
  }
}

function checkDemo(settings: Settings): void {
  if (settings.NODE_ENV === 'production')
    throw new SettingsError('--demo is not for production: NODE_ENV must not be production')
  if (!settings.ALLOW_PRIVATE_TARGETS)
    throw new SettingsError(
      '--demo needs ALLOW_PRIVATE_TARGETS not to be false: its game servers are on loopback addresses',
    )
}

function createSecret(folder: string): string {
  prepareFolder(folder)
  return readOrCreateSecret(folder, 'app-secret')
}

/** While the API runs, `api-url` in the folder holds its address for the doctor. @returns a function that removes it */
function announceApi(folder: string, url: string): () => Promise<void> {
  prepareFolder(folder)
  const file = path.join(folder, 'api-url')
  fs.writeFileSync(file, `${url}\n`)
  return async () => fs.rmSync(file, { force: true })
}

async function openDatabase(
  settings: Settings,
  folder: string,
  lock: FolderLock | undefined,
  { stop, print }: { stop: AbortSignal; print: Print },
): Promise<LaunchedDatabase> {
  if (!lock || settings.DATABASE_URL) return externalDatabase(settings.DATABASE_URL ?? '')
  return await openEmbeddedDatabase({
    folder,
    lock,
    signal: stop,
    report: (line) => print('launcher', line),
    onLog: (line) => print('database', line),
  })
}

/** @returns false if the stop was requested in the meantime: a migration may wait minutes for a lock */
async function migrateUnlessStopped(
  database: LaunchedDatabase,
  directUrl: string | undefined,
  { level, print, stop }: { level: string; print: Print; stop: AbortSignal },
): Promise<boolean> {
  const log = pino(
    {
      level,
      base: { process: 'launcher' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    // Work that the stop interrupts is not an error.
    { write: (line: string) => stop.aborted || print('launcher', line.trimEnd()) },
  )
  const prepared = prepareDatabase({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: directUrl }, log).catch(
    (cause: unknown) => {
      if (stop.aborted) return
      throw new Error(`${database.description} can’t be used: ${describeDatabaseError(cause)}`, { cause })
    },
  )
  await Promise.race([prepared, new Promise((resolve) => stop.addEventListener('abort', resolve))])
  return !stop.aborted
}

/** @returns a function that stops processes and kills those that take longer than `killAfterMs`, or run at `hurry` */
function stopProcesses(killAfterMs: number, hurry: AbortSignal) {
  return async (processes: SupervisedProcess[]): Promise<void> => {
    const stopped = Promise.all(processes.map((process) => process.stop(killAfterMs)))
    const kill = () => void Promise.all(processes.map((process) => process.stop(0)))
    if (hurry.aborted) kill()
    else hurry.addEventListener('abort', kill)
    await stopped
  }
}

/** The host at which this machine reaches a listener on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
