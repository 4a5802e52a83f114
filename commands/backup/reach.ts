// Connects to the database to back up or restore: that of DATABASE_URL, that of a running `npm start`, or the embedded
// one, started for the duration.
import fs from 'node:fs'
import path from 'node:path'
import type { Settings } from '../../src/platform/config/settings.ts'
import { createStopListener } from '../../src/platform/processes/stop.ts'
import { CommandError } from '../command.ts'
import { describeDatabase, findDatabaseUrl } from '../database.ts'

export interface ConnectedDatabase {
  url: string
  /** The data folder of the `npm start` that runs this database now. */
  launcherFolder?: string
  release(): Promise<void>
}

interface Options {
  create: boolean
  note: (line: string) => void
}

/**
 * @param options.create whether to create a missing embedded database, for a restore
 * @param options.note gets a line that names the database before anything happens to it
 * @param options.signal cancels the start of the embedded database
 */
async function connectToDatabase(
  settings: Pick<Settings, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR'>,
  { create, note, signal }: Options & { signal: AbortSignal },
): Promise<ConnectedDatabase> {
  const url = settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL
  if (url) {
    note(`database: ${describeDatabase(url)}`)
    return { url, release: async () => {} }
  }
  const folder = path.resolve(settings.DATA_DIR)
  // Imported late: the container image has no embedded database.
  const { dataFolderError, lockDataFolder } = await import('../start/data-folder.ts')
  const isNew = !holdsDatabase(folder, dataFolderError)
  if (!create && isNew) throw new CommandError(`no database: DATABASE_URL is not set, and ${folder} holds none`)
  const { FolderLockedError } = await import('../start/folder-lock.ts')
  const { startPostgres } = await import('../start/embedded-postgres.ts')
  try {
    const lock = lockDataFolder(folder)
    const { release } = lock
    try {
      note(`database: the embedded one in ${folder}${isNew ? ' (will be created)' : ''}`)
      const server = await startPostgres({ folder, database: 'directory', lock, signal })
      return {
        url: server.url(),
        async release() {
          await server.stop()
          release()
        },
      }
    } catch (error) {
      release()
      throw error
    }
  } catch (error) {
    const running = error instanceof Error && error.cause instanceof FolderLockedError
    if (!running || !fs.existsSync(path.join(folder, 'database-url'))) throw error
    note(`database: that of the running \`npm start\` in ${folder}`)
    return { url: findDatabaseUrl(settings), launcherFolder: folder, release: async () => {} }
  }
}

/** @throws what `errorOf` makes of a folder that this user can't look into */
function holdsDatabase(folder: string, errorOf: (folder: string, cause: unknown) => Error): boolean {
  try {
    return fs.statSync(path.join(folder, 'postgres/PG_VERSION'), { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw errorOf(folder, cause)
  }
}

/**
 * Runs `work` with the database and closes it afterwards. Ctrl-C leaves no server running either,
 * also while that starts.
 */
export async function withDatabase<T>(
  settings: Pick<Settings, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR'>,
  options: Options,
  work: (database: ConnectedDatabase) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController()
  const connecting = connectToDatabase(settings, { ...options, signal: stopping.signal })
  const release = () =>
    connecting.then(
      (database) => database.release(),
      () => {}, // nothing was opened
    )
  const interrupted = createStopListener((signal) => {
    stopping.abort()
    void release().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  })
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', interrupted)
  try {
    return await work(await connecting)
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
    await release()
  }
}
