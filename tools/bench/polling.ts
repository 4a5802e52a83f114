// The poller, with its claims and writes, against a bare gamedig loop on the same simulated servers.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../launcher/ports.ts'
import { type Bench, startHelper, startProduct } from './processes.ts'
import { atLeast, atMost, compared, type Finding, figure, type Rate } from './report.ts'
import { type Target, writeTargets } from './seed.ts'

/** A Linux process can open about 20,000 sockets by default, so several processes simulate the fleet. */
const PER_PROCESS = 15_000
const BARE_SAMPLE = 20_000

export async function benchPolling(bench: Bench, count: number): Promise<Finding[]> {
  const fleets = []
  for (let first = 0; first < count; first += PER_PROCESS) {
    const size = Math.min(PER_PROCESS, count - first)
    const args = ['--count', String(size), '--first', String(first)]
    fleets.push(await startHelper<Target[]>('tools/simulator/main.ts', args))
  }
  const targets = fleets.flatMap((fleet) => fleet.first)
  await writeTargets(bench.pool, targets)

  const bare = await startHelper<Rate>('tools/bench/bare-poll.ts', [], targets.slice(0, BARE_SAMPLE))
  await bare.stop()

  const port = await freePort()
  const spawnedAt = performance.now()
  const starting = startProduct(
    'worker',
    { DATABASE_URL: bench.url, WORKER_PORT: String(port), POLL_INTERVAL_SECONDS: '60', LOG_LEVEL: 'warn' },
    port,
  )
  await until(bench, 'select exists (select from server_polls where cycle > 0) as done')
  const firstClaimAt = performance.now()
  const worker = await starting
  await until(bench, 'select count(*) >= $1 as done from server_status where last_polled_at is not null', [count])
  const secondsSince = (at: number) => (performance.now() - at) / 1000
  const [seconds, secondsWithStart] = [secondsSince(firstClaimAt), secondsSince(spawnedAt)]
  const cpuMicros = worker.cpuMicros()
  await worker.stop()
  const { rows } = await bench.pool.query<{ offline: number; history: number }>(
    `select (select count(*) from server_status where last_polled_at is not null and not is_online) as offline,
            (select count(*) from player_history_recent) as history`,
  )
  await Promise.all(fleets.map((fleet) => fleet.stop()))
  const perSecond = count / seconds
  return [
    figure('simulated servers', count),
    ...compared(
      ['bare gamedig loop, 50 at once', [bare.first]],
      [
        'worker, from its first claim: claims, queries, writes; CPU time with its start',
        [{ perSecond, microsEach: cpuMicros / count }],
      ],
      'servers',
      0.6,
    ),
    atMost('all refreshed, start of the worker included', secondsWithStart, 60, 's'),
    atMost('shown offline', rows[0]?.offline ?? Number.NaN, 0),
    atLeast('servers with history', rows[0]?.history ?? 0, count),
  ]
}

/** Polls often, because the delay counts as the worker's time; each check costs the database a few milliseconds. */
async function until({ pool }: Bench, question: string, values: unknown[] = []): Promise<void> {
  const deadline = performance.now() + 600_000
  while (!(await pool.query<{ done: boolean }>(question, values)).rows[0]?.done) {
    if (performance.now() > deadline) throw new Error(`not true within ten minutes: ${question}`)
    await sleep(100)
  }
}
