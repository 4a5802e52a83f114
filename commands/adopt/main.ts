// `npm run adopt`: declares a restored database the installation, so that its worker sends and charges again.
import { readSettings } from '../../src/platform/config/settings.ts'
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { runStandalone } from '../command.ts'
import { openDatabase } from '../database.ts'

async function adopt(): Promise<number> {
  const pool = await openDatabase(readSettings(process.env))
  try {
    const adopted = await adoptInstallation(pool)
    process.stdout.write(
      adopted
        ? 'adopted: this database sends mails and webhooks and takes payments from now on\n'
        : 'nothing to do: this database is already the installation\n',
    )
    return 0
  } finally {
    await pool.end()
  }
}

const HELP = `npm run adopt

Declares a restored copy of the database the installation. Until then its worker sends and charges nothing. The database is DATABASE_URL, or that of the running \`npm start\`.
`

await runStandalone('adopt', { help: HELP, run: adopt })
