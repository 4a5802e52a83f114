// Reaches the database to back up or restore: that of DATABASE_URL, of the running `npm start`, or the embedded one, started for as long as it takes.
import fs from 'node:fs'
import path from 'node:path'
import type { Settings } from '../../src/platform/config/settings.ts'
import { CommandError } from '../commands/command.ts'
import { findDatabaseUrl } from '../commands/database.ts'

export interface ReachedDatabase {
  url: string
  /** The data folder whose `npm start` runs this database now. */
  launcherFolder?: string
  release(): Promise<void>
}

/** @param create whether a missing embedded database is made, to be restored into */
export async function reachDatabase(
  settings: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>,
  { create }: { create: boolean },
): Promise<ReachedDatabase> {
  const url = settings.DATABASE_URL
  if (url) return { url, release: async () => {} }
  const folder = path.resolve(settings.DATA_DIR)
  if (!create && !fs.existsSync(path.join(folder, 'postgres/PG_VERSION')))
    throw new CommandError(`no database: DATABASE_URL is not set, and ${folder} holds none`)
  // Loaded late: the image of the containers has no embedded database.
  const { claimDataFolder } = await import('../launcher/data-folder.ts')
  const { FolderClaimedError } = await import('../launcher/folder-claim.ts')
  const { startPostgres } = await import('../launcher/embedded-postgres.ts')
  try {
    const claim = claimDataFolder(folder)
    const { release } = claim
    try {
      const server = await startPostgres({ folder, database: 'directory', claim })
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
    const running = error instanceof Error && error.cause instanceof FolderClaimedError
    if (!running || !fs.existsSync(path.join(folder, 'database-url'))) throw error
    return { url: findDatabaseUrl(settings), launcherFolder: folder, release: async () => {} }
  }
}

/** Runs `work` with the database, and lets go of it however that ends; Ctrl-C, too, leaves no server running. */
export async function withDatabase<T>(
  settings: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>,
  options: { create: boolean },
  work: (database: ReachedDatabase) => Promise<T>,
): Promise<T> {
  const database = await reachDatabase(settings, options)
  const interrupted = (signal: NodeJS.Signals) => {
    void database.release().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  try {
    return await work(database)
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
    await database.release()
  }
}
