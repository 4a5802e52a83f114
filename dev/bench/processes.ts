// Starts and stops the real processes of a measurement.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../commands/start/embedded-postgres.ts'
import { PROGRAMS } from '../../commands/start/programs.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { createLog } from '../../src/platform/observability/log.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

export interface Bench {
  url: string
  pool: Pool
  /** CPU time of the database server and its connections so far. */
  databaseCpuMicros(): number
  stop(): Promise<void>
}

/** A migrated database on a temporary server with PostgreSQL's default durability (fsync and synchronous commit on). */
export async function openBench(): Promise<Bench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-bench-'))
  const postgres = await startPostgres({
    folder,
    database: 'bench',
    settings: { shared_buffers: '512MB', max_wal_size: '4GB' },
  })
  const log = createLog('bench', 'error')
  await prepareDatabase({ DATABASE_URL: postgres.url() }, log)
  const pool = createPool({ url: postgres.url(), max: 8, applicationName: 'bench', log })
  return {
    url: postgres.url(),
    pool,
    databaseCpuMicros: () => cpuMicrosOf(postgres.pid),
    stop: async () => {
      await pool.end()
      await postgres.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Started {
  child: ChildProcess
  /** CPU time of the process and of those that it started, user and system, in microseconds; NaN without /proc. */
  cpuMicros(): number
  /** Milliseconds from the start of the process to its first successful /readyz. */
  readyAfterMs: number
  stop(): Promise<void>
}

/** Starts a process of the product, with limits that are on but never reached, and waits for its /readyz. */
export async function startProduct(
  program: 'api' | 'worker',
  env: Record<string, string>,
  port: number,
): Promise<Started> {
  const from = performance.now()
  const [command, ...args] = PROGRAMS[program]
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', process.env.BENCH_LOGS ? 'inherit' : 'ignore', 'inherit'],
    env: {
      ...process.env,
      // Like a real run: outside production each reply is checked against its schema, and only there workers poll
      // loopback.
      NODE_ENV: program === 'api' ? 'production' : 'development',
      APP_SECRET: 'a secret of the benchmark, 32 characters and more',
      RATE_LIMIT_IP_PER_MINUTE: '1000000000',
      VOTES_PER_ADDRESS_PER_DAY: '0',
      ALLOW_HTTP: 'true',
      RATE_LIMIT_IP_PER_HOUR: '1000000000',
      ...env,
    },
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) break
    await sleep(10)
  }
  return {
    child,
    readyAfterMs: performance.now() - from,
    cpuMicros: () => cpuMicrosOf(child.pid),
    stop: () => stop(child),
  }
}

/** In steps of 10 ms. */
export function cpuMicrosOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`
  if (!fs.existsSync(file)) return Number.NaN
  const [user, system] = fs.readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ').slice(11, 13).map(Number) ?? []
  const started = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return started.reduce(
    (sum, child) => sum + cpuMicrosOf(child),
    ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10_000,
  )
}

export interface Helper<T> {
  first: T
  child: ChildProcess
  cpuMicros(): number
  /** Sends a message, and resolves with the next that it sends. */
  ask<Answer>(message: unknown): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a helper script of the benchmark and resolves with its first message. */
export async function startHelper<T>(script: string, args: string[] = [], message?: unknown): Promise<Helper<T>> {
  const child = spawn(process.execPath, [path.join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`${script} ended with ${code}`))
      child.once('exit', onExit)
      child.once('message', (value) => {
        child.off('exit', onExit)
        resolve(value as Message)
      })
    })
  if (message !== undefined) child.send(message as object)
  return {
    first: await next<T>(),
    child,
    cpuMicros: () => cpuMicrosOf(child.pid),
    ask(question) {
      child.send(question as object)
      return next()
    },
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(late)
}
