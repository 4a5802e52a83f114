// The oldest PostgreSQL that is supported, where one is installed: migrated, written to, followed and polled from.
import { execFile, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { freePort } from '../../tools/launcher/ports.ts'
import { testLog } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'

const OLDEST = 15
const run = promisify(execFile)

/** Debian's and Red Hat's places, then whatever is on the PATH. */
function findPrograms(): string | undefined {
  const folders = [
    `/usr/lib/postgresql/${OLDEST}/bin`,
    `/usr/pgsql-${OLDEST}/bin`,
    ...(process.env.PATH ?? '').split(':'),
  ]
  return folders.find((folder) => {
    const { stdout } = spawnSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
    return stdout?.includes(`(PostgreSQL) ${OLDEST}.`)
  })
}

async function startServer(programs: string): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-versions-'))
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

it(`PostgreSQL ${OLDEST}: migrates, lists, follows changes and is polled from`, async ({ skip }) => {
  const programs = findPrograms()
  if (!programs) {
    console.log(`skipped: no PostgreSQL ${OLDEST} is installed on this machine`)
    return skip()
  }
  const url = await startServer(programs)
  const pool = createPool({ url, max: 3, applicationName: 'test', log: testLog })
  onTestFinished(() => pool.end())
  expect((await prepareDatabase({ DATABASE_URL: url }, testLog)).length).toBeGreaterThan(0)
  expect(await prepareDatabase({ DATABASE_URL: url }, testLog)).toEqual([])

  const servers = createServers({ pool })
  const listed = await servers.add({ name: 'Before the start', ipAddress: '127.0.0.1', gamePort: 7777, queryPort: 9 })
  const api = await startProcess('src/main.ts', url)
  const names = async () => {
    const response = await fetch(`${api.url}/api/public/servers`)
    const body = (await response.json()) as { servers: { name: string }[] }
    return body.servers.map(({ name }) => name)
  }
  expect(await names()).toEqual(['Before the start'])

  await servers.add({ name: 'After the start', ipAddress: '127.0.0.1', gamePort: 7778, queryPort: 10 })
  await vi.waitFor(async () => expect(await names()).toContain('After the start'), { timeout: 20_000 })

  await startProcess('workers/main.ts', url)
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query('select last_polled_at from server_status where server_id = $1', [listed.id])
      expect(rows[0]?.last_polled_at).toBeInstanceOf(Date)
    },
    { timeout: 45_000, interval: 200 },
  )
})
