// Applies prisma/migrations with pg alone and keeps Prisma's bookkeeping, so that `prisma migrate deploy` can take over
// at any time.
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../observability/log.ts'
import { retryOn } from '../retry.ts'
import { isDeadlock, isLockTimeout } from './pg-errors.ts'
import { connectionOptions, type Sql } from './pool.ts'
import { readDatabaseFacts, requireConverted, requireSupported } from './supported-database.ts'

/** Prisma's advisory lock number, so that Prisma's tools and this one exclude each other. */
const MIGRATION_LOCK = 72707369
const LOCK_POLL_MS = 100
/** The first line of a migration that must run outside a transaction (`create index concurrently`). */
const NO_TRANSACTION = '-- no-transaction'

export const MIGRATIONS = path.resolve(import.meta.dirname, '../../../prisma/migrations')

/** A migration that can't be applied. The message names the migration and the reason. */
class MigrationError extends Error {
  override name = 'MigrationError'
}

type Migration = ReturnType<typeof readMigrations>[number]

interface MigrateOptions {
  url: string
  log: Log
  folder?: string
  /** How long a statement waits for another session's lock before the migration rolls back. */
  lockTimeoutMs?: number
  /** How often a migration is retried after a lock timeout. */
  tries?: number
}

/**
 * Migrates the database to the newest migration. Concurrent calls wait for each other. Each file and its bookkeeping
 * row are one transaction. A migration that exceeds the lock timeout rolls back, so that queued traffic proceeds, and
 * is retried.
 * @returns names of the migrations this call applied
 * @throws MigrationError for a failing, edited or missing migration; UnsupportedDatabaseError before any write
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? MIGRATIONS)
  const client = new pg.Client({ ...connectionOptions(options.url, 'migrate'), query_timeout: 0 })
  client.on('error', () => undefined) // of a connection that ends: the statement that waits fails, too
  await client.connect()
  try {
    await takeMigrationLock(client)
    await client.query(`select set_config('lock_timeout', $1, false)`, [`${options.lockTimeoutMs ?? 5_000}ms`])
    requireSupported(await readDatabaseFacts(client), migrations[0]?.name ?? '')
    await requireConverted(client)
    const pending = await findPending(client, migrations)
    for (const migration of pending) await applyWithRetries(client, migration, options)
    return pending.map((migration) => migration.name)
  } finally {
    await client.end() // releases the lock too
  }
}

/**
 * Polls, because a statement that waits for the lock has a snapshot, and `create index concurrently` of the session
 * with the lock waits for all snapshots.
 */
async function takeMigrationLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.taken) return
    await sleep(LOCK_POLL_MS)
  }
}

/**
 * Creates the tables as these migrations leave them, in the transaction of `db`. Used by a restore.
 * @throws MigrationError if one of them is not on disk, because a newer release applied it
 */
export async function buildSchema(db: Sql, names: string[]): Promise<void> {
  const migrations = readMigrations(MIGRATIONS)
  const unknown = names.find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown)
    throw new MigrationError(`migration ${unknown} is not on disk: use the release that applied it, or a newer one`)
  await db.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await createBookkeeping(db)
  for (const migration of migrations.filter(({ name }) => names.includes(name))) {
    const { sql } = migration
    // No other session sees the tables before the commit, so indexes need not be built concurrently, which transactions
    // can't do.
    await db.query(sql.startsWith(NO_TRANSACTION) ? sql.replace(/\bconcurrently\b/gi, '') : sql)
    await recordMigration(db, migration)
  }
}

/** @returns names of migrations on disk that the database lacks. Readiness and the doctor use it. */
export async function pendingMigrations(db: Sql, folder = MIGRATIONS): Promise<string[]> {
  const done = new Set(await appliedMigrations(db))
  return readMigrations(folder)
    .map((migration) => migration.name)
    .filter((name) => !done.has(name))
}

/** @returns names of the database's migrations, in order */
export async function appliedMigrations(db: Sql): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null
     order by migration_name collate "C"`,
  )
  return rows.map(({ name }) => name)
}

function readMigrations(folder: string) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = fs.readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

async function createBookkeeping(db: Sql): Promise<void> {
  await db.query(`
    create table if not exists _prisma_migrations (
      id varchar(36) primary key not null,
      checksum varchar(64) not null,
      finished_at timestamptz,
      migration_name varchar(255) not null,
      logs text,
      rolled_back_at timestamptz,
      started_at timestamptz not null default now(),
      applied_steps_count integer not null default 0
    )`)
}

async function recordMigration(db: Sql, { name, checksum }: Migration): Promise<void> {
  await db.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  )
}

/**
 * Checksums of 0043 and 0066 before some of their statements became migrations of their own. Databases that development
 * versions migrated have these, and running the parts there changes nothing. Not needed once the next release is out.
 */
const SPLIT_BEFORE_RELEASE = new Set([
  '208f8e7acf17f4a02c482039b04a0f8d7f580d18abbb982a8253d69f59b875ea',
  '6ecde72a1d5620c32cad31c2ccd1e03b4549c5ba07376ce4b8f2531cbee6e7ed',
])

async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await createBookkeeping(client)
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
  )
  const applied = new Map(rows.map((row) => [row.migration_name, row]))
  for (const migration of migrations) {
    const row = applied.get(migration.name)
    if (row && !row.finished_at)
      throw new MigrationError(`migration ${migration.name} failed before: resolve it by hand`)
    if (row && row.checksum !== migration.checksum && !SPLIT_BEFORE_RELEASE.has(row.checksum))
      throw new MigrationError(`migration ${migration.name} was edited after it was applied`)
  }
  // A newer release may have applied migrations that this disk lacks; the previous version must still run against them.
  const newest = migrations.at(-1)?.name ?? ''
  const lost = [...applied.keys()].find((name) => name <= newest && !migrations.some((m) => m.name === name))
  if (lost) throw new MigrationError(`applied migration ${lost} is not on disk`)
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function applyWithRetries(client: pg.Client, migration: Migration, options: MigrateOptions): Promise<void> {
  const { log, tries = 60 } = options
  try {
    await retryOn(isBlocked, () => apply(client, migration), {
      tries,
      pauseMs: () => 1_000,
      onRetry: (attempt) =>
        log.warn({ migration: migration.name, attempt }, 'migration could not get a lock; trying again'),
    })
  } catch (error) {
    throw new MigrationError(`migration ${migration.name}: ${(error as Error).message}`, { cause: error })
  }
  log.info({ migration: migration.name }, 'migration applied')
}

/** By a lock timeout, or by a deadlock with an earlier release that waits for the migration lock in one statement. */
const isBlocked = (error: unknown): boolean => isLockTimeout(error) || isDeadlock(error)

/**
 * Removes the index that an interrupted attempt left, which is invalid or not recorded, so that the
 * migration can create it.
 */
async function prepareAlone(client: pg.Client, { sql }: Migration): Promise<void> {
  const [, index] = /\bindex concurrently (\w+)/i.exec(sql) ?? []
  if (index) await client.query(`drop index concurrently if exists ${index}`)
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const alone = migration.sql.startsWith(NO_TRANSACTION)
  if (alone) await prepareAlone(client, migration)
  else await client.query('begin')
  try {
    await client.query(migration.sql) // without parameters pg sends the file whole, so it may hold several statements
    await recordMigration(client, migration)
    if (!alone) await client.query('commit')
  } catch (error) {
    // If the connection is lost, there is nothing to roll back, and the first error says why.
    if (!alone) await client.query('rollback').catch(() => undefined)
    throw error
  }
}
