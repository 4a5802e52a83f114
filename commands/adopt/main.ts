// `npm run adopt`: declares a restored database the installation, so that its worker sends and charges again.
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { defineCommand, runProgram } from '../command.ts'
import { withPool } from '../database.ts'

const adopt = () =>
  withPool(async (pool) => {
    const adopted = await adoptInstallation(pool)
    process.stdout.write(
      adopted
        ? 'adopted: this database sends mails and webhooks and takes payments from now on\n'
        : 'nothing to do: this database is already the installation\n',
    )
    return 0
  })

const HELP = `npm run adopt

Lets a restored copy of the database replace the original: from then on the copy sends mails and webhooks and takes payments,
which it does not do before. Stop using the original first: otherwise both send and charge.

The command works on the database of DATABASE_URL or, without it, on that of the running \`npm start\`.
`

await runProgram('adopt', defineCommand({ help: HELP, run: adopt }))
