// A fault run's own PostgreSQL that is restarted, crashed and frozen, always on the same port.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { startPostgres } from '../../../commands/start/embedded-postgres.ts'
import { freePort } from '../../../commands/start/ports.ts'
import { prepareDatabase } from '../../../src/migrate.ts'
import { createPool, type Pool } from '../../../src/platform/db/pool.ts'
import { testLog } from '../../support/database.ts'

export interface HarmedPostgres {
  url: string
  pool: Pool
  /** Stops it, waits `awayMs`, starts it; resolves when it answers. */
  restart(awayMs?: number): Promise<void>
  /** Kills it, as a crash does; the next start recovers committed data from the log. */
  crash(awayMs?: number): Promise<void>
  /** Freezes all of its processes. @returns a function that continues them */
  freeze(): () => void
  freezeFor(ms: number): Promise<void>
}

/** Syncs to disk as the product's does; ends with the file's tests. */
export async function startHarmedPostgres(): Promise<HarmedPostgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-faults-'))
  const port = await freePort()
  const start = () => startPostgres({ folder, database: 'directory', port })
  let postgres = await start()
  const url = postgres.url()
  const pool = createPool({ url, max: 5, applicationName: 'test', log: testLog })
  afterAll(async () => {
    await pool.end()
    await postgres.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  await prepareDatabase({ DATABASE_URL: url }, testLog)
  const freeze = () => {
    const { pid } = postgres
    signalAll(pid, 'SIGSTOP')
    return () => signalAll(pid, 'SIGCONT')
  }
  return {
    url,
    pool,
    freeze,
    async freezeFor(ms) {
      const thaw = freeze()
      try {
        await sleep(ms)
      } finally {
        thaw()
      }
    },
    async restart(awayMs = 0) {
      await postgres.stop()
      await sleep(awayMs)
      postgres = await start()
    },
    async crash(awayMs = 0) {
      process.kill(postgres.pid, 'SIGQUIT')
      await postgres.ended
      await sleep(awayMs)
      postgres = await start()
    },
  }
}

/** Signals the server and its backends, which have separate process groups. */
export function signalAll(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, 'SIGSTOP') // forks no more
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  for (const line of processes) {
    const [child, parent] = line.trim().split(/\s+/).map(Number)
    if (child && parent === pid) process.kill(child, signal)
  }
  process.kill(pid, signal)
}
