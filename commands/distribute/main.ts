// `npm run distribute`: puts player history on the nodes of a Citus cluster, or brings it back to the coordinator.
import {
  type Citus,
  distributeHistory,
  HISTORY_TABLES,
  type MovedTable,
  readCitus,
  sizeOfTable,
} from '../../src/features/history/index.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { CommandError, defineCommand, runProgram } from '../command.ts'
import { withPool } from '../database.ts'

/** The first with everything that the product needs of it; tested with 13.2. */
const MIN_CITUS = 13

const distribute = ({ undo, plan }: { undo: boolean; plan: boolean }) =>
  withPool(async (pool) => {
    const citus = await readCitus(pool)
    if (!citus) throw new CommandError('the database has no Citus: run `create extension citus` on it and on each node')
    await requireReady(pool, citus)
    const names = citus.nodes.map(({ address }) => address).join(', ')
    print(`Citus ${citus.version}, history on ${citus.nodes.length} nodes: ${names}`)
    const left = HISTORY_TABLES.filter((table) => citus.distributed.includes(table) === undo)
    if (!left.length) print(`nothing to do: player history is ${undo ? 'not distributed' : 'distributed'}`)
    for (const table of left) print(`${table}: ${megabytes(await sizeOfTable(pool, table, undo))} to copy`)
    if (plan || !left.length) return 0
    print(
      'Until the end polls wait in player_history_pending, for at most 24 hours. Live data continues.' +
        (undo ? ' Charts wait for the table that is copied.' : ' Charts continue.'),
    )
    await distributeHistory(pool, undo ? 'coordinator' : 'nodes', printMoved)
    return 0
  })

/** @throws CommandError that names what to fix */
async function requireReady(pool: Pool, { version, nodes }: Citus): Promise<void> {
  if (Number.parseInt(version, 10) < MIN_CITUS)
    throw new CommandError(`Citus ${version} is too old: update to Citus ${MIN_CITUS} or later`)
  if (!nodes.length) throw new CommandError('the cluster has no nodes: add them with citus_add_node')
  const away = nodes.filter(({ answers }) => !answers).map(({ address }) => address)
  if (away.length) throw new CommandError(`${away.join(', ')} can’t be reached from the coordinator`)
  const { rows } = await pool.query<{ level: string }>(
    `select current_setting('wal_level') as level
     union select result from run_command_on_workers($$select current_setting('wal_level')$$)`,
  )
  if (rows.some(({ level }) => level !== 'logical'))
    throw new CommandError('set wal_level = logical on the coordinator and on each node, and restart them')
}

const printMoved = ({ table, bytes, seconds }: MovedTable) =>
  print(`${table}: ${megabytes(bytes)} in ${seconds.toFixed(1)} s`)

const print = (line: string) => void process.stdout.write(`${line}\n`)

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const HELP = `npm run distribute [-- --undo] [--plan]

Distributes player history over the nodes of a Citus cluster: the history of a server is on one node, and everything else stays
on the coordinator. If the command is interrupted, run it again.

  --undo  moves the history back to the coordinator
  --plan  prints which tables would be copied, and changes nothing

The database of DATABASE_URL must be the coordinator.
`

const command = defineCommand({
  help: HELP,
  options: { undo: { type: 'boolean' }, plan: { type: 'boolean' } },
  run: (_args, { undo = false, plan = false }) => distribute({ undo, plan }),
})

await runProgram('distribute', command)
