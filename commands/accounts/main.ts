// `npm run accounts -- <command>`: the way in for the first administrator, and for owners who have lost
// their second factor.
import { createLog } from '../../src/platform/observability/log.ts'
import { CommandError, defineCommand, runProgram } from '../command.ts'
import { findDatabaseUrl, withPool } from '../database.ts'
import { defineSubcommands } from '../subcommands.ts'

const ACCOUNT = 'e-mail address or account id'

const noSuchAccount = (account: string) => new CommandError(`there is no account with the address or id ${account}`)
/** Loaded only when a command runs. */
const loadFeature = () => import('../../src/features/accounts/index.ts')

const setupCode = defineCommand({
  help: `npm run accounts -- setup-code <${ACCOUNT}>

Prints a code. An administrator or moderator who has no second factor yet enters it at /account/second-factor to set one up.
The code is valid for this account only, until a second factor is set up, at most for an hour. It replaces an earlier code.
Administrators see the ids of accounts at /admin/users.
`,
  arguments: [ACCOUNT],
  run: ([account]) =>
    withPool(async (pool) => {
      const { createSetupCode, SETUP_CODE_MINUTES } = await loadFeature()
      const code = await createSetupCode(pool, account)
      if (!code) throw noSuchAccount(account)
      process.stdout.write(`${code}\nEnter it at /account/second-factor within ${SETUP_CODE_MINUTES} minutes.\n`)
      return 0
    }),
})

const removeSecondFactor = defineCommand({
  help: `npm run accounts -- remove-second-factor <${ACCOUNT}>

Removes the passkeys, one-time codes and recovery codes of an account whose owner has lost them, ends its sessions, and
mails the owner. Before you run it, make sure that the request comes from the owner: afterwards the password alone, or a login
through another platform alone, is enough. An account with such a login may have no address: administrators see its id at
/admin/users.
`,
  arguments: [ACCOUNT],
  run: ([account]) =>
    withPool(async (pool, settings) => {
      const { removeSecondFactor } = await loadFeature()
      const { openJobs } = await import('../../src/platform/queue/jobs.ts')
      const url = findDatabaseUrl(settings)
      const jobs = await openJobs({ url, log: createLog('accounts', 'silent'), applicationName: 'command' })
      try {
        if (!(await removeSecondFactor({ pool, jobs }, account)))
          throw new CommandError(`there is no account with the address or id ${account} and a second factor`)
        process.stdout.write('The second factor was removed, and all sessions of the account have ended.\n')
        return 0
      } finally {
        await jobs.stop()
      }
    }),
})

const HELP = `npm run accounts -- <command>

  setup-code <account>            prints a code with which an administrator or moderator sets up a second factor
  remove-second-factor <account>  removes the second factor of an owner who has lost it

<account> is the account's e-mail address or id. The command works on the database of DATABASE_URL or, without it, on that
of the running \`npm start\`.
`

const commands = new Map([
  ['setup-code', setupCode],
  ['remove-second-factor', removeSecondFactor],
])

await runProgram('accounts', defineSubcommands({ help: HELP, commands }))
