// Finds and starts a PostgreSQL installed on this machine, for its client programs, for other versions
// and for its extensions.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'

const run = promisify(execFile)

/**
 * Searches the folders of Debian and Red Hat, then the PATH.
 * @param extension it has to have
 * @returns the folder of the first of `versions` that has all programs; undefined if none is installed
 */
export function findPostgres(
  versions: readonly number[],
  programs: readonly string[] = ['postgres'],
  extension?: string,
): string | undefined {
  for (const version of versions) {
    const folders = [
      `/usr/lib/postgresql/${version}/bin`,
      `/usr/pgsql-${version}/bin`,
      ...(process.env.PATH ?? '').split(':'),
    ]
    const folder = folders.find(
      (candidate) =>
        programs.every((program) => {
          const { stdout } = spawnSync(path.join(candidate, program), ['--version'], { encoding: 'utf8' })
          return stdout?.includes(`(PostgreSQL) ${version}.`)
        }) &&
        (!extension || hasExtension(candidate, extension)),
    )
    if (folder) return folder
  }
  return undefined
}

function hasExtension(programs: string, extension: string): boolean {
  const { stdout } = spawnSync(path.join(programs, 'pg_config'), ['--sharedir'], { encoding: 'utf8' })
  return Boolean(stdout) && fs.existsSync(path.join(stdout.trim(), 'extension', `${extension}.control`))
}

/** Starts a new server that stops with the test. @returns the URL of its database `postgres` */
export async function startInstalledPostgres(programs: string): Promise<string> {
  const postgres = await openInstalledPostgres(programs)
  onTestFinished(postgres.remove)
  return postgres.url
}

export interface InstalledPostgres {
  /** Of its database `postgres`. */
  url: string
  port: number
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Starts it again after `kill`. */
  start(): Promise<void>
  remove(): Promise<void>
}

/** Starts a new server. @param settings as in postgresql.conf */
export async function openInstalledPostgres(
  programs: string,
  settings: Record<string, string> = {},
): Promise<InstalledPostgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-installed-'))
  const identity =
    process.getuid?.() === 0
      ? {
          uid: Number((await run('id', ['-u', 'postgres'])).stdout),
          gid: Number((await run('id', ['-g', 'postgres'])).stdout),
        }
      : {}
  if (identity.uid !== undefined) fs.chownSync(folder, identity.uid, identity.gid)
  const data = path.join(folder, 'data')
  const options = { ...identity, cwd: folder }
  await run(path.join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], options)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const all = Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(path.join(programs, 'postgres'), ['-D', data, ...all], { ...options, stdio: 'ignore' })
    await vi.waitFor(() => answers(url), { timeout: 30_000, interval: 50 })
  }
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode) return
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server.kill('SIGQUIT')
    await ended
  }
  const remove = async () => {
    await kill()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return { url, port, kill, start, remove }
}

async function answers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => {})
  }
}
