// Writes the next migration file from the difference between the migrations on disk and schema.prisma.
import fs from 'node:fs'
import path from 'node:path'
import { diffToSchema, MIGRATIONS_FOLDER, migrationNames, type Sources } from './engine.ts'

/** For what the schema does not have: a trigger, a function, a check, a partition, or a change of rows. */
export const EMPTY_MIGRATION = '-- The statements of this migration.\n'

/** @returns the new folder, or null if the migrations already match the schema */
export async function writeMigration(name: string, sources: Sources): Promise<string | null> {
  const sql = await diffToSchema(sources)
  return sql ? addMigration(name, sql, sources) : null
}

/** Adds a migration of these statements as the next one. @returns its folder */
export function addMigration(name: string, sql: string, sources: Pick<Sources, 'migrationsFolder'> = {}): string {
  const migrations = sources.migrationsFolder ?? MIGRATIONS_FOLDER
  const newest = migrationNames(migrations).at(-1) ?? '0'
  const number = String(Number.parseInt(newest, 10) + 1).padStart(4, '0')
  const folder = path.join(migrations, `${number}_${name}`)
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'migration.sql'), sql)
  return folder
}
