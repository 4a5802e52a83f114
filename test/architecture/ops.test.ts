// Checks that alerts and the dashboard use existing metrics, and that every alert has a runbook section.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { registry } from '../../src/platform/observability/metrics.ts'
import { openWorkerJobs } from '../../src/platform/queue/jobs.ts'
import { startWorker } from '../../workers/worker.ts'
import { startTestApi } from '../support/api.ts'
import { testLog } from '../support/database.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')

interface Alert {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
interface Recording {
  record: string
  labels?: { slo: string }
  expr: string
}
const { rule_files: ruleFiles } = parse(read('ops/prometheus/prometheus.yml')) as { rule_files: string[] }
const all = ruleFiles.flatMap((file) =>
  (parse(read(`ops/prometheus/${file}`)) as { groups: { rules: (Alert | Recording)[] }[] }).groups.flatMap(
    (group) => group.rules,
  ),
)
const rules = all.filter((rule) => 'alert' in rule)
const recordings = all.filter((rule) => 'record' in rule)
const dashboard = JSON.parse(read('ops/grafana/dashboards/directory.json')) as {
  panels: { title: string; type: string; targets?: { expr: string }[] }[]
}
const operations = read('docs/OPERATIONS.md')

// The metrics of both processes, which share one registry here.
const api = await startTestApi()
const jobs = await openWorkerJobs({ url: api.database.url, log: testLog, applicationName: 'worker' })
const stop = await startWorker({ ...api.deps, jobs })
const shown = await registry.getMetricsAsJSON()
await stop()
const names = new Set(
  shown.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  ),
)
/** Of Prometheus itself, and of an API with DATABASE_READ_URL, where test/faults/replica.test.ts reads it. */
for (const name of ['up', 'directory_standby_followed']) names.add(name)
for (const { record } of recordings) names.add(record)

/** Metric names in an expression: words that are not functions, keywords, labels or text. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/\b([a-z_][a-z0-9_:]*)\b(?!\s*\()/gi)]
    .map(([, word = '']) => word)
    .filter((word) => !/^(or|and|unless|by|bool|offset|sum|max|min|avg|count)$/.test(word))
}

describe('alerts', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s uses existing metrics', (_name, { expr }) => {
    const wanted = metricsIn(expr)
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
  })

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s has a section in the runbook', (alert, rule) => {
    expect(operations).toMatch(new RegExp(`^### ${alert}\\n\\S`, 'm'))
    expect(rule.annotations.runbook).toBe(`docs/OPERATIONS.md#${alert.toLowerCase()}`)
    expect(rule.annotations.summary).not.toBe('')
    expect(rule.labels.severity).toMatch(/^(page|ticket)$/)
  })

  it('have all the runbook’s sections', () => {
    const [, section = ''] = /^## Alerts\n([\s\S]*?)^## /m.exec(operations) ?? []
    const sections = [...section.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(sections.sort()).toEqual(rules.map(({ alert }) => alert).sort())
  })
})

it('no rule and no panel selects a bucket by a bound that Prometheus 2 and 3 write in two ways', () => {
  const targets = dashboard.panels.flatMap(({ targets = [] }) => targets)
  const wrong = [...all, ...targets].filter(({ expr }) => /\ble="\d+(\.0)?"/.test(expr))
  expect(wrong.map(({ expr }) => expr)).toEqual([])
})

describe('objectives', () => {
  it('use existing metrics', () => {
    const wanted = new Set(recordings.flatMap(({ expr }) => metricsIn(expr)))
    expect(wanted.size).toBe(5)
    expect([...wanted].filter((name) => !names.has(name))).toEqual([])
  })

  it('each have a row in the runbook', () => {
    const named = recordings.filter(({ record }) => record === 'slo:budget:ratio').map(({ labels }) => labels?.slo)
    const [, section = ''] = /^## Objectives\n([\s\S]*?)^## /m.exec(operations) ?? []
    expect([...section.matchAll(/^\| (\w+) \| /gm)].map(([, name]) => name)).toEqual(['objective', ...named])
  })
})

describe('the dashboard', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row')
  it.each(panels.map((panel) => [panel.title, panel] as const))(
    '%s shows existing metrics',
    (_title, { targets = [] }) => {
      const wanted = targets.flatMap(({ expr }) => metricsIn(expr))
      expect(wanted.length).toBeGreaterThan(0)
      expect(wanted.filter((name) => !names.has(name))).toEqual([])
    },
  )
})

it('Kubernetes scales by existing metrics, which the adapter serves', () => {
  const adapter = parse(read('ops/kubernetes/prometheus-adapter.yaml')) as {
    rules: { custom: { seriesQuery: string }[] }
  }
  const served = adapter.rules.custom.flatMap(({ seriesQuery }) => metricsIn(seriesQuery))
  const wanted = ['api', 'worker'].flatMap((name) =>
    [...read(`ops/kubernetes/base/${name}.yaml`).matchAll(/metric: \{ name: (\w+) \}/g)].map(
      ([, metric = '']) => metric,
    ),
  )
  expect(wanted.filter((name) => !names.has(name))).toEqual([])
  expect(served).toEqual(wanted)
})

it('a source that waits for others does not page, does not count as late, and starts no workers', () => {
  const late = 'directory_queue_oldest_ready_seconds'
  const adapter = parse(read('ops/kubernetes/prometheus-adapter.yaml')) as {
    rules: { custom: { seriesQuery: string; metricsQuery: string }[] }
  }
  const exprs = [
    rules.find(({ alert }) => alert === 'QueueLate')?.expr,
    dashboard.panels.flatMap(({ targets = [] }) => targets).find(({ expr }) => expr.startsWith('count('))?.expr,
    adapter.rules.custom.find(({ seriesQuery }) => seriesQuery.startsWith(late))?.metricsQuery,
  ]
  for (const expr of exprs) expect(expr).toContain('queue!~".*-dead|discovery"')
})

it('Prometheus scrapes services and ports of docker-compose.yml', () => {
  const { scrape_configs: scrapes } = parse(read('ops/prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[]
  }
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, unknown> }>
  }
  for (const { job_name, dns_sd_configs } of scrapes)
    for (const { names: hosts, port } of dns_sd_configs) {
      expect(hosts).toEqual([job_name])
      const { OPERATOR_PORT, WORKER_PORT } = services[job_name]?.environment ?? {}
      expect([OPERATOR_PORT, WORKER_PORT]).toContain(port)
    }
})
