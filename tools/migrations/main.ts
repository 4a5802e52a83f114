// `npm run db:migration <name>`: writes the next migration. Needs a PostgreSQL for a moment: DATABASE_URL's server, or one of its own.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runAlone } from '../commands/command.ts'
import { startPostgres } from '../launcher/embedded-postgres.ts'
import { checkMigrationName } from './migration-name.ts'

const HELP = `npm run db:migration <name>

Writes the difference between prisma/schema.prisma and the migrations there are as the next migration.
<name> is in lower case and joined by _, as add_votes.
`

await runAlone('db:migration', {
  help: HELP,
  arguments: ['name'],
  async run([given]) {
    const name = checkMigrationName(given)
    // Loaded only now: Prisma's engine is large.
    const { writeMigration } = await import('./write-migration.ts')
    const written = await withServer((url) => writeMigration(name, { url }))
    process.stdout.write(
      written
        ? `${path.relative(process.cwd(), written)}/migration.sql is written: read it before you commit it\n`
        : 'the migrations already lead to prisma/schema.prisma: nothing to write\n',
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
