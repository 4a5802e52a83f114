// `npm run adopt`: tells a restored database that it is the installation from now on, so that its worker reaches out again.
import { readSettings } from '../../src/platform/config/settings.ts'
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { reasonOf } from '../commands/command.ts'
import { openDatabase } from '../commands/database.ts'

async function adopt(): Promise<void> {
  const pool = await openDatabase(readSettings(process.env))
  try {
    const adopted = await adoptInstallation(pool)
    process.stdout.write(
      adopted
        ? 'adopted: mails, webhooks and payments of this database go out from now on\n'
        : 'nothing to do: this database is the installation already\n',
    )
  } finally {
    await pool.end()
  }
}

try {
  await adopt()
} catch (error) {
  process.stderr.write(`adopt: ${reasonOf(error)}\n`)
  process.exitCode = 1
}
