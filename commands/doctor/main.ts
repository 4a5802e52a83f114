// `npm run doctor`: checks settings, database, queues and connections, and reports what to do. Changes nothing.
import { readSettings, type Settings, SettingsError } from '../../src/platform/config/settings.ts'
import { startWarnings } from '../../src/platform/config/start-warnings.ts'
import { isUnadoptedCopy } from '../../src/platform/db/installation.ts'
import { pendingMigrations } from '../../src/platform/db/migrate.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { type DatabaseSettings, requireDirectUrl } from '../../src/platform/db/pooler.ts'
import { requireReadUrl } from '../../src/platform/db/read-db.ts'
import { reasonOf } from '../../src/platform/error-reason.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { defineCommand, runProgram } from '../command.ts'
import { findDatabaseUrl } from '../database.ts'
import {
  checkConnections,
  checkHistory,
  checkInstallation,
  checkMigrations,
  checkNodes,
  checkPendingHistory,
  checkPolling,
  checkQueues,
  checkSkew,
  checkSources,
  checkStandby,
  checkVersion,
  checkWorkers,
  type Finding,
  failure,
  ok,
  readConnections,
  readPollLag,
  readServer,
  readStandbyLag,
  warning,
} from './examination.ts'
import { checkApi, checkConnection, checkMailServer, checkSource, findApiUrl } from './reach.ts'

const MARKS = { ok: 'ok      ', warning: 'warning ', failure: 'FAILURE ' } as const
let failed = false

function print(finding: Finding): void {
  failed ||= finding.status === 'failure'
  process.stdout.write(`${MARKS[finding.status]} ${finding.what}: ${finding.seen}\n`)
  if (finding.advice) process.stdout.write(`          → ${finding.advice}\n`)
}

function examineSettings(): Settings | undefined {
  try {
    const settings = readSettings(process.env)
    print(ok('settings', `NODE_ENV ${settings.NODE_ENV}`))
    if (settings.NODE_ENV === 'production') {
      if (!settings.PUBLIC_BASE_URL.startsWith('https:'))
        print(
          (settings.ALLOW_HTTP ? warning : failure)(
            'settings',
            `PUBLIC_BASE_URL is ${settings.PUBLIC_BASE_URL}`,
            'Cookies are only safe over https.',
          ),
        )
      if (!settings.SMTP_URL)
        print(
          warning('settings', 'SMTP_URL is not set', 'Set it to send mails. Until then they are written to a folder.'),
        )
    }
    for (const line of startWarnings(process.env, settings))
      print(warning('settings', line, 'docs/SETTINGS.md lists all settings.'))
    return settings
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    print(failure('settings', error.message, 'docs/SETTINGS.md lists all settings.'))
    return undefined
  }
}

/** What processes find out about settings only when they use them. */
async function examineUsedSettings(settings: Settings): Promise<void> {
  const { openCountries } = await import('../../src/platform/country-database.ts')
  const { defaultGameOf } = await import('../../src/features/servers/index.ts')
  const { openNetworkOwners } = await import('../../src/features/votes/index.ts')
  const uses = [
    () => openCountries(settings.COUNTRY_DATABASE),
    () => openNetworkOwners(settings.NETWORK_OWNER_DATABASE),
    () => defaultGameOf(settings),
  ]
  for (const use of uses)
    try {
      use()
    } catch (error) {
      print(failure('settings', reasonOf(error), 'docs/SETTINGS.md lists all settings.'))
    }
}

async function examineDatabase(pool: Pool, settings: Settings): Promise<void> {
  const { version, skewSeconds } = await readServer(pool)
  print(checkVersion(version))
  print(checkSkew(skewSeconds))
  print(checkConnections(await readConnections(pool)))
  const { rows } = await pool.query<{ isEmpty: boolean }>(
    `select to_regclass('_prisma_migrations') is null or to_regclass('pgboss.queue') is null as "isEmpty"`,
  )
  if (rows[0]?.isEmpty) return print(failure('migrations', 'the database is empty', 'Run `npm run migrate`.'))
  const pending = await pendingMigrations(pool)
  print(checkMigrations(pending))
  if (pending.length) return
  print(checkInstallation(await isUnadoptedCopy(pool)))
  const { listQueues } = await import('../../src/features/queues/index.ts')
  const seen = await listQueues(pool)
  print(checkWorkers(seen))
  for (const finding of checkQueues(seen)) print(finding)
  print(checkPolling(await readPollLag(pool)))
  const { listSources } = await import('../../src/features/discovery/index.ts')
  for (const finding of checkSources(await listSources(pool, settings))) print(finding)
  const { readCitus, readPendingSeconds, readUnreadable } = await import('../../src/features/history/index.ts')
  print(checkPendingHistory(await readPendingSeconds(pool)))
  const citus = await readCitus(pool)
  if (citus) print(checkNodes(citus))
  if (citus?.nodes.every(({ answers }) => answers) ?? true) print(checkHistory(await readUnreadable(pool)))
}

async function examineStandby(settings: DatabaseSettings, primary: Pool, url: string): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'doctor', log: createLog('doctor', 'silent') })
  try {
    await requireReadUrl({ ...settings, DATABASE_READ_URL: url })
    print(checkStandby(await readStandbyLag(primary, pool)))
  } catch (error) {
    print(failure('standby', reasonOf(error), 'Check that it runs and that DATABASE_READ_URL is right.'))
  } finally {
    await pool.end()
  }
}

async function examineSources(settings: Settings): Promise<void> {
  const { requireKnownSources } = await import('../../src/features/discovery/index.ts')
  const { sourceOf } = await import('../../workers/discovery/sources.ts')
  try {
    requireKnownSources(settings)
  } catch (error) {
    return print(failure('sources', reasonOf(error), 'docs/SOURCES.md lists the sources.'))
  }
  for (const source of settings.DISCOVER.map((name) => sourceOf(name, settings)))
    if (source) print(await checkSource(source))
}

async function examine(): Promise<void> {
  const settings = examineSettings()
  if (!settings) return
  await examineUsedSettings(settings)
  let pool: Pool | undefined
  try {
    const url = findDatabaseUrl(settings)
    const addresses = { ...settings, DATABASE_URL: settings.DATABASE_URL ?? url }
    await requireDirectUrl(addresses)
    pool = createPool({ url, max: 2, applicationName: 'doctor', log: createLog('doctor', 'silent') })
    await examineDatabase(pool, settings)
    if (settings.DATABASE_READ_URL) await examineStandby(addresses, pool, settings.DATABASE_READ_URL)
  } catch (error) {
    const advice =
      'Check that it runs and that DATABASE_URL is right. Without DATABASE_URL, `npm start` runs an embedded one.'
    print(failure('database', reasonOf(error), advice))
  } finally {
    await pool?.end()
  }
  print(await checkApi(findApiUrl(process.env, settings)))
  if (settings.DISCOVER.length) await examineSources(settings)
  if (settings.SMTP_URL) print(await checkMailServer(settings.SMTP_URL))
  if (settings.RATE_LIMIT_STORE.startsWith('redis'))
    print(await checkConnection('limit store', settings.RATE_LIMIT_STORE, 6379))
}

const HELP = `npm run doctor

Checks settings, database, clocks, migrations, queues and connections, and prints what to do about each problem. Changes
nothing. The exit code is 1 if a problem must be fixed.

The doctor checks the database of DATABASE_URL and the API at PUBLIC_BASE_URL or PORT. Without these settings, it checks those
of the running \`npm start\`.
`

const command = defineCommand({
  help: HELP,
  async run() {
    await examine()
    return failed ? 1 : 0
  },
})

await runProgram('doctor', command)
