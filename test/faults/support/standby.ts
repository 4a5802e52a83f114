// A PostgreSQL of the system's packages and a streaming standby of it, which is stopped, frozen and promoted.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { databaseUser } from '../../../commands/start/postgres-cluster.ts'
import { createPool, type Pool } from '../../../src/platform/db/pool.ts'
import { temporaryFolder } from '../../commands/support/start-launcher.ts'
import { atFileEnd } from '../../support/at-file-end.ts'
import { testLog } from '../../support/database.ts'
import { findPostgres } from '../../support/installed-postgres.ts'
import { signalAll } from './postgres.ts'

const run = promisify(execFile)

/** @returns the folder of its programs; undefined, which is printed, if none is installed */
export function findReplicating(): string | undefined {
  const programs = findPostgres([18, 17, 16, 15], ['initdb', 'postgres', 'pg_basebackup'])
  if (!programs) console.log('skipped: no PostgreSQL 15 to 18 with pg_basebackup installed')
  return programs
}

export interface PostgresPair {
  primary: Pool
  standby: Pool
  url: string
  standbyUrl: string
  /** Ends all of its processes at once. */
  stopStandby(): Promise<void>
  /** Resolves when it answers. */
  startStandby(): Promise<void>
  /** Freezes all of its processes. @returns a function that continues them */
  freezeStandby(): () => void
}

/** Ends with the file's tests. @param programs folder of PostgreSQL's programs */
export async function startPostgresPair(programs: string): Promise<PostgresPair> {
  const identity = await databaseUser()
  const folder = temporaryFolder(atFileEnd)
  if (identity.uid !== undefined) fs.chownSync(folder, identity.uid, identity.gid ?? identity.uid)
  const options = { ...identity, cwd: folder }
  const running = new Set<ChildProcess>()
  const pools: Pool[] = []
  atFileEnd(async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    await Promise.all([...running].map(end))
  })

  async function end(server: ChildProcess): Promise<void> {
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
  }

  async function start(data: string, port: number, settings: string[]) {
    const log = fs.openSync(path.join(folder, `${data}.log`), 'a')
    const all = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings]
    const args = ['-D', path.join(folder, data), ...all.flatMap((setting) => ['-c', setting])]
    const server = spawn(path.join(programs, 'postgres'), args, { ...options, stdio: ['ignore', log, log] })
    fs.closeSync(log)
    running.add(server)
    server.once('exit', () => running.delete(server))
    return server
  }

  function open(port: number): Pool {
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const pool = createPool({ url, max: 5, applicationName: 'test', log: testLog })
    pools.push(pool)
    return pool
  }

  const answers = (pool: Pool) => vi.waitFor(() => pool.query('select 1'), { timeout: 30_000, interval: 50 })

  await run(
    path.join(programs, 'initdb'),
    ['-D', 'primary', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'],
    options,
  )
  const [port, standbyPort] = [await freePort(), await freePort()]
  await start('primary', port, ['fsync=off'])
  const primary = open(port)
  await answers(primary)
  const source = `host=127.0.0.1 port=${port} user=postgres`
  await run(path.join(programs, 'pg_basebackup'), ['-d', source, '-D', 'standby', '-R', '-c', 'fast', '-N'], options)
  const standby = open(standbyPort)
  let server: ChildProcess
  const startStandby = async () => {
    server = await start('standby', standbyPort, ['fsync=off', 'max_standby_streaming_delay=100ms'])
    await answers(standby)
  }
  await startStandby()
  return {
    primary,
    standby,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    standbyUrl: `postgres://postgres@127.0.0.1:${standbyPort}/postgres`,
    stopStandby: () => end(server),
    startStandby,
    freezeStandby() {
      const { pid = 0 } = server
      signalAll(pid, 'SIGSTOP')
      return () => signalAll(pid, 'SIGCONT')
    },
  }
}
