// What each further API process and worker costs the database: connections, transactions and CPU, idle and under polls.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../commands/start/ports.ts'
import { type Bench, startHelper, startProduct } from './processes.ts'
import { type Finding, figure } from './report.ts'
import { type Target, writeTargets } from './seed.ts'

const COUNTS = [1, 2, 4, 8]
const SERVERS = 2_000
/** 200 polls a second. */
const INTERVAL_SECONDS = 10
const STABILIZE_MS = 6_000
const MEASURE_MS = 20_000

/** More API processes beside one worker, then more workers beside one API process. */
export async function benchDatabase(bench: Bench): Promise<Finding[]> {
  const fleet = await startHelper<Target[]>('dev/simulator/main.ts', ['--count', String(SERVERS)])
  await writeTargets(bench.pool, fleet.first)
  const findings: Finding[] = []
  for (const [load, due] of Object.entries({ idle: '1 day', polls: '0' }))
    for (const [apis, workers] of [...COUNTS.map((n) => [n, 1]), ...COUNTS.slice(1).map((n) => [1, n])]) {
      await bench.pool.query('update server_polls set next_poll_at = now() + $1::interval', [due])
      findings.push(figure(`${load}: API processes ${apis}, workers ${workers}`, await measure(bench, apis, workers)))
    }
  await fleet.stop()
  return findings
}

async function measure(bench: Bench, apis = 1, workers = 1): Promise<string> {
  const processes = []
  for (const program of [...Array(apis).fill('api'), ...Array(workers).fill('worker')] as ('api' | 'worker')[]) {
    const port = await freePort()
    const env = {
      DATABASE_URL: bench.url,
      [program === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
      POLL_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
      LOG_LEVEL: 'error',
    }
    processes.push(await startProduct(program, env, port))
  }
  await sleep(STABILIZE_MS)
  const before = await stateOf(bench)
  await sleep(MEASURE_MS)
  const after = await stateOf(bench)
  await Promise.all(processes.map((process) => process.stop()))
  const rate = (what: 'transactions' | 'cpuMs' | 'polls') =>
    Math.round((after[what] - before[what]) / ((after.at - before.at) / 1_000))
  return `${after.connections} connections, ${rate('transactions')} transactions/s, ${rate('cpuMs')} ms of CPU/s, ${rate('polls')} polls/s`
}

async function stateOf({ pool, databaseCpuMicros }: Bench) {
  const { rows } = await pool.query<{ connections: number; transactions: number; polls: number }>(
    `select xact_commit + xact_rollback as transactions, (select sum(cycle)::bigint from server_polls) as polls,
       (select count(*) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and application_name <> 'bench') as connections
     from pg_stat_database where datname = current_database()`,
  )
  const [row] = rows
  if (!row) throw new Error('the database has no statistics')
  return { ...row, cpuMs: databaseCpuMicros() / 1_000, at: performance.now() }
}
