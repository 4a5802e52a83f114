// Finds and starts a PostgreSQL installed on this machine, for its client programs and for other versions.
import { execFile, spawn, spawnSync } from 'node:child_process'
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
 * @returns the folder of the first of `versions` that has all programs; undefined if none is installed
 */
export function findPostgres(
  versions: readonly number[],
  programs: readonly string[] = ['postgres'],
): string | undefined {
  for (const version of versions) {
    const folders = [
      `/usr/lib/postgresql/${version}/bin`,
      `/usr/pgsql-${version}/bin`,
      ...(process.env.PATH ?? '').split(':'),
    ]
    const folder = folders.find((candidate) =>
      programs.every((program) => {
        const { stdout } = spawnSync(path.join(candidate, program), ['--version'], { encoding: 'utf8' })
        return stdout?.includes(`(PostgreSQL) ${version}.`)
      }),
    )
    if (folder) return folder
  }
  return undefined
}

/** Starts a new server that stops with the test. @returns the URL of its database `postgres` */
export async function startInstalledPostgres(programs: string): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-installed-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
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
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const server = spawn(
    path.join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  )
  const ended = new Promise((resolve) => server.once('exit', resolve))
  onTestFinished(async () => {
    server.kill('SIGQUIT')
    await ended
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await vi.waitFor(() => answers(url), { timeout: 30_000, interval: 50 })
  return url
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
