// Prisma's schema engine as WebAssembly: compares migrations, schema.prisma and a database.
import fs from 'node:fs'
import path from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { type DiagnoseMigrationHistoryOutput, type MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import { openConnections } from './adapter.ts'

const PRISMA = path.resolve(import.meta.dirname, '../../prisma')
export const MIGRATIONS_FOLDER = path.join(PRISMA, 'migrations')
const filters = { externalTables: [], externalEnums: [] }

// The engine reports panics through this global; without it a panic would be hidden by a TypeError.
Object.assign(globalThis, {
  PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => process.stderr.write(`schema engine: ${message}\n`) },
})

export interface Sources {
  /** A PostgreSQL server. Its databases are not changed; a shadow database is created and dropped. */
  url: string
  schemaFile?: string
  migrationsFolder?: string
}

/**
 * SQL that leads from the migrations on disk to schema.prisma; empty if they match.
 * @throws an error naming the invalid migration or the line of the schema
 */
export async function diffToSchema(sources: Sources): Promise<string> {
  return await withEngine(sources, async (engine, schema) => {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...readMigrations(sources) },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters,
    })
    const sql = stdout?.trim() ?? ''
    return sql === '-- This is an empty migration.' ? '' : `${sql}\n`
  })
}

/** How Prisma's own tools read a database's `_prisma_migrations`. */
export async function diagnoseHistory(sources: Sources): Promise<DiagnoseMigrationHistoryOutput> {
  return await withEngine(sources, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList: readMigrations(sources), optInToShadowDatabase: false, filters }),
  )
}

/** Applies the migrations that Prisma's `migrate deploy` would. @returns their names */
export async function deployAsPrisma(sources: Sources): Promise<string[]> {
  return await withEngine(sources, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: readMigrations(sources), filters })
    return appliedMigrationNames
  })
}

type SchemaFile = { path: string; content: string }

async function withEngine<T>(
  { url, schemaFile = path.join(PRISMA, 'schema.prisma') }: Sources,
  work: (engine: SchemaEngine, schema: SchemaFile) => Promise<T>,
): Promise<T> {
  const schema = { path: 'schema.prisma', content: fs.readFileSync(schemaFile, 'utf8') }
  const connections = openConnections(url)
  try {
    const engine = await SchemaEngine.new(
      { datamodels: [[schema.path, schema.content]] },
      () => {}, // its log; errors are thrown
      bindMigrationAwareSqlAdapterFactory(connections.factory),
    )
    try {
      return await work(engine, schema)
    } finally {
      engine.free()
    }
  } catch (cause) {
    // The engine throws plain objects.
    throw new Error((cause as Error).message.trim(), { cause })
  } finally {
    await connections.close()
  }
}

/** The engine reads no files itself. */
function readMigrations({ migrationsFolder = MIGRATIONS_FOLDER }: Sources): MigrationList {
  const names = migrationNames(migrationsFolder)
  return {
    baseDir: migrationsFolder,
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: fs.readFileSync(path.join(migrationsFolder, name, 'migration.sql'), 'utf8') },
      },
    })),
  }
}

/** @returns names of the migrations in a folder, oldest first */
export function migrationNames(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
