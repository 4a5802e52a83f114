// `npm run db:migration <name>`: writes the next migration. Needs PostgreSQL: the server of DATABASE_URL, or a
// temporary one.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runStandalone } from '../../commands/command.ts'
import { startPostgres } from '../../commands/start/embedded-postgres.ts'
import { checkMigrationName } from './migration-name.ts'

const HELP = `npm run db:migration <name>

Writes the difference between the existing migrations and prisma/schema.prisma as the next migration.
<name> consists of lower-case words joined by _, for example add_votes.
`

await runStandalone('db:migration', {
  help: HELP,
  arguments: ['name'],
  async run([given]) {
    const name = checkMigrationName(given)
    // Imported late, because Prisma's engine is large.
    const { writeMigration } = await import('./write-migration.ts')
    const written = await withServer((url) => writeMigration(name, { url }))
    process.stdout.write(
      written
        ? `${path.relative(process.cwd(), written)}/migration.sql written. Review it before you commit it\n`
        : 'the migrations already match prisma/schema.prisma: nothing to write\n',
    )
    return 0
  },
})

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
