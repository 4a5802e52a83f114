// The hot page: a list of 20 through the whole stack, against a bare node:http server that sends the same bytes.
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import { freePort } from '../launcher/ports.ts'
import { type Bench, startHelper, startProduct } from './processes.ts'
import { atLeast, atMost, type Finding, figure, median } from './report.ts'

const ROUNDS = 5
const SECONDS = 5
const CONNECTIONS = 20

export async function benchListPage(bench: Bench): Promise<Finding[]> {
  const port = await freePort()
  const api = await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port)
  const url = `http://127.0.0.1:${port}/api/public/servers?limit=20`
  const body = await (await fetch(url)).text()
  const baseline = await startHelper<AddressInfo>('tools/bench/baseline-server.ts', [], { body })
  const bareUrl = `http://127.0.0.1:${baseline.first.port}/`
  await load(url, 2)
  await load(bareUrl, 2)
  const [ours, bare]: [Load[], Load[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await load(bareUrl, SECONDS))
    ours.push(await load(url, SECONDS))
  }
  await Promise.all([api.stop(), baseline.stop()])
  const rate = (loads: Load[]) => median(loads.map((one) => one.perSecond))
  const p99 = (loads: Load[]) => median(loads.map((one) => one.p99Ms))
  return [
    figure('bytes per page', body.length),
    figure('bare node:http', rate(bare), 'requests/s'),
    figure('whole stack', rate(ours), 'requests/s'),
    atLeast('ratio of requests/s', median(ours.map((one, i) => one.perSecond / (bare[i]?.perSecond ?? 0))), 0.6),
    figure('p99, bare and whole stack', `${p99(bare)} ms, ${p99(ours)} ms`),
    // autocannon's histogram has whole milliseconds, so half a millisecond is added for an upper bound of the ratio.
    atMost('ratio of p99', (p99(ours) + 0.5) / (p99(bare) + 0.5), 3),
  ]
}

interface Load {
  perSecond: number
  p99Ms: number
}

async function load(url: string, seconds: number): Promise<Load> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds })
  if (result.non2xx || result.errors) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`)
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 }
}
