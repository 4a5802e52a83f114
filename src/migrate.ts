// `npm run migrate`: migrates the database and its queues to this release. Safe to run concurrently.
import { contracts } from './contracts.ts'
import { markInstallation } from './platform/db/installation.ts'
import { migrate } from './platform/db/migrate.ts'
import { createPool } from './platform/db/pool.ts'
import { type DatabaseSettings, directUrlOf, requireDirectUrl } from './platform/db/pooler.ts'
import type { Log } from './platform/observability/log.ts'
import { installQueues } from './platform/queue/jobs.ts'

/**
 * Applies migrations, marks a new database as the installation, then installs the queues.
 * @throws UnsupportedDatabaseError before any write, also for a database of release 0.1 that release
 * 0.2 has not converted
 */
export async function prepareDatabase(settings: DatabaseSettings, log: Log): Promise<string[]> {
  await requireDirectUrl(settings)
  const url = directUrlOf(settings)
  const applied = await migrate({ url, log })
  const pool = createPool({ url, max: 2, applicationName: 'migrate', log })
  try {
    await markInstallation(pool)
  } finally {
    await pool.end()
  }
  await installQueues({ url, log, applicationName: 'migrate' }, Object.values(contracts))
  return applied
}

if (import.meta.main) {
  const { readSettings, SettingsError } = await import('./platform/config/settings.ts')
  const { createLog, logStyleOf } = await import('./platform/observability/log.ts')
  const { describeDatabaseError } = await import('./platform/db/advice.ts')
  const { endOnSignals } = await import('./platform/processes/stop.ts')
  endOnSignals() // its transactions are rolled back, and the next run continues
  try {
    if (process.argv.length > 2)
      throw new Error('this command takes no arguments; it migrates the database of DATABASE_URL')
    const settings = readSettings(process.env)
    const { DATABASE_URL, DATABASE_DIRECT_URL } = settings
    if (!DATABASE_URL)
      throw new SettingsError('bad setting: DATABASE_URL is needed (`npm start` migrates its embedded one)')
    const log = createLog('migrate', { ...logStyleOf(settings), level: settings.LOG_LEVEL ?? 'info' })
    const applied = await prepareDatabase({ DATABASE_URL, DATABASE_DIRECT_URL }, log)
    log.info({ applied }, applied.length ? 'database migrated' : 'database is up to date')
  } catch (error) {
    process.stderr.write(`migrate: ${describeDatabaseError(error)}\n`)
    process.exitCode = 1
  }
}
