// `npm run dashboard`: the queue board, on its own port behind a password.
import { randomBytes } from 'node:crypto'
import { readSettings, SettingsError } from '../../src/platform/config/settings.ts'
import { createStopListener } from '../../src/platform/processes/stop.ts'
import { CommandError, runAlone } from '../commands/command.ts'
import { findDatabaseUrl, openDatabase } from '../commands/database.ts'
import { type Board, startBoard, USER } from './board.ts'

async function start(): Promise<Board> {
  const settings = readSettings(process.env)
  const { HOST: host, DASHBOARD_PORT: port, DASHBOARD_PASSWORD, NODE_ENV } = settings
  if (!DASHBOARD_PASSWORD && NODE_ENV === 'production')
    throw new SettingsError('bad setting: DASHBOARD_PASSWORD is needed in production')
  const password = DASHBOARD_PASSWORD ?? randomBytes(12).toString('base64url')
  const pool = await openDatabase(settings) // reports problems with the database before the board would
  await pool.end()
  const board = await openBoard({ databaseUrl: findDatabaseUrl(settings), host, port, password })
  process.stdout.write(`queue board: http://${host.includes(':') ? `[${host}]` : host}:${board.port}\nuser: ${USER}\n`)
  if (!DASHBOARD_PASSWORD)
    process.stdout.write(`password: ${password} (valid until the board stops; set DASHBOARD_PASSWORD to choose one)\n`)
  return board
}

/** @throws CommandError naming the setting if the port can't be used */
async function openBoard(options: Parameters<typeof startBoard>[0]): Promise<Board> {
  return await startBoard(options).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES') throw cause
    const why = cause.code === 'EACCES' ? 'may not be used by this user' : 'is in use'
    throw new CommandError(`port ${options.port} ${why}: set DASHBOARD_PORT to another`, 1, cause)
  })
}

const HELP = `npm run dashboard

Serves the queue board on DASHBOARD_PORT to users with DASHBOARD_PASSWORD. Stop it with Ctrl-C.
The database is DATABASE_URL, or that of the running \`npm start\`.
`

await runAlone('dashboard', {
  help: HELP,
  async run() {
    const board = await start()
    const listener = createStopListener(() => void board.stop().then(() => process.exit(0)))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, listener)
    return 0
  },
})
