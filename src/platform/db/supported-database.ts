// Checks whether a database can be used, before the first migration writes to it.
import type { Sql } from './pool.ts'

export const MIN_POSTGRES = 15
export const MAX_POSTGRES = 18

/** A database that can't be used as it is. The message says why and what to do. */
export class UnsupportedDatabaseError extends Error {
  override name = 'UnsupportedDatabaseError'
}

export interface DatabaseFacts {
  /** `server_version_num`: 180004 is 18.4. */
  version: number
  encoding: string
  database: string
  /** Existing tables in the schema that the migrations would use. */
  tables: string[]
  /** Names of applied migrations, which may belong to another program that uses Prisma. */
  migrations: string[]
}

/**
 * @param firstMigration name of the first migration of this product
 * @throws UnsupportedDatabaseError if the server is too old, its encoding is not UTF-8, or it has tables of another
 * program
 */
export function requireSupported(facts: DatabaseFacts, firstMigration: string): void {
  const { version, encoding, database, migrations } = facts
  const major = Math.floor(version / 10_000)
  if (major < MIN_POSTGRES)
    throw new UnsupportedDatabaseError(
      `PostgreSQL ${major} is too old: move to PostgreSQL ${MIN_POSTGRES} to ${MAX_POSTGRES}`,
    )
  if (encoding !== 'UTF8')
    throw new UnsupportedDatabaseError(
      `its encoding ${encoding} can’t store every name: create one with \`createdb --encoding UTF8 --template template0\``,
    )
  const tables = facts.tables.filter((name) => name !== BOOKKEEPING)
  if (!tables.length || migrations.includes(firstMigration)) return
  const names = tables.slice(0, 3).join(', ') + (tables.length > 3 ? ', …' : '')
  throw new UnsupportedDatabaseError(
    `database ${database} contains tables of another program (${names}): set DATABASE_URL to an empty one`,
  )
}

/**
 * Release 0.1 stored a row per poll in player_history, which release 0.2 converts to chunks (docs/decisions/0035), and
 * addresses in clear in webhook_endpoints, which release 0.2 encrypts and shows in a view of that name.
 * @throws UnsupportedDatabaseError while the database has data that release 0.2 has not converted
 */
export async function requireConverted(db: Sql): Promise<void> {
  if (await hasRow(db, 'player_history', 'true'))
    throw new UnsupportedDatabaseError(`its player history is in the format of release 0.1: ${CONVERT}`)
  if (await hasRow(db, 'webhook_endpoints', `url ~ '^https?:'`))
    throw new UnsupportedDatabaseError(`its webhooks are in the format of release 0.1: ${CONVERT}`)
}

const CONVERT = 'run release 0.2 on it first, until its workers have converted it (within a day), then update'

async function hasRow(db: Sql, table: string, where: string): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
  return Boolean(rows[0]?.exists && (await db.query(`select from ${table} where ${where} limit 1`)).rowCount)
}

const BOOKKEEPING = '_prisma_migrations'

export async function readDatabaseFacts(db: Sql): Promise<DatabaseFacts> {
  const { rows } = await db.query<Omit<DatabaseFacts, 'migrations'>>(`
    select
      current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding,
      current_database() as database,
      -- Without tables of extensions such as PostGIS.
      array(
        select relname::text from pg_class
        where relnamespace = to_regnamespace(current_schema()::text) and relkind in ('r', 'p', 'f') and not relispartition
          and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'e')
        order by relname
      ) as tables`)
  const [facts] = rows
  if (!facts) throw new Error('the database returned no facts about itself')
  if (!facts.tables.includes(BOOKKEEPING)) return { ...facts, migrations: [] }
  const applied = await db.query<{ name: string }>('select migration_name as name from _prisma_migrations')
  return { ...facts, migrations: applied.rows.map(({ name }) => name) }
}
