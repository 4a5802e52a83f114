// Whether the product can live in a database: asked before the first migration, so that nothing is written to one it can't.
import type { Sql } from './pool.ts'

export const OLDEST_POSTGRES = 15
export const NEWEST_POSTGRES = 18

/** A database that can't be used as it is; its message says why and what to do. */
export class UnsuitableDatabaseError extends Error {
  override name = 'UnsuitableDatabaseError'
}

export interface DatabaseFacts {
  /** As `server_version_num`: 180004 is 18.4. */
  version: number
  encoding: string
  database: string
  /** Tables where the migrations would make theirs. */
  tables: string[]
  /** Names of applied migrations, ours or those of another program that uses Prisma. */
  migrations: string[]
}

/**
 * @param firstMigration name of the migration that every database of ours has
 * @throws UnsuitableDatabaseError for a server that is too old, an encoding other than UTF-8, or tables of another program
 */
export function assertSuitable(facts: DatabaseFacts, firstMigration: string): void {
  const { version, encoding, database, migrations } = facts
  const major = Math.floor(version / 10_000)
  if (major < OLDEST_POSTGRES)
    throw new UnsuitableDatabaseError(
      `PostgreSQL ${major} is too old: move to PostgreSQL ${OLDEST_POSTGRES} to ${NEWEST_POSTGRES}`,
    )
  if (encoding !== 'UTF8')
    throw new UnsuitableDatabaseError(
      `its encoding ${encoding} can’t hold every name: make one with \`createdb --encoding UTF8 --template template0\``,
    )
  const tables = facts.tables.filter((name) => name !== BOOKKEEPING)
  if (!tables.length || migrations.includes(firstMigration)) return
  const names = tables.slice(0, 3).join(', ') + (tables.length > 3 ? ', …' : '')
  throw new UnsuitableDatabaseError(
    `database ${database} holds tables of another program (${names}): set DATABASE_URL to an empty one`,
  )
}

const BOOKKEEPING = '_prisma_migrations'

export async function readDatabaseFacts(db: Sql): Promise<DatabaseFacts> {
  const { rows } = await db.query<Omit<DatabaseFacts, 'migrations'>>(`
    select
      current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding,
      current_database() as database,
      -- Without those of extensions (PostGIS has some), which come with the database.
      array(
        select relname::text from pg_class
        where relnamespace = to_regnamespace(current_schema()::text) and relkind in ('r', 'p', 'f') and not relispartition
          and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'e')
        order by relname
      ) as tables`)
  const [facts] = rows
  if (!facts) throw new Error('the database did not say what it holds')
  return { ...facts, migrations: facts.tables.includes(BOOKKEEPING) ? await appliedMigrations(db) : [] }
}

async function appliedMigrations(db: Sql): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select migration_name as name from _prisma_migrations')
  return rows.map(({ name }) => name)
}
