// Finds the database that a command works on: DATABASE_URL, or that of a running `npm start`.
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { readSettings, type Settings } from '../src/platform/config/settings.ts'
import { describeDatabaseError } from '../src/platform/db/advice.ts'
import { createPool, type Pool } from '../src/platform/db/pool.ts'
import { reasonOf } from '../src/platform/error-reason.ts'
import { createLog } from '../src/platform/observability/log.ts'
import { CommandError } from './command.ts'

/** Runs `work` on the database that the settings name, and closes the connections. */
export async function withPool<T>(work: (pool: Pool, settings: Settings) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env)
  const pool = await openDatabase(settings)
  try {
    return await work(pool, settings)
  } finally {
    await pool.end()
  }
}

/** @throws CommandError if there is no database, it can't be reached, or it is not migrated */
export async function openDatabase(
  settings: DatabaseSettings & Pick<Settings, 'LISTING_REQUIRES_VERIFICATION'>,
): Promise<Pool> {
  const pool = createPool({
    url: findDatabaseUrl(settings),
    max: 2,
    applicationName: 'command',
    log: createLog('command', 'silent'),
    requireVerified: settings.LISTING_REQUIRES_VERIFICATION,
  })
  try {
    const { rows } = await pool.query<{ migrated: boolean }>(
      `select to_regclass('server_polls') is not null as migrated`,
    )
    if (!rows[0]?.migrated) throw new CommandError('the database is not migrated: run `npm run migrate` first')
    return pool
  } catch (error) {
    await pool.end()
    if (error instanceof CommandError) throw error
    const reason = settings.DATABASE_URL
      ? describeDatabaseError(error)
      : `${reasonOf(error)}: start the directory with \`npm start\``
    throw new CommandError(`the database can’t be reached: ${reason}`, 1, error)
  }
}

/** @throws CommandError if neither exists */
export const findDatabaseUrl = ({ DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: DatabaseSettings): string =>
  DATABASE_DIRECT_URL ?? DATABASE_URL ?? readLauncherUrl(DATA_DIR)

/**
 * Host, port and database that a URL leads to, without user and password: what it leaves out comes from `PGHOST`,
 * `PGPORT` and `PGDATABASE`.
 */
export function describeDatabase(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  return `PostgreSQL on ${host}:${port}/${database}`
}

type DatabaseSettings = Pick<Settings, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR'>

function readLauncherUrl(dataDir: string): string {
  const file = path.resolve(dataDir, 'database-url')
  try {
    return fs.readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EACCES')
      throw new CommandError(`${file} can’t be read: run this as the user who runs \`npm start\``, 1, cause)
    if (code !== 'ENOENT') throw new CommandError(`${file} can’t be read: ${reasonOf(cause)}`, 1, cause)
    throw new CommandError(`no database: start the directory with \`npm start\`, or set DATABASE_URL`, 1, cause)
  }
}
