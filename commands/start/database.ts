// The launcher's database: that of DATABASE_URL, or an embedded one that is restarted if it ends.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describeDatabase } from '../database.ts'
import { startPostgres } from './embedded-postgres.ts'
import type { FolderLock } from './folder-lock.ts'
import { messageOf } from './postgres-error.ts'

export interface LaunchedDatabase {
  url: string
  /** Its location for display, without the password. */
  description: string
  stop(): Promise<void>
}

/** @returns a database that the launcher neither starts nor stops */
export function externalDatabase(url: string): LaunchedDatabase {
  return { url, description: describeDatabase(url), stop: async () => {} }
}

/** Whether no server is listed yet. */
export async function isEmpty(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // of a connection that ends: the query fails, too
  try {
    await client.connect()
    return (await client.query('select from servers where deleted_at is null limit 1')).rowCount === 0
  } finally {
    await client.end()
  }
}

/**
 * Starts the embedded server, and restarts it if it ends unexpectedly. While it runs, the file `database-url` in the
 * folder holds its address for operators' commands.
 * @throws PostgresStartError if the first start fails
 */
export async function openEmbeddedDatabase(options: {
  folder: string
  lock: FolderLock
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
      lock: options.lock,
      signal: options.signal,
      onCreate: () => report('creating the database; this happens once and takes a moment'),
      onLog: (line) => isNoteworthy(line) && options.onLog(line),
      ...(port ? { port } : {}),
    })

  let server = await start()
  const url = server.url()
  fs.rmSync(urlFile, { force: true }) // an existing file would keep its mode
  fs.writeFileSync(urlFile, `${url}\n`, { mode: 0o600 })
  const stopping = new AbortController()
  const finished = keepRunning()

  async function keepRunning(): Promise<void> {
    for (let waitMs = 1_000; ; ) {
      await server.ended
      if (stopping.signal.aborted) return
      report(`the database ended unexpectedly; restarting it in ${waitMs / 1_000} s`)
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
    description: `embedded ${describeDatabase(url)}`,
    async stop() {
      stopping.abort()
      await server.stop()
      await finished
      fs.rmSync(urlFile, { force: true })
    },
  }
}

/** Warnings and errors of the server itself. Errors of statements are logged by the process that sent them. */
function isNoteworthy(line: string): boolean {
  return /\b(WARNING|PANIC):|FATAL: (?! *(terminating connection|the database system is))|No space left/i.test(line)
}
