// `npm run adopt`: tells a restored database that it is the installation from now on, so that its worker reaches out again.
import { readSettings } from '../../src/platform/config/settings.ts'
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { runAlone } from '../commands/command.ts'
import { openDatabase } from '../commands/database.ts'

async function adopt(): Promise<number> {
  const pool = await openDatabase(readSettings(process.env))
  try {
    const adopted = await adoptInstallation(pool)
    process.stdout.write(
      adopted
        ? 'adopted: mails, webhooks and payments of this database go out from now on\n'
        : 'nothing to do: this database is the installation already\n',
    )
    return 0
  } finally {
    await pool.end()
  }
}

const HELP = `npm run adopt

Tells a restored copy of the database that it is the installation from now on: until then its worker sends nothing and
charges nobody. The database is DATABASE_URL, or that of the running \`npm start\`.
`

await runAlone('adopt', { help: HELP, run: adopt })
