// Statements that may read late: on the standby of DATABASE_READ_URL while it is followed, else on the primary.
import { type ProcessSettings, type Settings, SettingsError } from '../config/settings.ts'
import { reasonOf } from '../error-reason.ts'
import type { Log } from '../observability/log.ts'
import { isOutage } from './pg-errors.ts'
import { createPool, type Pool, type Sql } from './pool.ts'
import { type DatabaseSettings, directUrlOf, identifyDatabase, isPooler } from './pooler.ts'

/** Shorter than the pool's: the primary answers afterwards. */
const ANSWER_MS = 5_000

interface ReadDbOptions {
  settings: ProcessSettings
  log: Log
  pool: Pool
  /** Whether the standby answers, and how late it is counts. */
  isFollowed(): boolean
}

/**
 * A statement that the standby does not finish (an outage, or a conflict with what it replays) runs again on the
 * primary. Writes fail on a standby.
 */
export function createReadDb({ settings, log, pool, isFollowed }: ReadDbOptions): Sql & { stop(): Promise<void> } {
  const { DATABASE_READ_URL: url, DATABASE_POOL_MAX: max } = settings
  if (!url) return { query: pool.query.bind(pool) as Sql['query'], stop: async () => undefined }
  const standby = createPool({ url, max, applicationName: 'api', log, answerMs: ANSWER_MS })
  const query = async (statement: string, values?: unknown[]) => {
    try {
      if (isFollowed()) return await standby.query(statement, values)
    } catch (error) {
      if (!isOutage(error) || isReadOnly(error)) throw error
    }
    return pool.query(statement, values)
  }
  return { query: query as Sql['query'], stop: () => standby.end() }
}

/** SQLSTATE read_only_sql_transaction: a write, which must not succeed only while the standby is away. */
const isReadOnly = (error: unknown) => (error as { code?: string }).code === '25006'

/**
 * A standby that does not answer does not stop a start.
 * @throws SettingsError if DATABASE_READ_URL leads to a pooler or to another cluster or database
 */
export async function requireReadUrl(settings: DatabaseSettings & Pick<Settings, 'DATABASE_READ_URL'>): Promise<void> {
  const { DATABASE_READ_URL: url } = settings
  if (!url) return
  try {
    if (await isPooler(url))
      throw new SettingsError(
        'bad setting: DATABASE_READ_URL leads to a connection pooler: set it to the standby itself',
      )
    if ((await identifyDatabase(url)) !== (await identifyDatabase(directUrlOf(settings))))
      throw new SettingsError('bad setting: DATABASE_READ_URL leads to no standby of DATABASE_URL')
  } catch (error) {
    if (error instanceof SettingsError) throw error
    if (!isOutage(error)) throw new SettingsError(`bad setting: DATABASE_READ_URL: ${reasonOf(error)}`)
  }
}
