// The launcher's database: the one DATABASE_URL names, or an embedded one that is kept running.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from './embedded-postgres.ts'
import type { FolderClaim } from './folder-claim.ts'
import { messageOf } from './postgres-error.ts'

export interface LaunchedDatabase {
  url: string
  /** Where it is, for people: never a password. */
  description: string
  stop(): Promise<void>
}

/** @returns a database that is somebody else's to start and stop */
export function foreignDatabase(url: string): LaunchedDatabase {
  return { url, description: describe(url), stop: async () => {} }
}

/** Host, port and database of an address, without user and password. */
export function describe(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname) || searchParams.get('host') || 'localhost'
  return `PostgreSQL on ${host}:${port || 5432}${pathname}`
}

/**
 * Starts the embedded server and starts it again when it ends unasked. While it runs, `database-url` in the folder
 * holds its address, for the tools that an operator runs beside it.
 * @throws PostgresStartError when the first start fails
 */
export async function openEmbeddedDatabase(options: {
  folder: string
  claim: FolderClaim
  signal: AbortSignal
  report: (line: string) => void
  onLog: (line: string) => void
}): Promise<LaunchedDatabase> {
  const { folder, report } = options
  const urlFile = path.join(folder, 'database-url')
  const start = (port?: number) =>
    startPostgres({
      folder,
      database: 'directory',
      claim: options.claim,
      signal: options.signal,
      onCreate: () => report('making the database, which takes a moment and is done once'),
      onLog: (line) => isNoteworthy(line) && options.onLog(line),
      ...(port ? { port } : {}),
    })

  let server = await start()
  const url = server.url()
  fs.rmSync(urlFile, { force: true }) // an older file keeps its own mode
  fs.writeFileSync(urlFile, `${url}\n`, { mode: 0o600 })
  const stopping = new AbortController()
  const finished = keepRunning()

  async function keepRunning(): Promise<void> {
    for (let waitMs = 1_000; ; ) {
      await server.ended
      if (stopping.signal.aborted) return
      report(`the database ended unexpectedly, starting it again in ${waitMs / 1_000} s`)
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      waitMs = Math.min(waitMs * 2, 30_000)
      if (stopping.signal.aborted) return
      const again = await start(server.port).catch((error: unknown) => {
        if (!options.signal.aborted) report(messageOf(error))
      })
      if (!again) continue
      server = again
      if (stopping.signal.aborted) return await server.stop()
      waitMs = 1_000
      report('the database is running again')
    }
  }

  return {
    url,
    description: `embedded ${describe(url)}`,
    async stop() {
      stopping.abort()
      await server.stop()
      await finished
      fs.rmSync(urlFile, { force: true })
    },
  }
}

/** Warnings and worse about the server itself; a failed statement is told by whoever sent it. */
function isNoteworthy(line: string): boolean {
  return /\b(WARNING|PANIC):|FATAL: (?! *(terminating connection|the database system is))|No space left/i.test(line)
}
