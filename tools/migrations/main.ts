// `npm run db:migration <name>`: writes the next migration. Needs a PostgreSQL for a moment: DATABASE_URL's server, or one of its own.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '../launcher/embedded-postgres.ts'
import { messageOf } from '../launcher/postgres-error.ts'
import { checkMigrationName, writeMigration } from './write-migration.ts'

try {
  const name = checkMigrationName(process.argv[2])
  const written = await withServer((url) => writeMigration(name, { url }))
  process.stdout.write(
    written
      ? `${path.relative(process.cwd(), written)}/migration.sql is written: read it before you commit it\n`
      : 'the migrations already lead to prisma/schema.prisma: nothing to write\n',
  )
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}

async function withServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  if (process.env.DATABASE_URL) return await work(process.env.DATABASE_URL)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-migration-'))
  try {
    const postgres = await startPostgres({ folder, database: 'migration', settings: { fsync: 'off' } })
    try {
      return await work(postgres.url())
    } finally {
      await postgres.stop()
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
