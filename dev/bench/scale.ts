// Growth: memory, time to ready, the hot list page and cold queries of one API process at several directory sizes; and
// at the largest, how late changes are shown while all servers are polled once a minute.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../commands/start/ports.ts'
import { applyResults, type PollingDeps, pollRules } from '../../src/features/polling/index.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { coldPerSecond, coldTimes, p99 } from './cold-queries.ts'
import { loadListPage } from './list-page.ts'
import type { WriterOptions } from './poll-writer.ts'
import { type Bench, type Started, startHelper, startProduct } from './processes.ts'
import { atLeast, atMost, type Finding, figure, median, ratio } from './report.ts'
import { seedDirectory } from './seed.ts'

/** The most that is allowed; sizes without a line are only measured. */
const BOUNDS: Record<number, { megabytes: number; readySeconds: number; coldP99Ms?: number }> = {
  100000: { megabytes: 450, readySeconds: 5 },
  1000000: { megabytes: 2_200, readySeconds: 40, coldP99Ms: 50 },
}
const CHANGES_PER_SECOND = 16_000
const WRITE_SECONDS = 60
const PROBES = 200

export async function benchScale(bench: Bench, sizes: number[]): Promise<Finding[]> {
  const findings: Finding[] = []
  const measured: { size: number; megabytes: number; msPerQuery: number; hotOfBare: number }[] = []
  for (const size of sizes) {
    await seedDirectory(bench.pool, size)
    const port = await freePort()
    const api = await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port)
    const perSecond = await coldPerSecond(bench, port, size)
    const megabytes = await residentMegabytes(port)
    const cold = p99(await coldTimes(bench, port, size + 1))
    const { ours, bare } = await loadListPage(api, port)
    // Sizes are measured minutes apart, in which the machine's speed changes.
    const hotOfBare = ratio(ours, bare, (ours, bare) => ours.microsEach / bare.microsEach)
    measured.push({ size, megabytes, msPerQuery: 1000 / perSecond, hotOfBare })
    const at = `${size.toLocaleString('en')} servers`
    const limited = (what: string, value: number, bound: number | undefined, unit: string) =>
      bound === undefined ? figure(`${at}: ${what}`, value, unit) : atMost(`${at}: ${what}`, value, bound, unit)
    const bounds = BOUNDS[size]
    findings.push(
      limited('memory after 12,000 cold queries', megabytes, bounds?.megabytes, 'MB'),
      limited('start to ready', api.readyAfterMs / 1000, bounds?.readySeconds, 's'),
      figure(`${at}: cold queries`, perSecond, 'requests/s'),
      limited('cold queries one after the other, p99', cold, bounds?.coldP99Ms, 'ms'),
      figure(`${at}: hot list page`, median(ours.map(({ perSecond }) => perSecond)), 'requests/s'),
      figure(`${at}: hot list page, CPU time`, median(ours.map(({ microsEach }) => microsEach)), 'µs'),
      figure(`${at}: CPU time of the hot list page ÷ that of a bare server`, hotOfBare),
    )
    if (size === sizes.at(-1)) findings.push(...(await changesUnderLoad(bench, api, port, at)))
    await api.stop()
  }
  const [small, large] = [measured[0], measured.at(-1)]
  if (small && large && large !== small) {
    const growth = large.size / small.size
    findings.push(
      atMost(`memory ×, directory × ${growth}`, large.megabytes / small.megabytes, growth),
      atMost(`cost of a cold query ×, directory × ${growth}`, large.msPerQuery / small.msPerQuery, growth),
    )
  }
  const usual = measured.find(({ size }) => size === 100_000)
  if (usual && large && large !== usual)
    findings.push(
      atMost('CPU time of the hot list page, the largest to 100,000', large.hotOfBare / usual.hotOfBare, 1.1),
    )
  return findings
}

/**
 * Writes results of all servers, and one more whose players a client watches: from its commit to the
 * reply that shows it.
 */
async function changesUnderLoad(bench: Bench, api: Started, port: number, at: string): Promise<Finding[]> {
  const { rows } = await bench.pool.query<{ id: string }>('select id from servers order by md5(id::text)')
  const [watched = '', ...serverIds] = rows.map(({ id }) => id)
  const order: WriterOptions = { url: bench.url, serverIds, perSecond: CHANGES_PER_SECOND }
  const writer = await startHelper<'started'>('dev/bench/poll-writer.ts', [], order)
  await sleep(5_000) // the history’s first rows, and the API’s first changes
  const [written, from, cpu] = [await writer.ask<number>('count'), performance.now(), api.cpuMicros()]
  const lags: number[] = []
  const jobs = await openJobs({ url: bench.url, applicationName: 'bench', log: createLog('bench', 'error') })
  const deps = { pool: bench.pool, jobs, settings: { JUST_WIPED_DAYS: 7 } }
  for (let probe = 1; probe <= PROBES; probe++) {
    await sleep(Math.max(0, (probe * WRITE_SECONDS * 1000) / PROBES - (performance.now() - from)))
    lags.push(await lagOfChange(deps, port, watched, probe))
  }
  const seconds = (performance.now() - from) / 1000
  const changes = (await writer.ask<number>('count')) - written
  const apiMicros = (api.cpuMicros() - cpu) / changes
  await writer.stop()
  await jobs.stop()
  return [
    atLeast(`${at}: results written, as asked for`, changes / seconds, CHANGES_PER_SECOND * 0.98, 'servers/s'),
    figure(`${at}: CPU time of the API for each`, apiMicros, 'µs'),
    figure(`${at}: a change is shown after its commit, median`, median(lags), 'ms'),
    atMost(`${at}: a change is shown after its commit, p99`, p99(lags), 2_000, 'ms'),
  ]
}

/** @returns milliseconds from the commit of the server's next result to the reply that shows it */
async function lagOfChange(deps: PollingDeps, port: number, serverId: string, cycle: number): Promise<number> {
  const seen = {
    serverId,
    cycle,
    answered: true as const,
    players: cycle,
    maxPlayers: 1_000,
    map: '',
    bots: 0,
    hasPassword: null,
    version: '',
  }
  await applyResults(deps, [seen], pollRules({ POLL_INTERVAL_SECONDS: 60 }))
  const from = performance.now()
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/api/servers/${serverId}`)
    const { currentPlayers } = (await response.json()) as { currentPlayers: number }
    if (currentPlayers === cycle) return performance.now() - from
    if (performance.now() - from > 60_000) throw new Error(`result ${cycle} is not shown after a minute`)
    await sleep(5)
  }
}

async function residentMegabytes(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1e6
}
