// The poller, with its due servers and its writes, against a bare gamedig loop on the same simulated servers.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../commands/start/ports.ts'
import { movePendingSamples } from '../../src/features/history/index.ts'
import { type Bench, type Started, startHelper, startProduct } from './processes.ts'
import { atLeast, atMost, compareRounds, type Finding, figure, median, type Rate } from './report.ts'
import { type Target, writeTargets } from './seed.ts'

/** A Linux process can open about 20,000 sockets by default, so several processes simulate the fleet. */
const PER_PROCESS = 15_000
const BARE_SAMPLE = 30_000
const ROUNDS = 3
const HOUR_SECONDS = 3_600

export async function benchPolling(bench: Bench, count: number): Promise<Finding[]> {
  const fleets = []
  for (let first = 0; first < count; first += PER_PROCESS) {
    const size = Math.min(PER_PROCESS, count - first)
    const args = ['--count', String(size), '--first', String(first)]
    fleets.push(await startHelper<Target[]>('dev/simulator/main.ts', args))
  }
  const targets = fleets.flatMap((fleet) => fleet.first)
  await writeTargets(bench.pool, targets)
  const sample = targets.slice(0, BARE_SAMPLE)
  // The first round of each side warms it up, and the worker's is a start with every server due.
  const bare = await startHelper<Rate>('dev/bench/bare-poll.ts', [], sample)

  const port = await freePort()
  const spawnedAt = performance.now()
  const worker = await startProduct(
    'worker',
    {
      DATABASE_URL: bench.url,
      WORKER_PORT: String(port),
      POLL_INTERVAL_SECONDS: String(HOUR_SECONDS),
      LOG_LEVEL: 'warn',
    },
    port,
  )
  await until(bench, 'select not exists (select from server_status where last_polled_at is null) as done')
  const startSeconds = (performance.now() - spawnedAt) / 1000

  const theirs: Rate[] = []
  const ours: Rate[] = []
  const databaseMicros: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    theirs.push(await bare.ask<Rate>(sample))
    const before = bench.databaseCpuMicros()
    ours.push(await pollAll(bench, worker, count))
    databaseMicros.push((bench.databaseCpuMicros() - before) / count)
  }
  await Promise.all([worker.stop(), bare.stop()])
  await movePendingSamples(bench.pool)
  const { rows } = await bench.pool.query<{ offline: number; history: number }>(
    `select (select count(*) from server_status where last_polled_at is not null and not is_online) as offline,
            (select count(*) from player_history_recent) as history`,
  )
  await Promise.all(fleets.map((fleet) => fleet.stop()))
  return [
    figure('simulated servers', count),
    ...compareRounds(
      ['bare gamedig loop, 50 at once', theirs],
      ['worker, from its first claim: claims, queries, writes', ours],
      'servers',
      0.6,
      0.65,
    ),
    figure('CPU time of the database for each', median(databaseMicros), 'µs'),
    atMost('all polled for the first time, start of the worker included', startSeconds, 60, 's'),
    atMost('shown offline', rows[0]?.offline ?? Number.NaN, 0),
    atLeast('servers with history', rows[0]?.history ?? 0, count),
  ]
}

/** Makes every server due, and waits until each is polled. */
async function pollAll(bench: Bench, worker: Started, count: number): Promise<Rate> {
  const { rows } = await bench.pool.query<{ before: Date }>('select clock_timestamp() as before')
  const before = rows[0]?.before
  await bench.pool.query('update server_polls set next_poll_at = now()')
  const cpu = worker.cpuMicros()
  await until(bench, 'select exists (select from server_polls where next_poll_at > clock_timestamp()) as done')
  const from = performance.now()
  // Ends at the first server that was not polled, so that asking often costs the database little.
  await until(bench, 'select not exists (select from server_status where last_polled_at <= $1) as done', [before])
  const seconds = (performance.now() - from) / 1000
  return { perSecond: count / seconds, microsEach: (worker.cpuMicros() - cpu) / count }
}

/** Asks often, because the delay counts as the worker's time. */
async function until({ pool }: Bench, question: string, values: unknown[] = []): Promise<void> {
  const deadline = performance.now() + 600_000
  while (!(await pool.query<{ done: boolean }>(question, values)).rows[0]?.done) {
    if (performance.now() > deadline) throw new Error(`not true within ten minutes: ${question}`)
    await sleep(100)
  }
}
