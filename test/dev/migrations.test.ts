// Compares migrations with the schema, and tests `npm run db:migration`, which writes the next one.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  deployAsPrisma,
  diagnoseHistory,
  diffToSchema,
  MIGRATIONS_FOLDER,
  migrationNames,
} from '../../dev/migrations/engine.ts'
import { checkMigrationName } from '../../dev/migrations/migration-name.ts'
import { addMigration, EMPTY_MIGRATION, writeMigration } from '../../dev/migrations/write-migration.ts'
import { createTestDatabase } from '../support/database.ts'

const SCHEMA = path.resolve(MIGRATIONS_FOLDER, '../schema.prisma')
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-migrations-'))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

function schemaWith(edit: (schema: string) => string): string {
  const file = path.join(fs.mkdtempSync(path.join(scratch, 'schema-')), 'schema.prisma')
  const schema = fs.readFileSync(SCHEMA, 'utf8')
  const edited = edit(schema)
  expect(edited).not.toBe(schema)
  fs.writeFileSync(file, edited)
  return file
}

function copyOfMigrations(): string {
  const folder = fs.mkdtempSync(path.join(scratch, 'migrations-'))
  fs.cpSync(MIGRATIONS_FOLDER, folder, { recursive: true })
  return folder
}

describe('the migrations', () => {
  it('produce exactly schema.prisma', async () => {
    const { url } = await createTestDatabase()
    expect(await diffToSchema({ url })).toBe('')
  })

  it.each([
    ['a column', (schema: string) => schema.replace('ownerId     String? ', 'colour String?\n  ownerId     String? ')],
    [
      'a default',
      (schema: string) => schema.replace('@default("") @map("chat_url")', '@default("x") @map("chat_url")'),
    ],
    ['an index', (schema: string) => schema.replace('  @@index([ownerId])\n', '')],
    ['the condition of a partial index', (schema: string) => schema.replace('deleted_at IS NULL', 'owner_id IS NULL')],
    ['a column of the partitioned table', (schema: string) => schema.replace('players    Int?', 'players    Int')],
  ])('without %s differ from the schema', async (_what, edit) => {
    const { url } = await createTestDatabase()
    expect(await diffToSchema({ url, schemaFile: schemaWith(edit) })).not.toBe('')
  })

  it('leave nothing to do for Prisma’s own tools', async () => {
    const { url } = await createTestDatabase()
    expect(await diagnoseHistory({ url })).toEqual({
      history: null,
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
    })
    expect(await deployAsPrisma({ url })).toEqual([])
  })
})

describe('db:migration', () => {
  it('writes the difference as the next migration, after which there is none', async () => {
    const { url, pool } = await createTestDatabase()
    const migrationsFolder = copyOfMigrations()
    const schemaFile = schemaWith((schema) => `${schema}\nmodel Probe {\n  id Int @id\n  @@map("probes")\n}\n`)
    const numbers = fs.readdirSync(migrationsFolder).map((name) => Number.parseInt(name, 10))
    const next = String(Math.max(...numbers.filter(Number.isInteger)) + 1).padStart(4, '0')

    const written = await writeMigration('add_probes', { url, migrationsFolder, schemaFile })

    expect(written).toBe(path.join(migrationsFolder, `${next}_add_probes`))
    expect(fs.readFileSync(path.join(written ?? '', 'migration.sql'), 'utf8')).toContain('CREATE TABLE "probes"')
    expect(await writeMigration('again', { url, migrationsFolder, schemaFile })).toBeNull()
    const { rows } = await pool.query(`select to_regclass('probes') as here`)
    expect(rows).toEqual([{ here: null }]) // the command tries it in another database
  })

  it('writes an empty migration where the schema does not differ, for a trigger or a change of rows', async () => {
    const { url } = await createTestDatabase()
    const migrationsFolder = copyOfMigrations()
    const written = addMigration('add_trigger', EMPTY_MIGRATION, { migrationsFolder })
    expect(path.basename(written)).toMatch(/^\d{4}_add_trigger$/)
    expect(migrationNames(migrationsFolder).at(-1)).toBe(path.basename(written))
    expect(await writeMigration('next', { url, migrationsFolder })).toBeNull()
  })

  it('leaves no shadow database behind, also when a migration fails', async () => {
    const { url, pool } = await createTestDatabase()
    const migrationsFolder = copyOfMigrations()
    fs.mkdirSync(path.join(migrationsFolder, '9999_wrong'))
    fs.writeFileSync(path.join(migrationsFolder, '9999_wrong/migration.sql'), 'alter table nowhere add column x int;\n')
    await expect(writeMigration('next', { url, migrationsFolder })).rejects.toThrow('9999_wrong')
    const { rows } = await pool.query(`select datname from pg_database where datname like 'shadow_%'`)
    expect(rows).toEqual([])
  })

  it.each([undefined, '', 'Add', '../up', 'a b', '_x'])('refuses the name %j', (name) => {
    expect(() => checkMigrationName(name)).toThrow('a migration’s name must be lower-case words joined by _')
  })
})
