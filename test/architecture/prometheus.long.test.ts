// A real Prometheus scrapes the product that `npm start` runs, and evaluates every rule and every
// panel of the dashboard.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { freePort } from '../../commands/start/ports.ts'
import { startSimulatedServer } from '../../dev/simulator/server.ts'
import { startSteam, steamRow } from '../../dev/simulator/steam.ts'
import { temporaryFolder } from '../commands/support/start-launcher.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { findProgram, isMissing } from '../support/installed.ts'
import { startLoopbackServer } from '../support/loopback-server.ts'
import { createClient } from '../support/product-client.ts'
import { registerAt, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'

const STEAM_KEY = 'A0B1C2D3E4F5A0B1C2D3E4F5A0B1C2D3'
const OPS = path.resolve(import.meta.dirname, '../../ops')
const read = (file: string) => fs.readFileSync(path.join(OPS, file), 'utf8')

interface Target {
  expr: string
  legendFormat: string
}
const { panels } = JSON.parse(read('grafana/dashboards/directory.json')) as {
  panels: { title: string; targets?: Target[] }[]
}
const shown = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })))

interface Sample {
  metric: Record<string, string>
  value: [at: number, value: string]
}
interface Rule {
  name: string
  type: 'recording' | 'alerting'
  health: 'ok' | 'err' | 'unknown'
  lastError?: string
  state?: 'firing' | 'pending' | 'inactive'
}

/** Starts the product with some of everything that the metrics count, and a Prometheus that scrapes it. */
async function startScraped() {
  const receiver = await startLoopbackServer((_, res) => res.end())
  const [game, found] = [await startSimulatedServer({}), await startSimulatedServer({})]
  atFileEnd(game.close)
  atFileEnd(found.close)
  const steam = await startSteam(STEAM_KEY)
  atFileEnd(steam.close)
  steam.state.rows = [steamRow(0, `${found.address}:${found.port}`)]
  const product = await startProduct({
    POLL_INTERVAL_SECONDS: '1',
    DISCOVER: 'steam:rust',
    STEAM_WEB_API_KEY: STEAM_KEY,
    STEAM_API_BASE_URL: steam.origin,
  })
  const { client: owner } = await registerAt(product)
  const listing = { name: 'Watched', ipAddress: game.address, gamePort: 7777, queryPort: game.port }
  const { body } = await owner.post<{ server: { id: string } }>('/api/servers', { ...listing, game: 'protocol-valve' })
  const at = `/api/servers/${body.server.id}`
  await owner.put(`${at}/webhook`, { url: `${receiver.origin}/`, events: ['vote.created'] })
  const prometheus = await startPrometheus({ api: product.launcher.apiUrl, worker: product.launcher.workerUrl })
  let voters = 0
  const vote = () => createClient(product).post(`${at}/vote`, { visitorId: `visitor-${++voters}` })
  return { prometheus, vote }
}

/** With the rules and jobs of ops/prometheus, but other addresses, and a second where that has fifteen or sixty. */
async function startPrometheus(urls: Record<string, string>) {
  const folder = temporaryFolder(atFileEnd)
  const config = parse(read('prometheus/prometheus.yml')) as {
    rule_files: string[]
    scrape_configs: { job_name: string }[]
  }
  for (const file of config.rule_files)
    fs.writeFileSync(path.join(folder, file), read(`prometheus/${file}`).replaceAll('interval: 1m', 'interval: 1s'))
  const scrape_configs = config.scrape_configs.map(({ job_name }) => ({
    job_name,
    static_configs: [{ targets: [new URL(urls[job_name] ?? '').host] }],
  }))
  const global = { scrape_interval: '1s', evaluation_interval: '1s' }
  fs.writeFileSync(path.join(folder, 'prometheus.yml'), stringify({ ...config, global, scrape_configs }))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    findProgram('prometheus') ?? '',
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  atFileEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const ask = async <Data>(question: string): Promise<Data> => {
    const response = await fetch(`http://${address}/api/v1/${question}`)
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string }
    if (status !== 'success') throw new Error(`${question}: ${error}`)
    return data
  }
  await vi.waitFor(() => ask('status/buildinfo'), WAIT_OPTIONS)
  return {
    query: async (expression: string) =>
      (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`)).result,
    rules: async () => (await ask<{ groups: { rules: Rule[] }[] }>('rules')).groups.flatMap(({ rules }) => rules),
  }
}

const isSkipped = isMissing('prometheus')
const scraped = isSkipped ? undefined : await startScraped()

describe.skipIf(isSkipped)('a Prometheus that scrapes the product', () => {
  it.each(shown)('shows “$title”: $legendFormat', async ({ expr, legendFormat }) => {
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    await expect
      .poll(async () => {
        await scraped?.vote() // a rate needs two scrapes that differ
        const result = (await scraped?.prometheus.query(expr)) ?? []
        const numbers = result.filter(({ value: [, value] }) => value !== 'NaN')
        return numbers.length > 0 && result.every(({ metric }) => labels.every((label) => metric[label]))
      }, WAIT_OPTIONS)
      .toBe(true)
  })

  it('evaluates every rule, has a value for each that it records, and no alert for a healthy product', async () => {
    await expect
      .poll(async () => (await scraped?.prometheus.rules())?.filter(({ health }) => health === 'unknown'), WAIT_OPTIONS)
      .toEqual([])
    const rules = (await scraped?.prometheus.rules()) ?? []
    expect(rules.length).toBeGreaterThan(40)
    expect(rules.flatMap(({ name, lastError }) => (lastError ? [`${name}: ${lastError}`] : []))).toEqual([])
    for (const { name } of rules.filter(({ type }) => type === 'recording'))
      await expect
        .poll(async () => {
          await scraped?.vote()
          const values = (await scraped?.prometheus.query(name)) ?? []
          return values
            .filter(({ value: [, value] }) => value !== 'NaN')
            .map(({ metric }) => metric.slo)
            .sort()
        }, WAIT_OPTIONS)
        .toEqual(['availability', 'delivery', 'freshness'])
    expect(rules.filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([])
  })
})
