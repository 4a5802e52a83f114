// The hot page: a list of 20 through the whole stack, against a bare node:http server that sends the same bytes.
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { freePort } from '../../commands/start/ports.ts'
import { type Bench, type Started, startHelper, startProduct } from './processes.ts'
import { atMost, compareRounds, type Finding, figure, median, type Rate } from './report.ts'

/**
 * Many short rounds: the neighbours of a shared machine slow it for seconds at a time, the product more than the bare
 * server.
 */
const ROUNDS = 30
const SECONDS = 1
const CONNECTIONS = 20

export async function benchListPage(bench: Bench): Promise<Finding[]> {
  const port = await freePort()
  const api = await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port)
  const { bytes, bare, ours } = await loadListPage(api, port)
  await api.stop()
  const p99 = (loads: Load[]) => median(loads.map((one) => one.p99Ms))
  return [
    figure('bytes per page', bytes),
    ...compareRounds(['bare node:http', bare], ['whole stack', ours], 'requests', 0.6, 0.65),
    figure('p99, bare and whole stack', `${p99(bare)} ms, ${p99(ours)} ms`),
    // autocannon's histogram has whole milliseconds, so half a millisecond is added for an upper bound of the ratio.
    atMost('ratio of p99', (p99(ours) + 0.5) / (p99(bare) + 0.5), 3),
  ]
}

/** Requests the hot list page, and in turn the same bytes from a bare server. */
export async function loadListPage(api: Started, port: number) {
  const url = `http://127.0.0.1:${port}/api/public/servers?limit=20`
  const body = await (await fetch(url)).text()
  const baseline = await startHelper<AddressInfo>('dev/bench/baseline-server.ts', [], { body })
  const bareUrl = `http://127.0.0.1:${baseline.first.port}/`
  await load(url, 2, api)
  await load(bareUrl, 2, baseline)
  const [ours, bare]: [Load[], Load[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await load(bareUrl, SECONDS, baseline))
    ours.push(await load(url, SECONDS, api))
  }
  await baseline.stop()
  return { bytes: body.length, bare, ours }
}

/** The server list as a page against the same list as JSON, hot and compressed as browsers ask for both. */
export async function benchSite(bench: Bench): Promise<Finding[]> {
  const port = await freePort()
  const api = await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port)
  const [json, html] = [`http://127.0.0.1:${port}/api/servers?limit=25`, `http://127.0.0.1:${port}/`]
  const headers = { 'accept-encoding': 'gzip' }
  const [ofJson, ofHtml]: [Load[], Load[]] = [[], []]
  for (const url of [json, html]) await load(url, 2, api, headers)
  for (let round = 0; round < ROUNDS; round++) {
    ofJson.push(await load(json, SECONDS, api, headers))
    ofHtml.push(await load(html, SECONDS, api, headers))
  }
  await api.stop()
  return compareRounds(['JSON', ofJson], ['page', ofHtml], 'requests', 0.5)
}

/**
 * Two API processes on one port against one, with the limits in memory and, as with any shared count, in PostgreSQL.
 */
export async function benchProcesses(bench: Bench): Promise<Finding[]> {
  const start = async (count: number, store: string) => {
    const port = await freePort()
    const api = await startProduct(
      'api',
      { DATABASE_URL: bench.url, PORT: String(port), API_PROCESSES: String(count), RATE_LIMIT_STORE: store },
      port,
    )
    await untilStarted(port, count)
    return { ...api, url: `http://127.0.0.1:${port}/api/public/servers?limit=20`, loads: [] as Load[] }
  }
  const one = await start(1, 'memory')
  const two = await start(2, 'memory')
  const twoWithPostgres = await start(2, 'postgres')
  const all = [one, two, twoWithPostgres]
  for (const api of all) await load(api.url, 2, api)
  for (let round = 0; round < ROUNDS; round++) for (const api of all) api.loads.push(await load(api.url, SECONDS, api))
  await Promise.all(all.map((api) => api.stop()))
  return [
    ...compareRounds(['one process', one.loads], ['two processes', two.loads], 'requests', 1),
    figure(
      'two processes, RATE_LIMIT_STORE=postgres',
      median(twoWithPostgres.loads.map((one) => one.perSecond)),
      'requests/s',
    ),
    figure('CPU time of each', median(twoWithPostgres.loads.map((one) => one.microsEach)), 'µs'),
  ]
}

/** Waits until the metrics have the series of all processes. */
async function untilStarted(port: number, count: number): Promise<void> {
  while (count > 1) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    if (new Set(metrics.match(/process="api \d+"/g)).size === count) return
    await sleep(50)
  }
}

interface Load extends Rate {
  p99Ms: number
}

/** Requests an address on many connections for a while. */
async function load(
  url: string,
  seconds: number,
  server: { cpuMicros(): number },
  headers: Record<string, string> = {},
): Promise<Load> {
  const before = server.cpuMicros()
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds })
  if (result.non2xx || result.errors) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`)
  const { total } = result.requests
  const microsEach = (server.cpuMicros() - before) / total
  return { perSecond: total / result.duration, microsEach, p99Ms: result.latency.p99 }
}
