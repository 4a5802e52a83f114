// `npm run db:migration <name>`: writes the next migration. Needs PostgreSQL: the server of DATABASE_URL, or a
// temporary one.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { defineCommand, runProgram } from '../../commands/command.ts'
import { startPostgres } from '../../commands/start/embedded-postgres.ts'
import { checkMigrationName } from './migration-name.ts'

const HELP = `npm run db:migration <name> [-- --empty]

Writes the difference between the existing migrations and prisma/schema.prisma as the next migration.
<name> consists of lower-case words joined by _, for example add_votes.

  --empty  writes an empty migration instead, for what the schema can’t express: a trigger, a function, a check,
           a change of rows
`

const command = defineCommand({
  help: HELP,
  arguments: ['name'],
  options: { empty: { type: 'boolean' } },
  async run([given], { empty }) {
    const name = checkMigrationName(given)
    // Imported late, because Prisma's engine is large.
    const { addMigration, EMPTY_MIGRATION, writeMigration } = await import('./write-migration.ts')
    const written = empty
      ? addMigration(name, EMPTY_MIGRATION)
      : await withServer((url) => writeMigration(name, { url }))
    process.stdout.write(
      written
        ? `${path.relative(process.cwd(), written)}/migration.sql written. Review it before you commit it\n`
        : 'the migrations already match prisma/schema.prisma: nothing to write; `-- --empty` writes an empty one\n',
    )
    return 0
  },
})

await runProgram('db:migration', command)

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
