// The first run of a source on an empty directory: how long until all servers are listed and polled, and what the API,
// the worker's memory and the database pay meanwhile.
import fs from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../commands/start/ports.ts'
import { loopbackAddress } from '../simulator/fleet.ts'
import { p99 } from './cold-queries.ts'
import { type Bench, startHelper, startProduct } from './processes.ts'
import { atMost, type Finding, figure } from './report.ts'
import type { Target } from './seed.ts'

/** A Linux process can open about 20,000 sockets by default, so several processes simulate the fleet. */
const PER_PROCESS = 15_000
const INTERVAL_SECONDS = 60
const KEY = 'a key of the benchmark'
const IDLE_SECONDS = 20
/** Far above the target, so that a miss is measured. */
const MAX_SECONDS = 1_800
/** Requests of the hot page, as visitors send them: each on its time, whether or not others wait. */
const PAUSE_MS = 5

/** @param answering how many of the servers answer; the source also has the others */
export async function benchDiscovery(bench: Bench, count: number, answering = count): Promise<Finding[]> {
  const fleets = []
  for (let first = 0; first < answering; first += PER_PROCESS)
    fleets.push(
      await startHelper<Target[]>('dev/simulator/main.ts', [
        ...['--count', String(Math.min(PER_PROCESS, answering - first))],
        ...['--first', String(first)],
      ]),
    )
  const silent = Array.from({ length: count - answering }, (_, n) => ({
    name: `Silent server ${n}`,
    ipAddress: loopbackAddress(answering + n),
    queryPort: 27_015,
  }))
  const targets = [...fleets.flatMap((fleet) => fleet.first), ...silent]
  const steam = await startHelper<string>('dev/bench/steam.ts', [], { key: KEY, targets })

  const port = await freePort()
  const api = await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port)
  const page = `http://127.0.0.1:${port}/api/public/servers?limit=20`
  const workerPort = await freePort()
  const from = performance.now()
  const seconds = () => (performance.now() - from) / 1000
  const worker = await startProduct(
    'worker',
    {
      DATABASE_URL: bench.url,
      WORKER_PORT: String(workerPort),
      POLL_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
      LOG_LEVEL: 'warn',
      DISCOVER: 'steam:rust',
      STEAM_WEB_API_KEY: KEY,
      STEAM_API_BASE_URL: steam.first,
    },
    workerPort,
  )
  await bench.pool.query(
    `insert into discovery_sources (source, next_run_at) values ('steam:rust', now())
     on conflict (source) do update set next_run_at = now()`,
  )
  const during: number[] = []
  let firstListed: number | undefined
  let allListed: number | undefined
  for (;;) {
    during.push(...(await timesFor(page, 1)))
    const { listed, polled } = await progress(bench)
    if (listed > 0) firstListed ??= seconds()
    if (listed === count) allListed ??= seconds()
    if (polled === count) break
    if (seconds() > MAX_SECONDS) throw new Error(`${listed} listed, ${polled} polled after ${MAX_SECONDS} s`)
  }
  const allPolled = seconds()
  const overdue = await overduePolls(bench)
  const peak = peakMegabytes(worker.child.pid)
  const changed = async () =>
    (await bench.pool.query<{ changes: string }>('select max(changed_in)::text as changes from servers')).rows[0]
      ?.changes
  const before = await changed()
  const runFrom = performance.now()
  await bench.pool.query(`update discovery_sources set next_run_at = now(), finished_at = null`)
  while (!(await finished(bench))) await sleep(250)
  const secondRun = (performance.now() - runFrom) / 1000
  const after = await changed()
  const requests = await steam.ask<number>({})
  const polling = await timesFor(page, IDLE_SECONDS)
  await worker.stop()
  await timesFor(page, 2)
  const idle = await timesFor(page, IDLE_SECONDS)
  const apiMegabytes = peakMegabytes(api.child.pid)
  await api.stop()
  await Promise.all([...fleets, steam].map((helper) => helper.stop()))

  return [
    figure('servers in the source', count),
    ...(answering < count ? [figure('of them answer', answering)] : []),
    figure('first ones listed, start of the worker included', firstListed ?? Number.NaN, 's'),
    figure('all listed', allListed ?? Number.NaN, 's'),
    atMost('all listed and polled', allPolled, 600, 's'),
    figure('polls overdue by more than an interval then', overdue),
    figure('hot list page, 200 requests a second: p99 meanwhile', p99(during), 'ms'),
    figure('p99 later, while all are polled once a minute', p99(polling), 'ms'),
    figure('p99 with the worker stopped', p99(idle), 'ms'),
    atMost('ratio of p99 meanwhile and later', p99(during) / p99(polling), 3),
    figure('memory of the worker, at most', peak, 'MB'),
    figure('memory of the API process, at most', apiMegabytes, 'MB'),
    figure('a second run, which finds nothing new, with the wait for its minute', secondRun, 's'),
    atMost('listings that it wrote', before === after ? 0 : 1, 0),
    figure('questions to Steam, both runs', requests),
  ]
}

/** @returns milliseconds of each request */
async function timesFor(url: string, seconds: number): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 })
  const sent: Promise<number>[] = []
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    sent.push(timeOf(url, agent))
    await sleep(PAUSE_MS)
  }
  const times = await Promise.all(sent)
  agent.destroy()
  return times
}

function timeOf(url: string, agent: http.Agent): Promise<number> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - from))
    })
    request.on('error', reject)
  })
}

async function progress({ pool }: Bench): Promise<{ listed: number; polled: number }> {
  const { rows } = await pool.query<{ listed: number; polled: number }>(
    'select count(*) as listed, count(last_polled_at) as polled from server_status',
  )
  return rows[0] ?? { listed: 0, polled: 0 }
}

async function overduePolls({ pool }: Bench): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) as count from server_polls where next_poll_at < now() - make_interval(secs => $1)',
    [INTERVAL_SECONDS],
  )
  return rows[0]?.count ?? Number.NaN
}

async function finished({ pool }: Bench): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from discovery_sources where finished_at is not null and started_at < finished_at',
  )
  return rowCount === 1
}

/** NaN without /proc. */
function peakMegabytes(pid: number | undefined): number {
  const file = `/proc/${pid}/status`
  const kilobytes = fs.existsSync(file) ? /^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(file, 'utf8'))?.[1] : undefined
  return Math.round(Number(kilobytes ?? Number.NaN) / 1024)
}
