// The embedded PostgreSQL of `npm start`: its folder and its possible faults.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type EmbeddedPostgres, type PostgresOptions, startPostgres } from '../../commands/start/embedded-postgres.ts'
import { isRunning, temporaryFolder } from './support/start-launcher.ts'

const settings = { fsync: 'off' }

async function start(folder: string, options: Partial<PostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ folder, database: 'directory', settings, ...options })
  onTestFinished(() => server.stop())
  return server
}

let cluster: string
beforeAll(async () => {
  cluster = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-cluster-'))
  const server = await startPostgres({ folder: cluster, database: 'directory', settings })
  await ask(server.url(), 'create table kept as select 42 as answer')
  await server.stop()
})
afterAll(() => fs.rmSync(cluster, { recursive: true, force: true }))

/** Makes a data folder with a stopped server's cluster that has the table `kept`. */
function stoppedCluster(): string {
  const folder = temporaryFolder()
  execFileSync('cp', ['-a', `${cluster}/.`, folder]) // keeps the files' owner
  return folder
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps its data between starts', async () => {
    const { url } = await start(stoppedCluster())
    expect(await ask(url(), 'select answer from kept')).toEqual([42])
  })

  it('refuses a folder that another start uses, and leaves that start alone', async () => {
    const folder = stoppedCluster()
    const first = await start(folder)
    await expect(start(folder)).rejects.toThrow(/is in use by another start \(process \d+\)/)
    expect(await ask(first.url(), 'select 1')).toEqual([1])
    await first.stop()
    await start(folder)
  })

  it('names the versions when another version made the cluster', async () => {
    const folder = stoppedCluster()
    fs.writeFileSync(path.join(folder, 'postgres/PG_VERSION'), '17\n')
    await expect(start(folder)).rejects.toThrow(/was created by PostgreSQL 17, but 18 is installed: .*npm run backup/)
  })

  it('reports that the generated password was lost', async () => {
    const folder = stoppedCluster()
    fs.rmSync(path.join(folder, 'postgres-password'))
    await expect(start(folder)).rejects.toThrow('refuses the password in DATA_DIR/postgres-password')
  })

  it('lets only their owner read its secrets', async () => {
    const folder = stoppedCluster()
    expect(fs.statSync(path.join(folder, 'postgres-password')).mode & 0o777).toBe(0o600)
    expect(fs.statSync(path.join(folder, 'postgres')).mode & 0o077).toBe(0)
  })

  it('starts although another program has the pid in an old pid file', async () => {
    const folder = stoppedCluster()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    onTestFinished(() => void stranger.kill('SIGKILL'))
    const pidFile = path.join(folder, 'postgres/postmaster.pid')
    fs.writeFileSync(pidFile, `${stranger.pid}\n${folder}/postgres\n1\n5432\n\n127.0.0.1\n`)
    const { uid, gid } = fs.statSync(path.join(folder, 'postgres'))
    fs.chownSync(pidFile, uid, gid)
    const second = await start(folder)
    expect(await ask(second.url(), 'select answer from kept')).toEqual([42])
    expect(isRunning(stranger.pid ?? 0)).toBe(true)
  })

  it('cancels a start on request', async () => {
    const stop = new AbortController()
    const starting = start(temporaryFolder(), { signal: stop.signal })
    stop.abort()
    await expect(starting).rejects.toThrow('aborted')
  })

  it('answers although the environment asks for TLS, which the server of another database may need', async () => {
    vi.stubEnv('PGSSLMODE', 'require')
    onTestFinished(() => void vi.unstubAllEnvs())
    const server = await start(stoppedCluster(), { signal: AbortSignal.timeout(20_000) })
    expect(await ask(server.url(), 'select answer from kept')).toEqual([42])
  })

  it('does not make an existing folder readable to others', async () => {
    const folder = temporaryFolder()
    fs.writeFileSync(path.join(folder, 'diary.txt'), 'private')
    fs.chmodSync(folder, 0o700)
    if (process.getuid?.() === 0)
      await expect(start(folder)).rejects.toThrow(
        /runs as user `postgres`, who can’t enter .*: move DATA_DIR out of there/,
      )
    else await start(folder)
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('reports that the disk is full', async ({ skip }) => {
    const folder = temporaryFolder()
    const disk = path.join(folder, 'small')
    fs.mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      console.log('skipped: a small disk can be mounted by root on Linux only')
      skip()
    }
    onTestFinished(() => void execFileSync('umount', [disk]))
    await expect(start(path.join(disk, 'data'))).rejects.toThrow('the disk is full: free some space')
    expect(fs.existsSync(path.join(disk, 'data/postgres/PG_VERSION'))).toBe(false)
  })
})

it('a server without its launcher is stopped cleanly by the next start', async () => {
  const folder = stoppedCluster()
  const first = await start(folder, { lock: { afterKill: false, release() {} } }) // holds no lock, as after a kill
  const second = await start(folder)
  await vi.waitFor(() => expect(isRunning(first.pid)).toBe(false))
  expect(await ask(second.url(), 'select answer from kept')).toEqual([42])
})
