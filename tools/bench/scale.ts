// Growth: memory, time to ready and cold queries/s of one API process at several directory sizes.

import { freePort } from '../launcher/ports.ts'
import { coldPerSecond } from './cold-queries.ts'
import { type Bench, startProduct } from './processes.ts'
import { atMost, type Finding, figure } from './report.ts'
import { seedDirectory } from './seed.ts'

const REQUIRED_AT = 100_000

export async function benchScale(bench: Bench, sizes: number[]): Promise<Finding[]> {
  const findings: Finding[] = []
  const measured: { size: number; megabytes: number; msPerQuery: number }[] = []
  for (const size of sizes) {
    await seedDirectory(bench.pool, size)
    const port = await freePort()
    const api = await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port)
    const perSecond = await coldPerSecond(bench, port, size)
    const megabytes = await residentMegabytes(port)
    await api.stop()
    measured.push({ size, megabytes, msPerQuery: 1000 / perSecond })
    const at = `${size.toLocaleString('en')} servers`
    findings.push(
      size === REQUIRED_AT ? atMost(`${at}: memory`, megabytes, 450, 'MB') : figure(`${at}: memory`, megabytes, 'MB'),
      size === REQUIRED_AT
        ? atMost(`${at}: start to ready`, api.readyAfterMs / 1000, 5, 's')
        : figure(`${at}: start to ready`, api.readyAfterMs / 1000, 's'),
      figure(`${at}: cold queries`, perSecond, 'requests/s'),
    )
  }
  const [small, large] = [measured[0], measured.at(-1)]
  if (small && large && large !== small) {
    const growth = large.size / small.size
    findings.push(
      atMost(`memory ×, directory × ${growth}`, large.megabytes / small.megabytes, growth),
      atMost(`cost of a cold query ×, directory × ${growth}`, large.msPerQuery / small.msPerQuery, growth),
    )
  }
  return findings
}

async function residentMegabytes(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1e6
}
